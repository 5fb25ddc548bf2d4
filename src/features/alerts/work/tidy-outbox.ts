// Trims the outbox: keeps each webhook's latest deliveries, drops waiting ones beyond a day's worth, and removes events
// without deliveries.

import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../../platform/database/store.ts";
import { type ServeRow, serveTogether } from "../../../platform/work/serve-row.ts";
import { giveUpOldest, listIds, removeOldDeliveries, removeUntoldEvents } from "../rows/outbox.ts";
import { mostWaiting } from "./take-due.ts";

/** As many as the web app shows. */
const finishedKept = 100;
const limit = 200;
const pauseMs = 10;
const problem = `Dropped because ${mostWaiting} newer alerts were waiting.`;

/** On shutdown, throws the signal's reason between two steps. */
export async function tidyOutbox(
  store: Pick<Store, "readInWorker" | "write">,
  stopping: AbortSignal,
  serve: ServeRow,
): Promise<void> {
  const pause = async () => {
    await sleep(pauseMs);
    stopping.throwIfAborted();
  };
  const idsOf = (table: "alerts" | "alert_events") =>
    pagesOf((after) => listIds(store.readInWorker, table, after, limit));
  const tidy = async (alertId: string) => {
    const waiting = { alertId, kept: mostWaiting, limit, problem };
    while ((await store.write((db) => giveUpOldest(db, waiting))) === limit) await pause();
    const finished = { alertId, kept: finishedKept, limit };
    while ((await store.write((db) => removeOldDeliveries(db, finished))) === limit) await pause();
    await pause();
  };
  for await (const alerts of idsOf("alerts")) for (const id of alerts) await serve(id, () => tidy(id));
  for await (const events of idsOf("alert_events")) {
    await serveTogether(serve, events, (some) => store.write(async (db) => [await removeUntoldEvents(db, some)]));
    await pause();
  }
}

async function* pagesOf(list: (after: string) => Promise<string[]>): AsyncGenerator<string[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await list(after);
    if (page.length > 0) yield page;
    after = page.length === limit ? page.at(-1) : undefined;
  }
}
