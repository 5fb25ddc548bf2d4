import { expect, test } from "vitest";
import type { FoundMalware } from "../../../../src/analyzer/reports/malware.ts";
import type { BounceData, LowScoreData } from "../../../../src/features/alerts/rules/alert-event.ts";
import { toAlertMessageId } from "../../../../src/features/alerts/rules/mail-token.ts";
import { raiseOfTest } from "../../../../src/features/alerts/work/raise.ts";
import { createIntake, type NewTest } from "../../../../src/features/intake/rows/intake.ts";
import { claimTests, markAnalyzed } from "../../../../src/features/tests/rows/tests.ts";
import { withSettings } from "../../../../src/features/tests/work/path.ts";
import { recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { features } from "../../../../src/server.ts";
import { aBounce } from "../../../http/arrivals.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { unjudged } from "../../../platform/database/analysed.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys, ownWebhook } from "../rules/events.ts";

const system = testSystem();

type Listener = { readonly threshold?: number | null; readonly events?: string[]; readonly enabled?: number };

async function openWith(open: Open, ...listeners: Listener[]) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await addAlerts(store, "wsp_a", listeners);
  return store;
}

async function addAlerts(store: Store, workspaceId: string, listeners: readonly Listener[]) {
  for (const [index, { threshold = 70, events = ["test.low_score"], enabled = 1 }] of listeners.entries())
    await store.write((db) =>
      inWorkspace(db, workspaceId)
        .insertInto("alerts", {
          ...ownWebhook,
          id: `alr_${index}`,
          label: "a",
          url: "",
          url_shown: "",
          events: JSON.stringify(events),
          threshold_score: threshold,
          enabled,
        })
        .execute(),
    );
}

async function receive(store: Store, id: string, changes: Partial<NewTest> = {}) {
  const { tests, ...rest } = message(id);
  await createIntake(store).insert([{ ...rest, tests: tests.map((own) => ({ ...own, ...changes })) }]);
}

/** Analyses it, or does so again; the scores come one after another. */
async function analyse(
  store: Store,
  id: string,
  composite: number | null,
  coverage = 1,
  message_id: string | null = null,
  foundMalware: readonly FoundMalware[] = [],
) {
  await store.write(async (db) => {
    await db.updateTable("tests").set({ due_at: 1, claimed_until: null }).where("id", "=", id).execute();
    const lease = { now: 5_000, owner: "one", leaseMs: 1_000, limit: 1, only: [id] };
    const [claimed] = await withSettings(features, db, await claimTests(db, lease));
    if (!claimed) throw new Error("Nothing was due.");
    const analysis = {
      ...unjudged,
      subject: "Hello",
      header_from: "Ann <ann@sender.example>",
      message_id,
      spf: "pass",
      dkim: "fail",
      dmarc: "pass",
      composite,
      coverage,
    };
    await markAnalyzed(db, claimed, analysis);
    const verdicts = { critical: 1, major: 0, minor: 2, info: 0, passed: 90, skipped: 3 };
    const issues = [{ id: "ptr-record.missing", title: "No reverse DNS" }];
    await raiseOfTest(
      db,
      claimed,
      { ...analysis, issues, foundMalware, verdicts },
      { system, alertMailKeys, stream: null },
    );
  });
}

const eventsOf = (store: Store) => store.read.selectFrom("alert_events").selectAll().orderBy("id").execute();
const countEvents = async (store: Store) => (await eventsOf(store)).length;

