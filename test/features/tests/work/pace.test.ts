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

test("the analysis rests three times as long as it worked, while mail arrives twice as fast", () => {
  const { work, pass } = createWorld();
  expect(work(128, 50)).toBe(150);
  expect(pass(100)).toBe(50);
  expect(pass(50)).toBe(0);
  expect(work(300, 80)).toBe(240);
});

test("the analysis never rests at a normal rate, or for a few messages at once", () => {
  const { work } = createWorld();
  expect(work(100, 50)).toBe(0);
  expect(work(60, 50, 10)).toBe(0);
  expect(work(0, 50)).toBe(0);
});

test("the analysis rests once per turn, and not for mail that arrived while it rested", () => {
  const { work, pass } = createWorld();
  expect(work(500, 50)).toBe(150);
  expect(work(500, 150, 0)).toBe(0);
  expect(work(20, 50)).toBe(0);
  expect(pass(1_000)).toBe(0);
});

test("the analysis rests only briefly, so reports after a burst are hardly late", () => {
  const { work } = createWorld();
  expect(work(500, 5_000)).toBe(300);
});

test("the analysis stops resting if a burst does not end, and rests again in the next one", () => {
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
