// A workspace with monitors of expected mail on a clock that the test moves. Mail is received, analyzed and judged by the
// product's own code.

import type { SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";
import { insertAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import { receiveUpload } from "../../../../src/features/intake/work/receive-message.ts";
import { createExpectedWatcher } from "../../../../src/features/monitors/work/expected.ts";
import { claimTests, countBacklog } from "../../../../src/features/tests/rows/tests.ts";
import { analyzeQueued } from "../../../../src/features/tests/work/analyze-claimed.ts";
import { withSettings } from "../../../../src/features/tests/work/path.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { type HttpWorld, startHttpWorld } from "../../../http/http-world.ts";
import { ownWebhook } from "../../alerts/rules/events.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

export type Mail = {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly label?: string;
  /** Further header fields. */
  readonly fields?: readonly string[];
  readonly contentType?: string;
  readonly heard?: Partial<SmtpSession>;
};

export async function openExpectedWorld(startsAt: string) {
  const world = await startHttpWorld();
  world.clock.nowMs = Date.parse(startsAt);
  const workspace = await world.createWorkspace("Watched");
  const { token } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  await addListener(world, workspace.id);
  const { publish } = world.events;
  let watcher = createExpectedWatcher({ ...world, publish });
  return {
    ...world,
    workspace,
    asked,
    expect: async (body: object) => {
      const { status, json } = await world.ask("POST", "/api/monitors/expected", { ...asked, body });
      if (status !== 201) throw new Error(JSON.stringify(json));
      return json.id as string;
    },
    read: async (id: string) => (await world.ask("GET", `/api/monitors/expected/${id}`, asked)).json,
    /** Received now. It waits for its analysis. */
    upload: (mail: Mail) => {
      const claims = { clientAddress: null, helo: null, mailFrom: null };
      return receiveUpload(
        { raw: toRaw(mail), workspaceId: workspace.id, label: null, claims },
        world.intake,
        world.system,
      );
    },
    send: (mail: Mail) => world.receive(workspace.id, mail.label ?? null, toRaw(mail), mail.heard),
    tick: () => watcher.untilIdle(),
    /** `each` runs after each step of the clock, before everything is analyzed and judged. */
    pass: async (ms: number, each: (now: number) => Promise<unknown> = async () => {}) => {
      // A longer step would be an outage.
      const stepMs = ms > hourMs ? 3 * minuteMs : minuteMs;
      for (let left = ms; left > 0; left -= stepMs) {
        world.clock.nowMs += Math.min(stepMs, left);
        await each(world.clock.nowMs);
        if ((await countBacklog(world.store.read)) > 0) await world.analyzeAll();
        await watcher.untilIdle();
      }
    },
    /** What waits for its analysis breaks the analyzer. */
    failAll: async () => {
      const lease = { now: world.clock.nowMs, owner: "test", leaseMs: 10_000, limit: 100 };
      const run = async () => ({ outcome: "failed" as const, why: "as told" });
      const terms = { ...world, thread: { ...world.thread, run }, publish, onAnalyzed() {}, leaseMs: 10_000 };
      const claim = async (db: Db) => withSettings(world.features, db, await claimTests(db, lease));
      for (const test of await world.store.write(claim)) await analyzeQueued(test, terms);
    },
    /** Time in which nothing is analyzed. */
    lag: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += minuteMs) {
        world.clock.nowMs += minuteMs;
        await watcher.untilIdle();
      }
    },
    /** Time in which no process ran. */
    off: async (ms: number) => {
      await watcher.stop(1_000);
      world.clock.nowMs += ms;
      watcher = createExpectedWatcher({ ...world, publish });
      await watcher.untilIdle();
    },
    /** What was raised so far: "Backup down missing". */
    told: () => listTold(world, workspace.id),
    runs: async (id: string) =>
      await world.store.read
        .selectFrom("monitor_runs")
        .selectAll()
        .where("monitor_id", "=", id)
        .where("ended_at", "is not", null)
        .orderBy("id")
        .execute(),
  };
}

async function addListener({ store, clock }: HttpWorld, workspaceId: string): Promise<void> {
  await store.write((db) =>
    insertAlert(inWorkspace(db, workspaceId), {
      ...ownWebhook,
      id: createId("alert", clock.nowMs, new Uint8Array(16)),
      label: "Ann",
      url: "",
      url_shown: "https://hooks.example",
      events: '["monitor.changed"]',
      created_at: clock.nowMs,
    }),
  );
}

async function listTold({ store }: HttpWorld, workspaceId: string): Promise<string[]> {
  const events = await store.read
    .selectFrom("alert_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return events.map(({ payload }) => {
    const { monitor, state, reason } = JSON.parse(payload);
    return `${monitor.name} ${state} ${reason.code}`;
  });
}

let count = 0;

export function toRaw({
  from = "backup@corp.example",
  subject = "Backup OK",
  text = "Done.",
  fields = [],
  contentType = "text/plain",
}: Mail): Buffer {
  count += 1;
  const lines = [
    `From: ${from}`,
    "To: anyone@seed.example",
    `Subject: ${subject}`,
    `Message-ID: <${count}@corp.example>`,
    ...fields,
    `Content-Type: ${contentType}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}\r\n`);
}