eachDialect("the event test.analyzed", (open) => {
  test("the trigger of test.analyzed raises one event per test for subscribed webhooks, whatever the score", async () => {
    const store = await openWith(open, { events: ["test.analyzed"], threshold: null }, { threshold: 10 });
    await receive(store, "tst_1", { label: "welcome" });
    await analyse(store, "tst_1", 92);
    await analyse(store, "tst_1", 40);
    await receive(store, "tst_2");
    await analyse(store, "tst_2", null, 0);
    const events = await eventsOf(store);
    expect(events.map(({ type }) => type)).toEqual(["test.analyzed", "test.analyzed"]);
    const tests = events.map(({ payload }) => JSON.parse(payload).test);
    expect(tests.sort((left, right) => left.id.localeCompare(right.id))).toMatchObject([
      {
        id: "tst_1",
        label: "welcome",
        composite: 92,
        coverage: 1,
        grade: "A",
        verdicts: { critical: 1, major: 0, minor: 2, info: 0, passed: 90, skipped: 3 },
      },
      { id: "tst_2", label: null, composite: null, coverage: 0, grade: null },
    ]);
  });
});

eachDialect("a test of Assay's own alert email", (open) => {
  test("a test of Assay's own alert email raises no event", async () => {
    const store = await openWith(open, { events: ["test.analyzed", "test.low_score"] });
    await receive(store, "tst_1");
    const key = "dlv_01kakzq3v1c8w2e5m7r9t0xyza";
    await analyse(store, "tst_1", 20, 1, toAlertMessageId(key, "seed.example", alertMailKeys));
    expect(await eventsOf(store)).toEqual([]);
    await receive(store, "tst_2");
    await analyse(store, "tst_2", 20, 1, `${key.slice(4)}-0123456789abcdef@seed.example`);
    expect(await countEvents(store)).toBe(2);
  });
});

eachDialect("the event test.low_score", (open) => {
  test("the trigger of test.low_score raises an event for each webhook with a higher threshold, with the test", async () => {
    const store = await openWith(open, { threshold: 70 }, { threshold: 60 }, { threshold: 60.1 });
    await receive(store, "t1");
    await analyse(store, "t1", 60);
    const [event] = await eventsOf(store);
    expect((JSON.parse(event?.payload ?? "") as LowScoreData).test).toEqual({
      id: "t1",
      receivedAt: "1970-01-01T00:00:01.000Z",
      from: "Ann <ann@sender.example>",
      subject: "Hello",
      label: null,
      composite: 60,
      coverage: 1,
      spf: "pass",
      dkim: "fail",
      dmarc: "pass",
      issues: [{ id: "ptr-record.missing", title: "No reverse DNS" }],
    });
    const told = await store.read.selectFrom("deliveries").select("alert_id").orderBy("alert_id").execute();
    expect(told.map((row) => row.alert_id)).toEqual(["alr_0", "alr_2"]);
  });

  test("the event test.low_score contains the malware that was found, or none", async () => {
    const store = await openWith(open, {});
    await receive(store, "tst_1");
    const found = { signature: "Eicar-Test-Signature", file: "invoice.zip" };
    await analyse(store, "tst_1", 29, 1, null, [found]);
    const [event] = await eventsOf(store);
    expect(JSON.parse(event?.payload ?? "{}").test.malware).toEqual([found]);
  });

  test.each([
    ["at the threshold", 70, 1],
    ["of which less than half was checked", 10, 0.49],
    ["without a score", null, 1],
  ])("the trigger of test.low_score raises no event for a test %s", async (_, composite, coverage) => {
    const store = await openWith(open, {});
    await receive(store, "t1");
    await analyse(store, "t1", composite, coverage);
    expect(await countEvents(store)).toBe(0);
  });

  test("the trigger of test.low_score raises an event again only if a later analysis crosses the threshold", async () => {
    const store = await openWith(open, {});
    await receive(store, "t1");
    const counts: number[] = [];
    for (const composite of [40, 35, 70, 69, 40, 90, null, 20]) {
      await analyse(store, "t1", composite);
      counts.push(await countEvents(store));
    }
    expect(counts).toEqual([1, 1, 1, 2, 2, 2, 2, 3]);
  });

  test("the trigger of test.low_score raises an event if an earlier low score had too little coverage", async () => {
    const store = await openWith(open, {});
    await receive(store, "t1");
    await analyse(store, "t1", 40, 0.3);
    await analyse(store, "t1", 40, 0.8);
    expect(await countEvents(store)).toBe(1);
  });

  test("the trigger of test.low_score raises no second event after an analysis with too little coverage", async () => {
    const store = await openWith(open, {});
    await receive(store, "t1");
    const counts: number[] = [];
    const analyses = [
      ...([
        [40, 1],
        [40, 0.3],
        [null, 1],
        [45, 1],
      ] as const),
      ...([
        [90, 1],
        [10, 0.2],
        [30, 1],
      ] as const),
    ];
    for (const [composite, coverage] of analyses) {
      await analyse(store, "t1", composite, coverage);
      counts.push(await countEvents(store));
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 2]);
  });

  test.each<[string, Listener]>([
    ["is disabled", { enabled: 0 }],
    ["is subscribed to another event", { threshold: null, events: ["domain.drift"] }],
  ])("the trigger of test.low_score raises no event for a webhook that %s", async (_, listener) => {
    const store = await openWith(open, listener);
    await receive(store, "t1");
    await analyse(store, "t1", 1);
    expect(await countEvents(store)).toBe(0);
  });

  test("the trigger of test.low_score raises no event for samples, uploads, and tests of other workspaces", async () => {
    const store = await openWith(open, {});
    await receive(store, "sample");
    await store.write((db) => db.updateTable("tests").set({ sample: 1 }).execute());
    await receive(store, "upload", { recipients: [] });
    await receive(store, "other", { workspaceId: "wsp_b" });
    for (const id of ["sample", "upload", "other"]) await analyse(store, id, 1);
    expect(await countEvents(store)).toBe(0);
  });
});

