// Webhooks, what is raised for them, and receivers that answer as they are told: nothing here touches a socket.

import { setTimeout as pause } from "node:timers/promises";
import type { FetchOutcome } from "../../../../src/analyzer/facts/fetch.ts";
import type {
  AlertKind,
  AlertNotice,
  LowScoreData,
  Rendered,
  WebhookKind,
} from "../../../../src/features/alerts/rules/alert-event.ts";
import {
  type AlertDeliverer,
  type AlertDelivererOptions,
  createAlertDeliverer,
} from "../../../../src/features/alerts/work/deliver.ts";
import type { AlertMailer } from "../../../../src/features/alerts/work/mailer.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import type { AlertsTable } from "../../../../src/features/domains/tables.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { createSealer } from "../../../../src/platform/system/secret-key.ts";
import type { Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys, ownWebhook } from "../rules/events.ts";

export type Message = {
  readonly url: string;
  readonly id: string;
  readonly events: readonly string[];
  readonly more: number;
  readonly notice: string | null;
};

/** For servers that are not set up for email. */
const noMailer: AlertMailer = {
  missing: () => [{ setting: "ASSAY_SEND_SMTP_URL", why: "the relay" }],
  from: () => null,
  keys: alertMailKeys,
  send: () => Promise.reject(new Error("There is no relay.")),
};

const running: AlertDeliverer[] = [];

/** Before their stores are closed. */
export async function stopDeliverers(): Promise<void> {
  await Promise.all(running.splice(0).map((deliverer) => deliverer.stop(0)));
}

/** A status, a whole outcome, or "hang": it never answers. */
export type Answer = number | FetchOutcome | Promise<FetchOutcome> | "hang";

const lowScore: LowScoreData["test"] = {
  id: "tst_x",
  receivedAt: "2026-11-21T06:00:00.000Z",
  from: null,
  subject: null,
  label: null,
  composite: 41,
  coverage: 1,
  spf: null,
  dkim: null,
  dmarc: null,
};

export async function openAlertWorld(open: Open) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  const system = testSystem({ now: Date.UTC(2026, 10, 21, 6) });
  const sealer = createSealer(Buffer.alloc(32, 1), system.random);
  const received: Message[] = [];
  const answers = new Map<string, (message: Message) => Answer>();

  async function fetchStranger(url: string, request: { body?: unknown; signal?: AbortSignal }) {
    const message = { url, ...JSON.parse(String(request.body)) } as Message;
    received.push(message);
    const answer = answers.get(url)?.(message) ?? 200;
    if (typeof answer === "number") return answered(answer);
    if (answer !== "hang") return answer;
    return new Promise<FetchOutcome>((resolve) =>
      request.signal?.addEventListener("abort", () =>
        resolve({ ok: false, failure: "timeout", problem: "It was broken off." }),
      ),
    );
  }

  function start(changes: Partial<AlertDelivererOptions> = {}) {
    const deliverer = createAlertDeliverer({
      mailer: noMailer,
      store,
      render,
      alertSealer: sealer,
      baseUrl: () => "https://assay.example",
      owner: "one",
      events: { publish() {} },
      system: { ...system, fetchStranger },
      ...changes,
    });
    deliverer.start();
    running.push(deliverer);
    return deliverer;
  }

  const rowsOf = (alertId: string) =>
    store.read
      .selectFrom("deliveries")
      .selectAll()
      .where("alert_id", "=", alertId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();

  return {
    store,
    system,
    sealer,
    received,
    answers,
    start,
    rowsOf,
    addAlert: (name: string, kind: AlertKind = "json", changes: Partial<AlertsTable> = {}) =>
      addAlert(store, { name, kind, sealer, changes }),
    alert: (id: string) => store.read.selectFrom("alerts").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    /** So many events, a millisecond apart; answers their ids. */
    raise: async (count: number) => {
      await store.write(async (db) => {
        for (let n = 0; n < count; n++) {
          system.advance(1);
          await raiseAlert(inWorkspace(db, "wsp_a"), { type: "test.low_score", data: { test: lowScore } }, system);
        }
      });
      const rows = await store.read.selectFrom("alert_events").select("id").orderBy("id", "desc").execute();
      return rows
        .slice(0, count)
        .map(({ id }) => id)
        .reverse();
    },
    untilFinished: (alertId: string) =>
      until(async () => (await rowsOf(alertId)).every(({ status }) => status !== "pending")),
    untilTried: (alertId: string, tries: number) =>
      until(async () => (await rowsOf(alertId)).every((row) => row.tries >= tries)),
    receivedBy: (name: string) => received.filter(({ url }) => url === urlOf(name)),
  };
}

export function urlOf(name: string): string {
  return `https://${name}.example/hook`;
}

export function answered(status: number, headers: Record<string, string> = {}): FetchOutcome {
  return { ok: true, status, headers, body: new Uint8Array(), address: "192.0.2.80" };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 1_000) throw new Error("It never came to that.");
    await pause(10);
  }
}

function render(_kind: WebhookKind, { events, more, notice }: AlertNotice): Rendered {
  const ids = events.map(({ id }) => id);
  const [id] = ids;
  const shown = notice === undefined ? { id, events: ids } : { id: `${id}.notice`, events: [] };
  return { headers: {}, body: JSON.stringify({ ...shown, more, notice: notice ?? null }) };
}

type NewAlert = {
  readonly name: string;
  readonly kind: AlertKind;
  readonly sealer: ReturnType<typeof createSealer>;
  readonly changes: Partial<AlertsTable>;
};

async function addAlert(store: Store, { name, kind, sealer, changes }: NewAlert): Promise<string> {
  const id = createId("alert", 1, Buffer.from(name.padEnd(16, "-")));
  await store.write((db) =>
    inWorkspace(db, "wsp_a")
      .insertInto("alerts", {
        ...ownWebhook,
        id,
        label: name,
        kind,
        events: '["test.low_score"]',
        threshold_score: 70,
        url: sealer.seal(urlOf(name), `alerts/${id}/url`),
        url_shown: urlOf(name),
        ...changes,
      })
      .execute(),
  );
  return id;
}
