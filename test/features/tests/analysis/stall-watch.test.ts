import { expect, test } from "vitest";
import { createStallWatch } from "../../../../src/features/tests/analysis/stall-watch.ts";

const limits = { deadlineMs: 100, ceilingMs: 10_000 };

function watchJobs(...ids: number[]) {
  const watch = createStallWatch(limits);
  for (const id of ids) watch.begin(id, 0);
  return watch;
}

test("a job that uses its processor time without progress has stalled", () => {
  const watch = watchJobs(1, 2);
  expect(watch.note({ at: 50, usedMs: 1_000, progress: 0 })).toBeNull();
  expect(watch.note({ at: 140, usedMs: 1_099, progress: 0 })).toBeNull();
  expect(watch.note({ at: 150, usedMs: 1_100, progress: 0 })).toBe(1);
});

test("waiting for processor time doesn't count before the maximum time", () => {
  const watch = watchJobs(1);
  watch.note({ at: 10, usedMs: 5, progress: 0 });
  for (const at of [1_000, 5_000, 9_999]) {
    expect(watch.note({ at, usedMs: null, progress: 0 })).toBeNull();
    expect(watch.note({ at, usedMs: 6 + at / 200, progress: 0 })).toBeNull();
  }
  expect(watch.note({ at: 10_000, usedMs: null, progress: 0 })).toBe(1);
});

test("many jobs together may use more than one deadline while the thread makes progress", () => {
  const watch = watchJobs(1, 2, 3);
  for (let round = 0; round < 5; round++)
    expect(watch.note({ at: round * 99, usedMs: round * 99, progress: round })).toBeNull();
});

test("a job that never ends has stalled, even if the thread makes progress with others", () => {
  const watch = watchJobs(1);
  for (let round = 0; round < 10; round++) {
    watch.begin(2 + round, round * 50);
    expect(watch.note({ at: round * 50, usedMs: round * 50, progress: round })).toBeNull();
    watch.end(2 + round);
  }
  expect(watch.note({ at: 500, usedMs: 500, progress: 10 })).toBe(1);
});

test("a finished job is forgotten", () => {
  const watch = watchJobs(1);
  watch.note({ at: 0, usedMs: 0, progress: 0 });
  watch.end(1);
  expect(watch.note({ at: 20_000, usedMs: 20_000, progress: 0 })).toBeNull();
});
