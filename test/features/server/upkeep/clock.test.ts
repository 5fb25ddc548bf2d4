import { expect, test } from "vitest";
import { type ClockState, judgeClock, mayDeleteByAge } from "../../../../src/features/server/upkeep/clock.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { testSystem } from "../../../test-system.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 10, 21);

/** Runs hourly from one clock time to another. */
function runHourly(state: ClockState | null, from: number, hours: number): ClockState {
  let next = state;
  for (let hour = 0; hour <= hours; hour += 1) next = judgeClock(next, null, from + hour * hourMs);
  if (next === null) throw new Error("no run");
  return next;
}

test("a server that runs continuously deletes by age", () => {
  expect(runHourly(null, start, 24 * 40).gap).toBe(null);
});

test("after a gap of three days, deletion waits for a day of running", () => {
  const before = runHourly(null, start, 5);
  const back = start + 3 * dayMs;
  expect(runHourly(before, back, 23).gap).not.toBe(null);
  expect(runHourly(before, back, 24).gap).toBe(null);
});

test("restarts do not count as running time", () => {
  let state = judgeClock(runHourly(null, start, 5), null, start + 3 * dayMs);
  for (let day = 0; day < 3; day += 1) state = judgeClock(state, null, state.at + 20 * hourMs);
  expect(state.gap).toMatchObject({ ranMs: 3 * 2 * hourMs });
});

test("correcting the clock ends the wait immediately", () => {
  const ahead = judgeClock(runHourly(null, start, 5), null, start + 300 * dayMs);
  expect(ahead.gap).not.toBe(null);
  expect(judgeClock(ahead, null, start + 7 * hourMs).gap).toBe(null);
});

test("the first run of this version compares with the newest message", () => {
  expect(judgeClock(null, start, start + 3 * dayMs).gap).not.toBe(null);
  expect(judgeClock(null, start, start + hourMs).gap).toBe(null);
});

test("one gap gives one warning, and the state survives a restart", async () => {
  const store = await openSqliteStore(`${temporaryFolder()}/assay.db`);
  const system = testSystem({ now: start });
  expect(await mayDeleteByAge(store, system)).toBe(true);
  const later = testSystem({ now: start + 3 * dayMs });
  expect(await mayDeleteByAge(store, later)).toBe(false);
  const soon = testSystem({ now: start + 3 * dayMs + hourMs });
  expect(await mayDeleteByAge(store, soon)).toBe(false);
  await store.close();
});
