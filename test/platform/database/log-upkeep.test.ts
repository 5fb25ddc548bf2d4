import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/platform/database/engine/sqlite-database.ts";
import { commitsToLook, createLogUpkeep, longLog } from "../../../src/platform/database/sqlite.ts";
import { openSqliteStore, temporaryFolder } from "./temporary.ts";

const pageBytes = 4_096;

test("a long write-ahead log is moved into the file by a thread, and restarts", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const { sqlite } = await openSqliteStore(file);
  const add = (megabytes: number) =>
    sqlite.writeRaw((raw) =>
      raw.run("insert into meta values (hex(randomblob(8)), hex(zeroblob(?)))", [megabytes * 500_000]),
    );
  for (let written = 0; written * 1_000_000 < longLog * pageBytes; written++) await add(1);
  expect(statSync(file).size).toBeLessThan(4_000_000);
  await vi.waitFor(async () => {
    await add(0);
    expect(statSync(file).size).toBeGreaterThan(longLog * pageBytes);
    expect(logOf(file)).toBeLessThan(longLog / 2);
  }, 60_000);
});

test("the log never grows forever if a thread can't move it", async () => {
  const { database, of } = fakeLog();
  const moveAside = vi.fn(async () => {
    throw new Error("No thread can be started.");
  });
  const commit = committing(createLogUpkeep(database, moveAside));
  of.log = longLog;
  await commit();
  await nextRound();
  await commit();
  expect(moveAside).toHaveBeenCalledTimes(1);
  of.log = 2 * longLog;
  await commit();
  expect(moveAside).toHaveBeenCalledTimes(2);
});

test("the log is moved once by the thread, and the rest by the store", async () => {
  const { database, of } = fakeLog();
  let moved = () => {};
  const moveAside = vi.fn(() => new Promise<void>((resolve) => (moved = resolve)));
  const commit = committing(createLogUpkeep(database, moveAside));
  of.log = longLog - 1;
  await commit();
  expect(moveAside).not.toHaveBeenCalled();
  of.log = longLog;
  await commit();
  of.log += 10;
  await commit();
  expect(moveAside).toHaveBeenCalledTimes(1);
  expect(of.moves).toBe(0);
  moved();
  await nextRound();
  await commit();
  expect(of.moves).toBe(1);
  // It restarted and is long again.
  of.log = longLog;
  await commit();
  expect(moveAside).toHaveBeenCalledTimes(2);
});

test("a log that a reader needs is moved later, after it has doubled", async () => {
  const { database, of } = fakeLog();
  of.pinned = true;
  const moveAside = vi.fn(async () => {});
  const commit = committing(createLogUpkeep(database, moveAside));
  const commitAt = async (log: number) => {
    of.log = log;
    await commit();
    await nextRound();
    await commit();
  };
  await commitAt(longLog);
  await commitAt(2 * longLog - 1);
  expect(moveAside).toHaveBeenCalledTimes(1);
  await commitAt(2 * longLog);
  expect(moveAside).toHaveBeenCalledTimes(2);
});

/** As many commits as there are between two checks. */
function committing(afterCommit: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (let commit = 0; commit < commitsToLook; commit++) await afterCommit();
  };
}

/** A log with the given number of pages. */
function fakeLog() {
  const of = { log: 0, pinned: false, moves: 0 };
  const all = (sql: string) => {
    if (sql.includes("passive")) of.moves += 1;
    return [{ busy: 0, log: of.log, checkpointed: sql.includes("passive") && !of.pinned ? of.log : 0 }];
  };
  return { of, database: { all } as unknown as Parameters<typeof createLogUpkeep>[0] };
}

function logOf(file: string): number {
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  const [state] = database.all<{ log: number }>("pragma wal_checkpoint(noop)");
  database.close();
  return state?.log ?? 0;
}
