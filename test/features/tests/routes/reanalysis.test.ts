import { describe, expect, test } from "vitest";
import type { JobOutcome, JobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import { decodeReport, encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { claimReanalysis } from "../../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";

const allowed = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
const forbidden = { "sender.example": { TXT: ["v=spf1 -all"] } };

async function worldWithTest(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  world.internet.zone = allowed;
  const id = await world.receive(workspace);
  const path = `/api/tests/${id}`;
  const ask = async (method: string, query = "", as = { token, workspace }) => {
    world.clock.nowMs += 1_000;
    return await world.ask(method, path + query, as);
  };
  return { ...world, id, workspace, token, ask };
}

/** While `state.outcome` is set, an analysis on request ends that way. */
async function startStallingWorld() {
  const state: { outcome: JobOutcome<never> | null } = { outcome: null };
  const askedThread: JobThread = {
    warmUp: async () => {},
    run: async (job) => state.outcome ?? (await world.thread.run(job)),
    close: async () => {},
  };
  const world = await worldWithTest({ askedThread });
  return { ...world, state, read: async () => (await world.ask("GET")).json };
}

/** What the program kept before it looked at more than the verdicts. */
const earlierReport = {
  subject: "Hello",
  from: "Ann <ann@sender.example>",
  messageId: null,
  reverseName: { known: true, value: null },
  authentication: { known: true, value: { spf: { result: "pass" }, dkim: [], dmarc: null } },
  analysis: { version: "0.1.0", isReplay: false, startedAt: 1, durationMs: 1, dns: [] },
};

describe("a report stored by an earlier version in another format", () => {
  test("a report stored by an earlier version in another format keeps its test's results until it is re-analyzed", async () => {
    const { ask, analyzeAll, store } = await worldWithTest();
    await analyzeAll();
    const report = encodeReport(JSON.stringify(earlierReport));
    await store.write((db) => db.updateTable("reports").set({ report }).execute());
    expect((await ask("GET")).json).toMatchObject({ status: "analyzed", spf: "pass", authentication: null });
    expect((await ask("GET", "/reports")).json.items).toEqual([]);
    expect(await ask("POST", "/reanalyze?dns=recorded")).toMatchObject({ status: 409 });
    expect((await ask("POST", "/reanalyze")).json.authentication.spf).toMatchObject({ result: "pass" });
  });

  test("a report stored by an earlier version in another format counts as old if only the provider rules are missing", async () => {
    const { ask, analyzeAll, store } = await worldWithTest();
    await analyzeAll();
    const [kept] = await store.read.selectFrom("reports").select("report").execute();
    if (!kept) throw new Error("No report is kept.");
    const { judgment, ...rest } = JSON.parse(decodeReport(kept.report));
    expect(judgment.tallies).toHaveLength(4);
    const earlier = { ...rest, judgment: { ...judgment, tallies: undefined } };
    const report = encodeReport(JSON.stringify(earlier));
    await store.write((db) => db.updateTable("reports").set({ report }).execute());
    expect((await ask("GET")).json).toMatchObject({ status: "analyzed", spf: "pass", rules: null });
    expect((await ask("POST", "/reanalyze")).json.rules).toHaveLength(4);
  });
});

describe("POST /api/tests/:id/reanalyze", () => {
  test("POST /api/tests/:id/reanalyze queries DNS again, and keeps the previous report", async () => {
    const { ask, analyzeAll, internet } = await worldWithTest();
    await analyzeAll();
    internet.zone = forbidden;
    const { status, json } = await ask("POST", "/reanalyze");
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "analyzed", spf: "fail" });
    expect(json.placement_results).toHaveLength(5);
    expect(json.inbox_rate + json.spam_rate + json.promo_rate).toBeCloseTo(1);
    expect((await ask("GET")).json).toMatchObject({ spf: "fail", analyzed_at: json.analyzed_at });
    expect((await ask("GET", "/reports")).json.items).toMatchObject([
      { spf: "fail", dns: "live", analyzed_at: json.analyzed_at },
      { spf: "pass", dns: "live" },
    ]);
  });

  test("POST /api/tests/:id/reanalyze as recorded makes no queries and gives the same results", async () => {
    const { ask, analyzeAll, internet } = await worldWithTest();
    await analyzeAll();
    const first = (await ask("GET")).json;
    internet.zone = forbidden;
    const again = (await ask("POST", "/reanalyze?dns=recorded")).json;
    expect(again.authentication).toEqual(first.authentication);
    expect(again.analysis.dns).toEqual(first.analysis.dns);
    expect((await ask("GET", "/reports")).json.items[0]).toMatchObject({ spf: "pass", dns: "recorded" });
  });

  test("POST /api/tests/:id/reanalyze does not analyze a waiting or running test a second time", async () => {
    const { ask, analyzeAll, store, workspace, id, clock } = await worldWithTest();
    expect((await ask("POST", "/reanalyze")).status).toBe(409);
    await analyzeAll();
    const lease = { now: clock.nowMs, owner: "other", leaseMs: 60_000 };
    await store.write((db) => claimReanalysis(inWorkspace(db, workspace), id, lease));
    expect((await ask("POST", "/reanalyze")).status).toBe(409);
    expect((await ask("GET")).json).toMatchObject({ status: "analyzing", spf: "pass" });
  });

  test("POST /api/tests/:id/reanalyze says that nothing is recorded for a test without a report", async () => {
    const { status, json } = await (await worldWithTest()).ask("POST", "/reanalyze?dns=recorded");
    expect(status).toBe(409);
    expect(json.message).toBe("This test has no report yet, so there is no recorded evidence.");
  });

  test("POST /api/tests/:id/reanalyze uses the kind that a user chose until they remove it", async () => {
    const { ask, analyzeAll } = await worldWithTest();
    await analyzeAll();
    const inferred = (await ask("GET")).json.kind;
    const said = (await ask("POST", "/reanalyze?kind=bulk")).json;
    expect(said).toMatchObject({ kind: "bulk", kind_detail: { overridden: true } });
    expect(said.kind_detail.reasons[0].text).toContain("Set manually");
    expect((await ask("POST", "/reanalyze?dns=recorded")).json).toMatchObject({ kind: "bulk" });
    const again = (await ask("POST", "/reanalyze?kind=inferred&dns=recorded")).json;
    expect(again).toMatchObject({ kind: inferred, kind_detail: { overridden: false } });
    expect((await ask("POST", "/reanalyze")).json).toMatchObject({ kind: inferred });
    expect((await ask("POST", "/reanalyze?kind=spam")).json).toMatchObject({ error: "invalid_request", field: "kind" });
  });

  test("POST /api/tests/:id/reanalyze does not keep a kind chosen for a running test", async () => {
    const { ask, analyzeAll, store } = await worldWithTest();
    expect((await ask("POST", "/reanalyze?kind=bulk")).status).toBe(409);
    await analyzeAll();
    const row = await store.read.selectFrom("tests").select("kind_override").executeTakeFirst();
    expect(row).toEqual({ kind_override: null });
  });

  test("POST /api/tests/:id/reanalyze keeps the report of a message that stalls the analyzer, and says so", async () => {
    const { analyzeAll, ...world } = await startStallingWorld();
    await analyzeAll();
    const before = await world.read();
    for (const outcome of [
      { outcome: "stalled", during: "while parsing the message" } as const,
      { outcome: "failed", why: "out of range" } as const,
    ]) {
      world.state.outcome = outcome;
      const { status, json } = await world.ask("POST", "/reanalyze?kind=bulk");
      expect(status).toBe(409);
      expect(json).toMatchObject({
        error: "conflict",
        message:
          outcome.outcome === "stalled"
            ? "The earlier report is kept. This message stalled the analyzer, while parsing the message."
            : "The earlier report is kept. The analyzer failed: out of range",
      });
      expect(await world.read()).toEqual(before);
    }
    world.state.outcome = null;
    expect((await world.ask("POST", "/reanalyze?kind=bulk")).json).toMatchObject({ kind: "bulk" });
  });

  test("POST /api/tests/:id/reanalyze says why a message still has no report", async () => {
    const { store, ...world } = await startStallingWorld();
    await store.write((db) =>
      db.updateTable("tests").set({ status: "failed", failure: "Earlier.", due_at: null }).execute(),
    );
    world.state.outcome = { outcome: "stalled", during: "while parsing the message" };
    const { status, json } = await world.ask("POST", "/reanalyze");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: "failed",
      failure: "This message stalled the analyzer, while parsing the message.",
    });
  });

  test("POST /api/tests/:id/reanalyze keeps the last twenty reports", async () => {
    const { ask, analyzeAll } = await worldWithTest();
    await analyzeAll();
    for (let count = 0; count < 24; count++) expect((await ask("POST", "/reanalyze")).status).toBe(200);
    const { items } = (await ask("GET", "/reports")).json;
    expect(items).toHaveLength(20);
    expect(items[0].analyzed_at > items[19].analyzed_at).toBe(true);
  });

  test("POST /api/tests/:id/reanalyze does not find another workspace's test", async () => {
    const { ask, analyzeAll, createWorkspace, issueToken } = await worldWithTest();
    await analyzeAll();
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    expect((await ask("POST", "/reanalyze", { token, workspace })).status).toBe(404);
    expect((await ask("POST", "/reanalyze?dns=recorded", { token, workspace })).status).toBe(404);
    expect((await ask("GET", "/reports", { token, workspace })).status).toBe(404);
  });
});
