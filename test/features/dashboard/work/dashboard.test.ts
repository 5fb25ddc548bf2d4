import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDice, type Dice } from "../../../../scripts/dice.ts";
import type { FindingId } from "../../../../src/analyzer/checks/check.ts";
import { checks, wordsById } from "../../../../src/analyzer/checks/list.ts";
import { predictedFolders, providers } from "../../../../src/analyzer/placement/provider.ts";
import { observedFolders } from "../../../../src/analyzer/reports/sighting.ts";
import { foldChanges } from "../../../../src/features/dashboard/rows/folding.ts";
import { readDashboard } from "../../../../src/features/dashboard/work/dashboard.ts";
import {
  foldRollups,
  forgetOldRollups,
  rebuildRollups,
  startFolding,
} from "../../../../src/features/dashboard/work/rollups.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { listOldTests, removeOldTests, removeTests } from "../../../../src/features/tests/rows/removal.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { beginningAt, createId } from "../../../../src/platform/ids.ts";
import { fewOf } from "../../../lanes.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { silentLog } from "../../../platform/database/store-system.ts";
import { countSlowly, createDashboardWorld, type Verdict } from "./dashboard-world.ts";

const dayMs = 86_400_000;
const quarterMs = 900_000;
const issues = { "dmarc-record.missing": 1_800 };
const workspaces = ["wsp_a", "wsp_b"] as const;
const zones = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns"] as const;
const findings = checks
  .flatMap(({ id, findings }) => Object.keys(findings).map((name): FindingId => `${id}.${name}`))
  .slice(0, 14);

const verdict: Verdict = {
  composite: 80,
  folders: { gmail: "inbox", outlook: "spam" },
  costs: { "dmarc-record.missing": 18 },
};

function throwVerdict(dice: Dice): Verdict {
  const thrown = <T>(list: readonly T[], sides: number) => list.filter(() => dice(sides) === 0);
  return {
    composite: dice(10) === 0 ? null : dice(1_001) / 10,
    folders: Object.fromEntries(thrown(providers, 2).map((one) => [one, predictedFolders[dice(4)] ?? "inbox"])),
    costs: Object.fromEntries(thrown(findings, 4).map((id) => [id, dice(3) * 6.125])),
  };
}

/** The summary in the form of the slow count, beside it. */
async function expectRight(store: Store, now: number, zonesAsked: readonly string[] = zones): Promise<void> {
  for (const workspaceId of workspaces)
    for (const zone of zonesAsked) {
      const wanted = await countSlowly(store, workspaceId, now, zone);
      const seen = await readDashboard({ store, system: { now: () => now } }, workspaceId, zone);
      const { days, issues, needing, previous, placement, ...rest } = wanted;
      expect(seen).toMatchObject(toSeen(rest));
      expect(seen.needsYou.tests).toBe(needing.length);
      expect(seen.needsYou.newest.map(({ test }) => test.id)).toEqual(needing.slice(0, 5));
      expect(seen.previous).toMatchObject(toSeen(previous));
      const empty = { tests: 0, score: null, inboxRate: null, spamRate: null, promoRate: null };
      expect(seen.trend).toEqual(seen.trend.map(({ date }) => ({ date, ...(days[date] ?? empty) })));
      expect(Object.fromEntries(seen.placement.map(({ provider, ...rates }) => [provider, rates]))).toEqual(placement);
      expect(seen.topIssues).toMatchObject(issues.map(({ examples: _, ...issue }) => issue));
      for (const [at, { id, example, summary }] of seen.topIssues.entries()) {
        expect(issues[at]?.examples).toContain(example);
        // Where the sentence is the same for every message, it is no example.
        expect(summary).toBe(wordsById.get(id)?.says.includes("{") ? `Found: ${id}.` : null);
      }
    }
}

function toSeen<T extends { tests: number; score: number | null }>({ tests, score, ...rest }: T) {
  return { testCount: tests, deliverabilityScore: score, ...rest };
}

type World = ReturnType<typeof createDashboardWorld>;
type History = { readonly store: Store; readonly world: World; readonly dice: Dice; now: number };