eachDialect("the event email.bounce_complaint", (open) => {
  const listener = { threshold: null, events: ["email.bounce_complaint"] };
  const found = { subject: null, from: null, messageId: null, authenticated: true, sendId: null };

  async function keep(store: Store, id: string) {
    await store.write(async (db) => {
      const [claimed] = await claimTests(db, { now: 5_000, owner: "one", leaseMs: 1, limit: 1, only: [id] });
      if (claimed) await recordNonTest(db, claimed, { ...found, recognised: aBounce }, { features: [], system });
    });
  }

  test("the trigger of email.bounce_complaint raises one event per bounce, and none for an upload", async () => {
    const store = await openWith(open, listener);
    await receive(store, "t1");
    await receive(store, "upload", { recipients: [] });
    for (const id of ["t1", "t1", "upload"]) await keep(store, id);
    const events = await eventsOf(store);
    expect(events).toHaveLength(1);
    const { bounce } = JSON.parse(events[0]?.payload ?? "") as BounceData;
    expect(bounce).toMatchObject({ kind: "bounce", authenticated: true, testId: null });
  });
});

test("a bounce event has the same form as in the API", async () => {
  const world = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("one");
  await addAlerts(world.store, workspaceId, [{ threshold: null, events: ["email.bounce_complaint"] }]);
  await world.receiveNoTest(workspaceId, { recognised: aBounce });
  const [event] = await eventsOf(world.store);
  const { bounce } = JSON.parse(event?.payload ?? "") as BounceData;
  const { token } = await world.issueToken(workspaceId);
  const shown = await world.ask("GET", `/api/bounces/${bounce.id}`, { token, workspace: workspaceId });
  expect(shown.json).toEqual(bounce);
});

test("a received message with a low score raises an event, and an upload does not", async () => {
  const world = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("one");
  await addAlerts(world.store, workspaceId, [{ threshold: 100 }]);
  const { token } = await world.issueToken(workspaceId);
  const body = Buffer.from("Subject: Hello\r\n\r\nHi.\r\n");
  const upload = { token, workspace: workspaceId, body, headers: { "content-type": "message/rfc822" } };
  const id = await world.receive(workspaceId);
  expect((await world.ask("POST", "/api/tests/upload", upload)).status).toBe(201);
  await world.analyzeAll();
  const events = await eventsOf(world.store);
  expect(events.map(({ payload }) => (JSON.parse(payload) as LowScoreData).test.id)).toEqual([id]);
});
