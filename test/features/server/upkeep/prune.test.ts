import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { type Pruned, pruneByAge, pruneBySize } from "../../../../src/features/server/upkeep/prune.ts";
import { sumTestBytes } from "../../../../src/features/tests/rows/removal.ts";
import { insertReport } from "../../../../src/features/tests/rows/reports.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

const dayMs = 86_400_000;
const newestMs = Date.UTC(2026, 10, 21);
const megabyte = 1_000_000;

async function startWith(store: Store) {
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  const system = testSystem({ now: newestMs });
  const steps: Pruned[] = [];
  const stop = new AbortController();
  const onPruned = (step: Pruned) => void steps.push(step);
  return { system, steps, stop, options: { store, system, stopping: stop.signal, serve: serveOrThrow, onPruned } };
}

type Filling = { readonly bytes: number; readonly reportBytes?: number; readonly everyMs?: number };

/** Analysed tests, in turn of both workspaces, the oldest first; answers their ids. */
async function fill(store: Store, count: number, { bytes, reportBytes = 10, everyMs = 1 }: Filling) {
  const intake = createIntake(store);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const receivedAt = newestMs - (count - 1 - index) * everyMs;
    const id = createId("test", receivedAt, randomBytes(16));
    const workspaceId = index % 2 ? "wsp_a" : "wsp_b";
    await intake.insert([message(id, { workspaceId, bytes: randomBytes(bytes), receivedAt })]);
    ids.push(id);
  }
  await store.write(async (db) => {
    await db.updateTable("tests").set({ due_at: null, status: "analyzed" }).execute();
    for (const testId of ids) await insertReport(db, { testId, createdAt: 1, report: randomBytes(reportBytes) });
  });
  return ids;
}