/** Near the edges of the windows and of days more often than anywhere. */
function throwTime({ dice, now }: History): number {
  const near = (time: number) => time + (dice(3) - 1) * dice(1_800_000);
  const edges = [now - 7 * dayMs, now - 14 * dayMs, now - 29 * dayMs, Math.floor(now / dayMs) * dayMs];
  const time = dice(2) === 0 ? now - dice(45) * dayMs - dice(dayMs) : near(edges[dice(edges.length)] ?? now);
  return Math.min(time, now);
}

async function removeOldest(store: Store, beforeMs: number): Promise<void> {
  const before = beginningAt("test", beforeMs);
  const oldest = await listOldTests(store.read, { after: "", before, limit: 5 });
  const ids = oldest.map(({ id }) => id);
  if (ids.length > 0) await store.write((db) => removeOldTests(db, ids));
}

type Deed = (history: History, workspaceId: string, pick: Pick) => Promise<unknown>;
/** A test of one of these states, if there is one. */
type Pick = (...statuses: readonly string[]) => string | undefined;

/** On what waits: for the first time. */
const onWaiting =
  (finish: (history: History, ticket: Awaited<ReturnType<World["claim"]>>) => Promise<unknown>): Deed =>
  async (history, _, pick) => {
    const id = pick("received");
    if (id !== undefined) await finish(history, await history.world.claim(id));
  };

/** On what is finished: anew. */
const onFinished =
  (finish: (history: History, ticket: Awaited<ReturnType<World["claim"]>>) => Promise<unknown>): Deed =>
  async (history, workspaceId, pick) => {
    const id = pick("analyzed", "failed");
    if (id !== undefined) await finish(history, await history.world.claimAnew(workspaceId, id));
  };

const finish = ({ world, dice }: History, ticket: Awaited<ReturnType<World["claim"]>>) =>
  world.finish(ticket, throwVerdict(dice));

/** How often, and what. */
const deeds: readonly (readonly [number, Deed])[] = [
  [33, (history, workspaceId) => history.world.receive(workspaceId, throwTime(history))],
  [2, (history, workspaceId) => history.world.receive(workspaceId, throwTime(history), { sample: 1 })],
  [21, onWaiting(finish)],
  [2, onWaiting(({ world }, ticket) => world.fail(ticket))],
  [2, onWaiting(({ world }, ticket) => world.recognise(ticket, "bounce"))],
  [2, onWaiting(({ world }, ticket) => world.recognise(ticket, "complaint"))],
  [10, onFinished(finish)],
  [3, onFinished(({ world }, ticket) => world.fail(ticket))],
  [1, onFinished(({ world }, ticket) => world.recognise(ticket, "auto-reply"))],
  [2, onFinished(async () => {})],
  [
    8,
    async ({ world, dice }, workspaceId, pick) => {
      const id = pick("analyzed");
      const provider = [...providers, "imap:ann@own.example"][dice(6)] ?? "gmail";
      if (id !== undefined) await world.see(workspaceId, id, provider, observedFolders[dice(3)] ?? "inbox");
    },
  ],
  [
    6,
    async ({ store }, workspaceId, pick) => {
      const id = pick("received", "analyzed", "failed");
      if (id !== undefined) await store.write((db) => removeTests(inWorkspace(db, workspaceId), [id]));
    },
  ],
  [1, ({ store, now, dice }) => removeOldest(store, now - dice(50) * dayMs)],
  [7, ({ store, now, dice }) => store.write((db) => foldChanges(db, { now, limit: 1 + dice(20) }))],
  [3, ({ store, now }) => forgetOldRollups({ store, system: { now: () => now } })],
  [
    2,
    async (history) => {
      history.now += history.dice(6 * 3_600_000);
    },
  ],
];

