import { expect, test } from "vitest";
import { createAnalysisPace } from "../../../../src/features/tests/work/queue.ts";

function createWorld() {
  let nowMs = 1_000;
  const pace = createAnalysisPace(() => nowMs);
  /** A turn of the analyser, and what comes meanwhile. */
  const work = (came: number, tookMs: number, analysed = 64) => {
    for (let count = 0; count < came; count++) pace.noteArrival();
    for (let count = 0; count < analysed; count++) pace.noteAnalysed();
    nowMs += tookMs;
    return pace.restMs();
  };
  const pass = (ms: number) => {
    nowMs += ms;
    return pace.restMs();
  };
  return { work, pass, noteNothingWaits: pace.noteNothingWaits };
}

test("rests three times as long as it worked, while twice as much comes in as is analysed", () => {
  const { work, pass } = createWorld();
  expect(work(128, 50)).toBe(150);
  expect(pass(100)).toBe(50);
  expect(pass(50)).toBe(0);
  expect(work(300, 80)).toBe(240);
});

test("never rests for what can be analysed as it comes, nor for a handful that came together", () => {
  const { work } = createWorld();
  expect(work(100, 50)).toBe(0);
  expect(work(60, 50, 10)).toBe(0);
  expect(work(0, 50)).toBe(0);
});

test("rests once a turn, and not for what came while it rested", () => {
  const { work, pass } = createWorld();
  expect(work(500, 50)).toBe(150);
  expect(work(500, 150, 0)).toBe(0);
  expect(work(20, 50)).toBe(0);
  expect(pass(1_000)).toBe(0);
});

test("rests so briefly that a report is hardly late where the burst is over", () => {
  const { work } = createWorld();
  expect(work(500, 5_000)).toBe(300);
});

test("works on where a burst does not end, and rests again in the next one", () => {
  const { work, pass, noteNothingWaits } = createWorld();
  let restedMs = 0;
  for (let turn = 0; turn < 100; turn++) {
    const restMs = work(500, 50);
    restedMs += restMs;
    pass(restMs);
  }
  expect(restedMs).toBe(5_000);
  noteNothingWaits();
  expect(work(500, 50)).toBe(150);
});