async function idsIn(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom("tests").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

const bytesOf = (steps: readonly Pruned[]) => steps.reduce((sum, { bytes }) => sum + bytes, 0);

eachDialect("deleting old tests", (open, dialect) => {
  test("deleting old tests by age deletes older tests of every workspace with their related data", async () => {
    const store = await open();
    const { options, system } = await startWith(store);
    const ids = await fill(store, 6, { bytes: 100, everyMs: dayMs });
    await pruneByAge(options, 2);
    expect(await idsIn(store)).toEqual(ids.slice(3));
    for (const table of ["raw_messages", "reports"] as const)
      expect(await store.read.selectFrom(table).select("test_id").execute()).toHaveLength(3);
    expect(system.logged).toMatchObject([
      { level: "info", message: "old tests removed", fields: { why: "age", tests: 3 } },
    ]);
  });

  test("deleting old tests by age of zero days keeps everything forever", async () => {
    const store = await open();
    const { options } = await startWith(store);
    const ids = await fill(store, 2, { bytes: 100, everyMs: 1_000 * dayMs });
    await pruneByAge(options, 0);
    expect(await idsIn(store)).toEqual(ids);
  });

  test("deleting old tests keeps tests that wait for analysis or are being analyzed", async () => {
    const store = await open();
    const { options } = await startWith(store);
    const ids = await fill(store, 4, { bytes: 100, everyMs: dayMs });
    await store.write((db) =>
      db
        .updateTable("tests")
        .set({ due_at: 1 })
        .where("id", "=", ids[0] ?? "")
        .execute(),
    );
    await pruneByAge(options, 1);
    expect(await idsIn(store)).toEqual([ids[0], ids[2], ids[3]]);
  });

  test("deleting old tests deletes in steps of a few small tests, or of one large one", async () => {
    const store = await open();
    const { options, steps } = await startWith(store);
    await fill(store, 450, { bytes: 10, everyMs: 1 });
    await fill(store, 3, { bytes: 5 * megabyte });
    options.system.advance(10 * dayMs);
    await pruneByAge(options, 1);
    expect(await idsIn(store)).toEqual([]);
    expect(steps.reduce((sum, { tests }) => sum + tests, 0)).toBe(453);
    for (const { tests, bytes } of steps) {
      expect(tests).toBeLessThanOrEqual(100);
      if (tests > 1) expect(bytes).toBeLessThanOrEqual(4_194_304);
    }
  });

  test("deleting old tests by size deletes the oldest tests down to a margin below the limit, counting messages and reports", async () => {
    const store = await open();
    const { options, steps, system } = await startWith(store);
    const ids = await fill(store, 40, { bytes: 100_000, reportBytes: 100_000 });
    await pruneBySize(options, 4 * megabyte);
    const left = await idsIn(store);
    expect(left).toEqual(ids.slice(-left.length));
    // An empty database, which grows with each table, takes its part of the bound.
    expect(left.length).toBeGreaterThan(10);
    expect(left.length).toBeLessThan(20);
    expect(system.logged).toMatchObject([{ message: "old tests removed", fields: { why: "size" } }]);
    if (dialect === "sqlite") expect(await store.readTakenBytes()).toBeLessThanOrEqual(4 * megabyte);
    // What PostgreSQL takes has not fallen, and yet nothing more goes.
    const before = steps.length;
    await pruneBySize(options, 4 * megabyte);
    expect(steps).toHaveLength(before);
  });

  test("deleting old tests by size deletes nothing below the limit", async () => {
    const store = await open();
    const { options } = await startWith(store);
    const ids = await fill(store, 3, { bytes: 100_000 });
    await pruneBySize(options, 100 * megabyte);
    expect(await idsIn(store)).toEqual(ids);
  });

  test("deleting old tests warns if nothing more can be deleted and the limit is still exceeded", async () => {
    const store = await open();
    const { options, system } = await startWith(store);
    const ids = await fill(store, 30, { bytes: 100_000 });
    await store.write((db) => db.updateTable("tests").set({ due_at: 1 }).execute());
    await pruneBySize(options, megabyte);
    expect(await idsIn(store)).toEqual(ids);
    expect(system.logged).toMatchObject([{ level: "warn", fields: { maxBytes: megabyte } }]);
  });

  test("deleting old tests accepts new mail between its steps, and keeps it", async () => {
    const store = await open();
    const { options, steps } = await startWith(store);
    await fill(store, 8, { bytes: 3 * megabyte });
    let arrived = "";
    const onPruned = (step: Pruned) => {
      options.onPruned(step);
      if (steps.length > 1) return;
      arrived = createId("test", newestMs + 1, randomBytes(16));
      void createIntake(store).insert([message(arrived)]);
    };
    await pruneBySize({ ...options, onPruned }, 5 * megabyte);
    expect(steps.length).toBeGreaterThan(4);
    expect(await idsIn(store)).toContain(arrived);
  });

  test("deleting old tests stops after the current step at shutdown", async () => {
    const store = await open();
    const { options, steps, stop } = await startWith(store);
    const ids = await fill(store, 8, { bytes: 3 * megabyte });
    const onPruned = (step: Pruned) => {
      options.onPruned(step);
      stop.abort();
    };
    await expect(pruneBySize({ ...options, onPruned }, 5 * megabyte)).rejects.toThrow("aborted");
    expect(steps).toHaveLength(1);
    expect(await idsIn(store)).toEqual(ids.slice(1));
  });

  test("deleting old tests reports the size of the deleted tests", async () => {
    const store = await open();
    const { options, stop } = await startWith(store);
    await fill(store, 5, { bytes: 1_000, reportBytes: 500 });
    const sum = await sumTestBytes(store.readInWorker, stop.signal);
    expect(sum).toBeGreaterThan(5 * 1_500);
    expect(sum).toBeLessThan(5 * 6_000);
    options.system.advance(dayMs * 2);
    const pruned: Pruned[] = [];
    await pruneByAge({ ...options, onPruned: (step) => void pruned.push(step) }, 1);
    expect(bytesOf(pruned)).toBe(sum);
  });

  test.runIf(dialect === "sqlite")(
    "deleting old tests deletes no test because of a write-ahead log that can be truncated",
    async () => {
      const store = await open();
      const { options, steps } = await startWith(store);
      await fill(store, 3, { bytes: 100_000 });
      const value = "x".repeat(5 * megabyte);
      await store.write((db) => db.insertInto("meta").values({ key: "large", value }).execute());
      await store.write((db) => db.deleteFrom("meta").where("key", "=", "large").execute());
      expect(await store.readTakenBytes()).toBeGreaterThan(5 * megabyte);
      await pruneBySize(options, 2 * megabyte);
      expect(steps).toEqual([]);
      expect(await store.readTakenBytes()).toBeLessThan(2 * megabyte);
    },
  );
});