async function live(history: History): Promise<void> {
  const { store, dice } = history;
  const workspaceId = workspaces[dice(2)] ?? "wsp_a";
  const tests = inWorkspace(store.read, workspaceId).selectFrom("tests").where("became", "=", "test");
  const rows = await tests.select(["id", "status"]).execute();
  const pick: Pick = (...statuses) => {
    const fitting = rows.filter(({ status }) => statuses.includes(status));
    return fitting[dice(fitting.length)]?.id;
  };
  const lots = deeds.flatMap(([often, deed]) => Array.from({ length: often }, () => deed));
  await lots[dice(lots.length)]?.(history, workspaceId, pick);
}

/** A test at each of these times, as if analysed. */
async function contribute(store: Store, times: readonly number[]): Promise<void> {
  const tests = times.map((receivedAt, at) => ({
    id: createId("test", receivedAt, Buffer.alloc(16, String(at).padStart(8, "0"))),
    receivedAt,
  }));
  await createIntake(store).insert(tests.map(({ id, receivedAt }) => message(id, { receivedAt })));
  const contribution = JSON.stringify({ kind: "test", score: 800, folders: { gmail: "spam" }, issues });
  const rows = tests.map(({ id, receivedAt }) => ({
    test_id: id,
    workspace_id: "wsp_a",
    received_at: receivedAt,
    contribution,
  }));
  await store.write((db) => db.insertInto("contributions").values(rows).execute());
}

