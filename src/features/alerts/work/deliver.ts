// Sends alerts from the outbox to their webhooks and email addresses. Deliveries that were in flight when a process was killed are sent
// again with the same ID. Each webhook gets one try at a time, and failing webhooks have fewer slots, so they never
// delay working ones. Unlike jobs, a delivery never ends its process, so this is a separate loop on platform/work/work-loop.ts:
// its unit of work is a webhook, and each turn claims what is due.

import type { Store } from "../../../platform/database/store.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { createWorkLoop, type WorkLoop } from "../../../platform/work/work-loop.ts";
import type { EventHub } from "../../events/work/hub.ts";
import { giveUpWaiting, listWaitingAlerts, type WaitingAlert } from "../rows/outbox.ts";
import type { AlertNotice, Rendered, WebhookKind } from "../rules/alert-event.ts";
import type { AlertMailer } from "./mailer.ts";
import { type DueDelivery, giveBack, takeDue } from "./take-due.ts";
import { type DeliveryTry, tryDelivery } from "./try-delivery.ts";

export type AlertDelivererOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log" | "fetchStranger">;
  /** Uses the key for alerts. */
  readonly alertSealer: Sealer;
  readonly mailer: AlertMailer;
  readonly render?: (kind: WebhookKind, notice: AlertNotice) => Rendered;
  /** URL of the web app. */
  readonly baseUrl: () => string;
  readonly events: Pick<EventHub, "publish">;
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Called after each try. */
  readonly onTried?: (tried: DeliveryTry) => void;
};

export type AlertDeliverer = Pick<WorkLoop, "start" | "kick" | "stop">;

const pollEveryMs = 1_000;
/** Concurrent tries, one socket each, for working and for failing webhooks. */
const places = { working: 192, failing: 64 };
/** Far above the number of slots, so webhooks in progress never hide others. */
const mostPerPoll = 1_000;
/** Deliveries in a row to one webhook before others may use its slot. */
const turnsInARow = 20;
/** Disabled webhooks handled in one poll, and deliveries dropped in one write. */
const mostGivenUp = 16;
const givenUpAtOnce = 200;

export function createAlertDeliverer(options: AlertDelivererOptions): AlertDeliverer {
  const { store, system } = options;
  const used = { working: 0, failing: 0 };
  const taken = new Set<DueDelivery>();
  const breakOff = new AbortController();
  let isCrowded = false;
  const loop = createWorkLoop({
    poll,
    every: pollEveryMs,
    system,
    words: { trouble: "sending alerts failed", over: "sending alerts is working again" },
    breakOff: async () => {
      for (const due of taken) await store.write((db) => giveBack(db, due, options));
      breakOff.abort();
    },
  });
  const { stopping } = loop;

  /** False when there was nothing to send or the try failed. */
  async function serveOnce(id: string): Promise<boolean> {
    const due = await takeDue(id, options);
    if (due === undefined) return false;
    taken.add(due);
    const attempt = () => tryDelivery(due, breakOff.signal, options);
    // Otherwise the oldest delivery would be taken again and again, and the others would never be sent.
    const putBack = (_error: unknown, until: number) => store.write((db) => giveBack(db, due, options, until));
    const row = due.rows[0]?.id ?? `${id}: notice`;
    return (await loop.serve(row, attempt, putBack).finally(() => taken.delete(due))) === true;
  }

  async function serve(id: string): Promise<void> {
    for (let turn = 0; turn < turnsInARow && !stopping.aborted; turn++) if (!(await serveOnce(id))) return;
  }

  function begin({ id, failing_since }: WaitingAlert): void {
    const place = failing_since === null ? "working" : "failing";
    if (loop.find(id)) return;
    if (used[place] >= places[place]) {
      isCrowded = true;
      return;
    }
    used[place] += 1;
    void loop.begin(
      id,
      () => loop.serve(id, () => serve(id)),
      () => {
        used[place] -= 1;
        if (isCrowded) loop.kick();
      },
    );
  }

  async function poll(): Promise<void> {
    isCrowded = false;
    const now = system.now();
    const waiting = await listWaitingAlerts(store.read, now, mostPerPoll);
    if (stopping.aborted) return;
    const switchedOff = waiting.filter(({ enabled }) => enabled === 0);
    for (const alert of waiting) if (alert.enabled === 1) begin(alert);
    // Last, so they do not delay active webhooks. In parallel, so one does not delay another.
    const ended = switchedOff.slice(0, mostGivenUp);
    await Promise.all(ended.map((alert) => loop.serve(alert.id, () => giveUp(alert, now, options))));
    if (switchedOff.length > mostGivenUp) loop.kick();
  }

  return loop;
}

/** Drops some of a disabled webhook's pending deliveries. The next poll drops more. */
async function giveUp(
  { id: alertId, workspace_id, disabled_because }: WaitingAlert,
  now: number,
  { store, events }: AlertDelivererOptions,
): Promise<void> {
  const problem = disabled_because ?? "The webhook was turned off before this was sent.";
  const ids = await store.write((db) => giveUpWaiting(db, alertId, { problem, now, limit: givenUpAtOnce }));
  for (const id of ids) events.publish(workspace_id, { type: "alert.delivery", id, alertId, status: "dead" });
}
