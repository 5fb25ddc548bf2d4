import { describe, expect, test } from "vitest";
import { providers } from "../../../src/analyzer/placement/provider.ts";
import { claimTests, markFailed } from "../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { isOpen } from "../../../src/web/report/placement-row.ts";
import { aBounce } from "../../http/arrivals.ts";
import { type HttpWorld, startHttpWorld } from "../../http/http-world.ts";

const dayMs = 86_400_000;
const nothing = { deliverabilityScore: null, inboxRate: null, spamRate: null, promoRate: null, testCount: 0 };

async function startAsked() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  const summary = async (query = "") => {
    const answer = await world.ask("GET", `/api/dashboard/summary${query}`, asked);
    expect(answer.status).toBe(200);
    return answer.json;
  };
  return { world, workspaceId: workspace.id, asked, summary };
}

const ask = (world: HttpWorld, path: string, asked: { token: string; workspace: string }) =>
  world.ask("GET", path, asked);

describe("GET /api/dashboard/summary", () => {
  test("GET /api/dashboard/summary is complete and empty in a workspace without tests", async () => {
    const { world, summary } = await startAsked();
    world.clock.nowMs = Date.parse("2026-11-21T06:07:08.009Z");
    const said = await summary();
    expect(said).toMatchObject({
      window: { from: "2026-11-14T06:00:00.000Z", to: "2026-11-21T06:07:08.009Z" },
      ...nothing,
      previous: { window: { from: "2026-11-07T06:00:00.000Z", to: "2026-11-14T06:00:00.000Z" }, ...nothing },
      recentTests: [],
      topIssues: [],
      placement: [],
      bounces7d: 0,
      complaints7d: 0,
      domains: { monitored: 0, failing: 0, drifted24h: 0 },
      newestFailed: null,
    });
    const empty = { tests: 0, score: null, inboxRate: null, spamRate: null, promoRate: null };
    expect(said.trend).toHaveLength(30);
    expect(said.trend[0]).toEqual({ date: "2026-10-23", ...empty });
    expect(said.trend[29]).toEqual({ date: "2026-11-21", ...empty });
  });

  test("GET /api/dashboard/summary shows the score, rates, issues, and providers of the listed tests", async () => {
    const { world, workspaceId, asked, summary } = await startAsked();
    await world.receive(workspaceId);
    world.clock.nowMs += 1_000;
    await world.receive(workspaceId, null, Buffer.from("From: ann@sender.example\r\n\r\nHi.\r\n"));
    await world.analyzeAll();
    world.clock.nowMs += 1_000;
    const waiting = await world.receive(workspaceId);
    const said = await summary();
    const { items } = (await ask(world, "/api/tests", asked)).json;
    expect(said.recentTests).toEqual(items);
    expect(said.recentTests[0].id).toBe(waiting);
    const [, second, first] = items;
    const mean = (one: number, other: number) => expect.closeTo((one + other) / 2, 6);
    const rates = {
      inboxRate: mean(first.inbox_rate, second.inbox_rate),
      spamRate: mean(first.spam_rate, second.spam_rate),
      promoRate: mean(first.promo_rate, second.promo_rate),
    };
    const score = Math.round((first.composite + second.composite) * 5) / 10;
    expect(said).toMatchObject({ deliverabilityScore: score, testCount: 2, ...rates });
    expect(said.trend[29]).toMatchObject({ date: "2026-11-21", tests: 2, score, ...rates });
    expect(said.previous).toMatchObject(nothing);

    const reports = await Promise.all(
      [first, second].map(async ({ id }) => (await ask(world, `/api/tests/${id}`, asked)).json),
    );
    for (const { provider, inboxRate } of said.placement) {
      const folders = reports.map(({ placement_results }) =>
        placement_results.find((row: { provider: string }) => row.provider === provider),
      );
      expect(inboxRate).toBe(folders.filter((row) => row.folder === "inbox" && !isOpen(row)).length / 2);
    }
    expect(said.placement.map(({ provider }: { provider: string }) => provider)).toEqual(providers);
    expect(said.topIssues).toHaveLength(9);
    for (const issue of said.topIssues) {
      const having = reports.filter(({ findings }) =>
        findings.some(({ id, cost }: { id: string; cost: number }) => id === issue.id && cost > 0),
      );
      expect(issue).toMatchObject({ tests: having.length, share: having.length / 2, example: having.at(-1).id });
      expect(issue.title).toMatch(/^\S+( \S+){1,5}$/);
      const told = having.at(-1).findings.find(({ id }: { id: string }) => id === issue.id);
      expect(issue.title).toBe(told.title);
      // Null if it is the same in every message.
      expect([told.summary, null]).toContain(issue.summary);
    }
  });

  test("GET /api/dashboard/summary counts and lists the tests that need you, and its search finds the same", async () => {
    const { world, workspaceId, asked, summary } = await startAsked();
    world.internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
    const plain = (words: string) => Buffer.from(`From: ann@sender.example\r\nSubject: ${words}\r\n\r\nHi.\r\n`);
    for (const words of ["One", "Two", "Three", "Four", "Five", "Six"]) {
      world.clock.nowMs += 1_000;
      await world.receive(workspaceId, null, plain(words));
    }
    const uploaded = await world.receive(workspaceId, null, plain("Uploaded"));
    await world.store.write((db) =>
      inWorkspace(db, workspaceId).updateTable("tests").set({ recipients: "[]" }).where("id", "=", uploaded).execute(),
    );
    await world.analyzeAll();
    const { needsYou, testCount } = await summary();
    expect([needsYou.tests, testCount]).toEqual([6, 6]);
    expect(needsYou.newest.map(({ test }: { test: { subject: string } }) => test.subject)).toEqual(
      "Six Five Four Three Two".split(" "),
    );
    const [{ test: newest, issue }] = needsYou.newest;
    const { findings } = (await ask(world, `/api/tests/${newest.id}`, asked)).json;
    expect(findings.find(({ id }: { id: string }) => id === issue.id)).toMatchObject(issue);
    expect(issue.severity).toMatch(/^(critical|major)$/);
    const search = async (text: string) =>
      (await ask(world, `/api/tests?search=${encodeURIComponent(text)}`, asked)).json.items.map(
        ({ subject }: { subject: string }) => subject,
      );
    expect(await search(needsYou.search)).toEqual(["Six", "Five", "Four", "Three", "Two", "One"]);
    expect(await search("-needs:you")).toEqual(["Uploaded"]);
    expect(await search("needs:you subject:two")).toEqual(["Two"]);

    const remove = async (ids: readonly string[]) =>
      await world.ask("POST", "/api/tests/delete", { ...asked, body: { ids, undoable: true } });
    const removed = await remove(needsYou.newest.map(({ test }: { test: { id: string } }) => test.id));
    expect((await summary()).needsYou).toMatchObject({ tests: 1, newest: [{ test: { subject: "One" } }] });
    const [{ id: last }] = (await ask(world, "/api/tests?search=subject:one", asked)).json.items;
    await remove([last]);
    expect((await summary()).needsYou).toMatchObject({ tests: 0, newest: [] });
    await world.ask("POST", "/api/tests/restore", { ...asked, body: { undo: removed.json.undo } });
    expect((await summary()).needsYou).toMatchObject({ tests: 5, newest: [{}, {}, {}, {}, {}] });
    world.clock.nowMs += 8 * dayMs;
    expect((await summary()).needsYou).toMatchObject({ tests: 0, newest: [] });
  });

  test("GET /api/dashboard/summary excludes uploads, which may be other people's mail", async () => {
    const { world, workspaceId, summary } = await startAsked();
    const id = await world.receive(workspaceId);
    await world.store.write((db) =>
      inWorkspace(db, workspaceId).updateTable("tests").set({ recipients: "[]" }).where("id", "=", id).execute(),
    );
    await world.analyzeAll();
    expect(await summary()).toMatchObject({
      ...nothing,
      needsYou: { tests: 0, newest: [] },
      topIssues: [],
      placement: [],
      recentTests: [{ id, to: [] }],
    });
  });

  test("GET /api/dashboard/summary excludes samples, failed tests, non-tests, and other workspaces", async () => {
    const { world, workspaceId, summary } = await startAsked();
    const other = await world.createWorkspace("Theirs");
    await world.receive(other.id);
    const sample = await world.receive(workspaceId);
    await world.store.write((db) =>
      inWorkspace(db, workspaceId).updateTable("tests").set({ sample: 1 }).where("id", "=", sample).execute(),
    );
    await world.analyzeAll();
    world.clock.nowMs += 1;
    const failed = await world.receive(workspaceId);
    await world.store.write(async (db) => {
      const lease = { now: world.clock.nowMs, owner: "test", leaseMs: 1_000, limit: 1, only: [failed] };
      for (const claimed of await claimTests(db, lease)) await markFailed(db, claimed, "It could not be read.");
    });
    world.clock.nowMs += 1;
    await world.receiveNoTest(workspaceId, { recognised: aBounce });
    world.clock.nowMs += 1;
    await world.receiveNoTest(workspaceId, { recognised: { ...aBounce, kind: "complaint" } });
    world.clock.nowMs += 1;
    await world.receiveNoTest(other.id, { recognised: aBounce });
    expect(await summary()).toMatchObject({
      ...nothing,
      recentTests: [],
      topIssues: [],
      placement: [],
      bounces7d: 1,
      complaints7d: 1,
      previous: { bounces7d: 0, complaints7d: 0 },
      newestFailed: { id: failed, status: "failed" },
    });
    world.clock.nowMs += 8 * dayMs;
    await world.receiveNoTest(workspaceId, { recognised: aBounce });
    world.clock.nowMs += 1;
    await world.receiveNoTest(workspaceId, { recognised: aBounce });
    expect(await summary()).toMatchObject({
      bounces7d: 2,
      complaints7d: 0,
      previous: { bounces7d: 1, complaints7d: 1 },
    });
  });

  test("GET /api/dashboard/summary follows a deletion and a re-analysis immediately", async () => {
    const { world, workspaceId, asked, summary } = await startAsked();
    const first = await world.receive(workspaceId);
    world.clock.nowMs += 1;
    const second = await world.receive(workspaceId);
    await world.analyzeAll();
    expect((await summary()).testCount).toBe(2);
    await world.ask("DELETE", `/api/tests/${first}`, asked);
    world.internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
    const path = `/api/tests/${second}/reanalyze`;
    const { composite } = (await world.ask("POST", path, asked)).json;
    expect(await summary()).toMatchObject({ testCount: 1, deliverabilityScore: composite });
  });

  test("GET /api/dashboard/summary assigns each test to its week, to the quarter hour, and to its day in the given time zone", async () => {
    const { world, workspaceId, summary } = await startAsked();
    const receiveAt = (time: string) => {
      world.clock.nowMs = Date.parse(time);
      return world.receive(workspaceId);
    };
    await receiveAt("2026-10-25T22:59:59.999Z"); // the last moment of Berlin's day of 25 hours
    await receiveAt("2026-10-25T23:00:00.000Z");
    await receiveAt("2026-11-13T10:14:59.999Z");
    await receiveAt("2026-11-13T10:15:00.000Z");
    await receiveAt("2026-11-20T10:20:00.000Z");
    await world.analyzeAll();
    world.clock.nowMs = Date.parse("2026-11-20T10:29:00.000Z");
    const days = async (zone: string) => {
      const said = await summary(`?tz=${zone}`);
      expect([said.testCount, said.previous.testCount]).toEqual([2, 1]);
      const filled = said.trend.filter(({ tests }: { tests: number }) => tests > 0);
      return filled.map(({ date, tests }: { date: string; tests: number }) => `${date}: ${tests}`);
    };
    expect(await days("Europe/Berlin")).toEqual(["2026-10-25: 1", "2026-10-26: 1", "2026-11-13: 2", "2026-11-20: 1"]);
    expect(await days("UTC")).toEqual(["2026-10-25: 2", "2026-11-13: 2", "2026-11-20: 1"]);
    expect(await days("Asia/Kathmandu")).toEqual(["2026-10-26: 2", "2026-11-13: 2", "2026-11-20: 1"]);
    expect(await days("Pacific/Apia")).toEqual(["2026-10-26: 2", "2026-11-13: 2", "2026-11-20: 1"]);
    world.clock.nowMs += 30 * dayMs;
    expect(await summary()).toMatchObject({ testCount: 0, previous: { testCount: 0 } });
  });

  test.each(["Mars/Olympus", "+05:45", "", "Europe%2FBerlin%20"])(
    "GET /api/dashboard/summary rejects the time zone %j",
    async (zone) => {
      const { world, asked } = await startAsked();
      const answer = await world.ask("GET", `/api/dashboard/summary?tz=${zone}`, asked);
      expect(answer.json).toMatchObject({ error: "invalid_request", field: "tz" });
    },
  );
});
