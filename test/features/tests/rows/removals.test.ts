import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { findCountedTests } from "../../../../src/features/tests/rows/lists.ts";
import {
  countPending,
  listDueRemovals,
  markRemoved,
  readNextRemoval,
  removeDue,
  undoRemoval,
} from "../../../../src/features/tests/rows/removal.ts";
import { readTest } from "../../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { insertManyAnalysed } from "../../../platform/database/analysed.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

eachDialect("delayed deletions of tests", (open, dialect) => {
  test("delayed deletions of tests hide tests until they are due, and can be undone by their workspace until then", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const ids = await insertManyAnalysed(store, [{ composite: 1 }, { composite: 2 }, { composite: 3 }]);
    const [first = "", second = "", third = ""] = ids;
    const own = inWorkspace(store.read, "wsp_a");
    const write = <T>(work: (scope: typeof own) => Promise<T>, workspaceId = "wsp_a") =>
      store.write((db) => work(inWorkspace(db, workspaceId)));
    const mark = (which: readonly string[], id: string, dueAt: number, workspaceId?: string) =>
      write((scope) => markRemoved(scope, which, { id, dueAt }), workspaceId);
    const list = async (order?: "lowest") => {
      const question = { workspaceId: "wsp_a", page: { limit: 10 }, filter: {}, order, isCounted: true };
      return (await findCountedTests(store.read, question)).tests.map(({ id }) => id);
    };
    expect(await mark(ids, "rmv_x", 50, "wsp_b")).toBe(0);
    expect(await mark([first, second], "rmv_1", 100)).toBe(2);
    expect(await mark([second, third], "rmv_2", 200)).toBe(1);
    expect([await list(), await list("lowest"), await countPending(own)]).toEqual([[], [], 3]);
    expect(await readTest(own, first)).toBeUndefined();
    expect(await write((scope) => undoRemoval(scope, "rmv_2", 199), "wsp_b")).toEqual([]);
    expect(await write((scope) => undoRemoval(scope, "rmv_2", 199))).toEqual([third]);
    expect([await list(), await list("lowest")]).toEqual([[third], [third]]);
    expect(await write((scope) => undoRemoval(scope, "rmv_1", 100))).toEqual([]);
    expect(await readNextRemoval(store.read)).toBe(100);
    expect(await listDueRemovals(store.read, 99, 10)).toEqual([]);
    const due = (await listDueRemovals(store.read, 100, 10)).map(({ test_id }) => test_id);
    expect(due).toEqual([first, second]);
    // One that was undone after it was listed stays.
    expect(await store.write((db) => removeDue(db, [...due, third], 100))).toHaveLength(2);
    expect([await list(), await countPending(own), await readNextRemoval(store.read)]).toEqual([[third], 0, undefined]);
  });

  test("delayed deletions of tests are either undone or completed, even if another process's clock is ahead", async () => {
    const [store, other] = [await open(), await open()];
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const ids = await insertManyAnalysed(store, [{}, {}]);
    const own = inWorkspace(store.read, "wsp_a");
    await store.write((db) => markRemoved(inWorkspace(db, "wsp_a"), ids, { id: "rmv_1", dueAt: 100 }));
    const isUndone = Promise.withResolvers<void>();
    const undoing = store.write(async (db) => {
      const restored = await undoRemoval(inWorkspace(db, "wsp_a"), "rmv_1", 99);
      isUndone.resolve();
      // SQLite has one writer, so its writes may not wait.
      if (dialect === "postgres") await pause(100);
      return restored;
    });
    await isUndone.promise;
    const gone = await other.write((db) => removeDue(db, ids, 101));
    expect([(await undoing).toSorted(), gone]).toEqual([ids.toSorted(), []]);
    for (const id of ids) expect(await readTest(own, id)).toBeDefined();
  });

  test("delayed deletions of tests skip a test that turned out to be another kind of message", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const ids = await insertManyAnalysed(store, [{}]);
    await store.write(async (db) => {
      await markRemoved(inWorkspace(db, "wsp_a"), ids, { id: "rmv_1", dueAt: 1 });
      await db.updateTable("tests").set({ became: "bounce" }).execute();
    });
    expect(await store.write((db) => removeDue(db, ids, 1))).toEqual([]);
    expect(await listDueRemovals(store.read, 1, 10)).toEqual([]);
    expect(await store.read.selectFrom("tests").select("id").execute()).toHaveLength(1);
  });
});