eachDialect("the dashboard", (open, dialect) => {
  test.each(
    fewOf([
      [1, "2026-10-28T10:07:13.123Z"],
      [2, "2027-04-02T00:00:00.000Z"],
      [3, "2026-11-21T23:59:59.999Z"],
    ] as const),
  )(
    "the dashboard equals a direct count after the random history %i, and a rebuild changes nothing",
    async (seed, start) => {
      const store = await open();
      await store.write((db) => insertWorkspaces(db, ...workspaces));
      const history = { store, world: createDashboardWorld(store), dice: createDice(seed), now: Date.parse(start) };
      for (let step = 1; step <= 400; step++) {
        await live(history);
        if (step % 100 === 0) await expectRight(store, history.now);
      }
      const system = { now: () => history.now };
      expect(await rebuildRollups({ store, system })).toMatchObject({ correctedTests: 0, correctedSums: 0 });
      await expectRight(store, history.now);
      await store.write(async (db) => {
        await db.deleteFrom("rollup_changes").execute();
        await db
          .deleteFrom("rollup_numbers")
          .where("begins_at", "<", history.now - 3 * dayMs)
          .execute();
        await db.updateTable("rollup_numbers").set({ tests: 7, bounces: 3 }).execute();
        await db.deleteFrom("rollup_details").execute();
        await db
          .deleteFrom("contributions")
          .where("test_id", ">", "tst_")
          .where("received_at", ">", history.now - dayMs)
          .execute();
        await db
          .updateTable("contributions")
          .set({ contribution: '{"kind":"test","score":1,"folders":{},"issues":{}}' })
          .execute();
      });
      expect((await rebuildRollups({ store, system })).correctedTests).toBeGreaterThan(0);
      await expectRight(store, history.now);
    },
  );

  test("the dashboard counts each test once in its week, for any start of the week", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const start = Date.parse("2026-11-10T00:00:00Z");
    const times = Array.from({ length: 9 * 96 }, (_, at) => start + at * quarterMs);
    await contribute(store, times);
    for (let quarters = 7 * 96; quarters <= 8 * 96; quarters += 5) {
      const now = start + quarters * quarterMs + 1;
      const said = await readDashboard({ store, system: { now: () => now } }, "wsp_a", "UTC");
      const wanted = times.filter((time) => time >= now - 1 - 7 * dayMs).length;
      expect([said.testCount, said.topIssues[0]?.tests]).toEqual([wanted, wanted]);
    }
  });

  test("the dashboard counts each test once during simultaneous updates and reads", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const now = Date.parse("2026-11-21T12:00:00Z");
    const terms = { store, system: { now: () => now } };
    await contribute(
      store,
      Array.from({ length: 900 }, (_, at) => now - at * 60_000),
    );
    const counts: unknown[] = [];
    const read = async () => {
      const { testCount, topIssues } = await readDashboard(terms, "wsp_a", "UTC");
      counts.push([testCount, topIssues[0]?.tests]);
    };
    const fold = () => foldRollups(terms);
    const mend = () => rebuildRollups(terms);
    await Promise.all([fold(), read(), mend(), fold(), read(), mend(), read(), fold()]);
    await read();
    expect(counts).toEqual(Array(4).fill([900, 900]));
    expect(await mend()).toMatchObject({ correctedSums: 0 });
  });

  test("the dashboard removes a test that was deleted in any way", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const system = { now: () => now };
    const count = async () => (await readDashboard({ store, system }, "wsp_a", "UTC")).testCount;
    const analysed = async () => {
      const id = await world.receive("wsp_a", now - 1_000);
      await world.finish(await world.claim(id), verdict);
      expect(await count()).toBe(1);
      return id;
    };
    const ways: ((id: string) => Promise<unknown>)[] = [
      (id) => store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [id])),
      () => removeOldest(store, now),
      async (id) => world.fail(await world.claimAnew("wsp_a", id)),
      async (id) => world.recognise(await world.claimAnew("wsp_a", id), "bounce"),
      (id) => store.write((db) => db.updateTable("tests").set({ sample: 1 }).where("id", "=", id).execute()),
      (id) => store.write((db) => db.deleteFrom("tests").where("id", "=", id).execute()),
    ];
    for (const [at, go] of ways.entries()) {
      const id = await analysed();
      if (at % 2 === 0) await foldRollups({ store, system });
      await go(id);
      expect(await count(), String(go)).toBe(0);
      await foldRollups({ store, system });
      expect(await count(), String(go)).toBe(0);
    }
  });

  test("the dashboard is removed with its workspace, even during an update of its sums", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const terms = { store, system: { now: () => now } };
    for (const workspaceId of workspaces) {
      await world.finish(await world.claim(await world.receive(workspaceId, now - 1_000)), verdict);
      await foldRollups(terms);
      await world.finish(await world.claim(await world.receive(workspaceId, now - 1_000)), verdict);
    }
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", "wsp_a").execute());
    await foldRollups(terms);
    for (const table of ["contributions", "rollup_changes", "rollup_numbers", "rollup_details"] as const)
      expect(
        await store.read.selectFrom(table).select("workspace_id").where("workspace_id", "=", "wsp_a").execute(),
      ).toEqual([]);
    expect((await readDashboard(terms, "wsp_b", "UTC")).testCount).toBe(2);
  });

  test("the dashboard keeps no old sums, and deleting old tests changes nothing", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    let now = Date.parse("2026-11-21T12:00:00Z");
    const terms = { store, system: { now: () => now } };
    const old = await world.receive("wsp_a", now - 1_000);
    await world.finish(await world.claim(old), verdict);
    await foldRollups(terms);
    now += 41 * dayMs;
    await world.finish(await world.claim(await world.receive("wsp_a", now - 1_000)), verdict);
    await foldRollups(terms);
    await forgetOldRollups(terms);
    const sums = () => store.read.selectFrom("rollup_numbers").selectAll().execute();
    const before = await sums();
    expect(before.map(({ tests }) => tests)).toEqual([1, 1, 1]);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [old]));
    await foldRollups(terms);
    expect(await sums()).toEqual(before);
    await expectRight(store, now, ["UTC"]);
  });

  test("the dashboard lists the five worst messages: rejected ones, then the lowest scores, then the newest", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const ids: string[] = [];
    for (const [at, composite] of [40, 90, 70, 85, 85, 80, 85].entries()) {
      const id = await world.receive("wsp_a", now - 9_000 + at);
      const folders = { gmail: composite === 90 ? "rejected" : "spam" } as const;
      await world.finish(await world.claim(id), { composite, folders, costs: {} });
      ids.push(id);
    }
    const { needsYou } = await readDashboard({ store, system: { now: () => now } }, "wsp_a", "UTC");
    expect(needsYou.newest.map(({ test }) => ids.indexOf(test.id))).toEqual([1, 0, 2, 5, 6]);
  });

  test.each([
    ["didn't", {}],
    ["counted predictions between inbox and spam as one of them", { need: { issue: null, lost: ["yahoo"] } }],
  ])(
    "the dashboard counts what needs you after an upgrade from a version that %s, without a rebuild",
    async (_version, stored) => {
      const store = await open();
      await store.write((db) => insertWorkspaces(db, ...workspaces));
      const world = createDashboardWorld(store);
      const now = Date.parse("2026-11-21T12:00:00Z");
      const id = await world.receive("wsp_a", now - dayMs);
      await world.finish(await world.claim(id), { ...verdict, folders: { gmail: "spam" } });
      const contribution = JSON.stringify({ kind: "test", score: 800, folders: { gmail: "inbox" }, issues, ...stored });
      await store.write((db) => db.updateTable("contributions").set({ contribution }).execute());
      const system = { now: () => now, log: silentLog };
      const read = () => readDashboard({ store, system }, "wsp_a", "UTC");
      const before = await read();
      expect(before.needsYou.newest.map(({ need }) => need.lost)).toEqual("need" in stored ? [["yahoo"]] : []);
      const folding = startFolding({ store, system });
      await expect
        .poll(async () => (await read()).needsYou.newest.map(({ test, need }) => [test.id, test.spam_rate, need.lost]))
        .toEqual([[id, 1, ["gmail"]]]);
      await folding.stop(0);
    },
  );

  test("a message that a mailbox shows before it is counted again keeps its issue", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const id = await world.receive("wsp_a", now - dayMs);
    await world.finish(await world.claim(id), { ...verdict, folders: { gmail: "inbox" } });
    const contribution = JSON.stringify({ kind: "test", score: 800, folders: { gmail: "inbox" }, issues });
    await store.write((db) => db.updateTable("contributions").set({ contribution }).execute());
    await world.see("wsp_a", id, "gmail", "promotions");
    const system = { now: () => now, log: silentLog };
    const folding = startFolding({ store, system });
    await expect
      .poll(async () => (await readDashboard({ store, system }, "wsp_a", "UTC")).needsYou.newest)
      .toMatchObject([{ need: { issue: "dmarc-record.missing" } }]);
    await folding.stop(0);
  });

  test.runIf(dialect === "postgres")("counting again waits for a mailbox that shows the same test", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const id = await world.receive("wsp_a", now - dayMs);
    await world.finish(await world.claim(id), { ...verdict, folders: { gmail: "inbox" } });
    const contribution = JSON.stringify({ kind: "test", score: 800, folders: { gmail: "inbox" }, issues });
    await store.write((db) => db.updateTable("contributions").set({ contribution }).execute());
    const system = { now: () => now };
    const waiting = sql`select 1 from pg_locks where not granted`;
    const locked = Promise.withResolvers<void>();
    const seeing = world.see("wsp_a", id, "gmail", "spam", async () => {
      locked.resolve();
      await expect.poll(async () => (await waiting.execute(store.read)).rows.length).toBeGreaterThan(0);
    });
    await locked.promise;
    await Promise.all([seeing, rebuildRollups({ store, system })]);
    const { placement } = await readDashboard({ store, system }, "wsp_a", "UTC");
    expect(placement).toMatchObject([{ provider: "gmail", spamRate: 1, observed: 1 }]);
  });

  test("the dashboard shows another example if the newest test is deleted", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const world = createDashboardWorld(store);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const terms = { store, system: { now: () => now } };
    const ids: string[] = [];
    for (const ago of [3_000, 2_000, 1_000]) {
      const id = await world.receive("wsp_a", now - ago);
      await world.finish(await world.claim(id), ago === 2_000 ? { ...verdict, costs: {} } : verdict);
      ids.push(id);
    }
    await foldRollups(terms);
    const examples = async () =>
      (await readDashboard(terms, "wsp_a", "UTC")).topIssues.map(({ example, tests }) => [example, tests]);
    expect(await examples()).toEqual([[ids[2], 2]]);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [ids[2] ?? ""]));
    expect(await examples()).toEqual([[ids[0], 1]]);
    await foldRollups(terms);
    expect(await examples()).toEqual([[ids[0], 1]]);
  });
});
