import { expect, test } from "vitest";
import { type Chore, createChoreRunner } from "../../../src/platform/work/chores.ts";
import { testSystem } from "../../test-system.ts";
import { eachDialect } from "../database/each-dialect.ts";

const hourMs = 3_600_000;

eachDialect("scheduled chores", (open) => {
  test("scheduled chores are run by one of several processes, and again when they are due", async () => {
    const system = testSystem({ now: 1_000 });
    const done: string[] = [];
    const runnerOf = async (owner: string) => {
      const chore: Chore = { id: "sweep", everyMs: hourMs, run: async () => void done.push(owner) };
      return createChoreRunner({ store: await open(), system, owner, chores: [chore] });
    };
    const runners = await Promise.all(["first", "second"].map(runnerOf));
    for (const runner of runners) await runner.start();
    await Promise.all(runners.map((runner) => runner.stop(5_000)));
    expect(done).toHaveLength(1);
    system.advance(hourMs);
    const later = await runnerOf("third");
    await later.start();
    await later.stop(5_000);
    expect(done).toHaveLength(2);
    expect(done[1]).toBe("third");
  });

  test("scheduled chores that fail are logged with the reason, and run again", async () => {
    const system = testSystem({ now: 1_000 });
    const store = await open();
    const chore: Chore = { id: "sweep", everyMs: hourMs, run: () => Promise.reject(new Error("no broom")) };
    const runner = createChoreRunner({ store, system, owner: "first", chores: [chore] });
    await runner.start();
    await runner.stop(5_000);
    const [row] = await store.read.selectFrom("chores").selectAll().execute();
    expect(row).toMatchObject({ last_error: "no broom", due_at: 1_000 + hourMs, claimed_by: null });
    expect(system.logged).toMatchObject([{ level: "error", message: "chore failed" }]);
  });

  test("scheduled chores that a shutdown interrupts are due again, without a failure", async () => {
    const system = testSystem({ now: 1_000 });
    const store = await open();
    const began = Promise.withResolvers<void>();
    const run = async (stopping: AbortSignal) => {
      began.resolve();
      await new Promise((resolve) => stopping.addEventListener("abort", resolve));
      system.advance(5_000);
      stopping.throwIfAborted();
    };
    const chores: Chore[] = [{ id: "sweep", everyMs: hourMs, run }];
    const runner = createChoreRunner({ store, system, owner: "first", chores });
    await runner.start();
    await began.promise;
    await runner.stop(5_000);
    const [row] = await store.read.selectFrom("chores").selectAll().execute();
    expect(row).toMatchObject({ last_error: null, due_at: 1_000, claimed_by: null });
    expect(system.logged).toMatchObject([{ level: "debug", message: "chore stopped" }]);
  });

  test("scheduled chores that stopped before their end are due immediately", async () => {
    const system = testSystem({ now: 1_000 });
    const store = await open();
    const chore: Chore = { id: "sweep", everyMs: hourMs, run: async () => {}, hasMore: async () => true };
    const runner = createChoreRunner({ store, system, owner: "first", chores: [chore] });
    await runner.start();
    await runner.stop(5_000);
    const [row] = await store.read.selectFrom("chores").select("due_at").execute();
    expect(row).toEqual({ due_at: 1_000 });
  });

  test("scheduled chores name their failing rows, even if a chore before them has many", async () => {
    const system = testSystem({ now: 1_000 });
    const store = await open();
    const toChore = (id: string, rows: number): Chore => ({
      id,
      everyMs: hourMs,
      run: async (_stopping, serve) => {
        for (let row = 0; row < rows; row++) await serve(`row ${row}`, () => Promise.reject(new Error("no broom")));
      },
    });
    const chores = [toChore("mop", 30), toChore("sweep", 1)];
    const runner = createChoreRunner({ store, system, owner: "first", chores });
    await runner.start();
    await runner.stop(5_000);
    expect(system.logged).toContainEqual(expect.objectContaining({ fields: { chore: "sweep", row: "row 0" } }));
  });
});
