import { expect, test } from "vitest";
import { createAnalysisPace } from "../../src/tasks/analysis-pace.ts";

function createWorld(mostWaiting = 10_000) {
  let nowMs = 1_000;
  const pace = createAnalysisPace({ clock: () => nowMs, mostWaiting });
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
  return { work, pass };
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

test("works on without a rest where half of the room for waiting messages is taken, until some of it is free", () => {
  const { work, pass } = createWorld(1_000);
  expect(work(500, 10)).toBe(30);
  expect(pass(30)).toBe(0);
  expect(work(700, 10)).toBe(0);
  expect(work(64, 10, 400)).toBe(0);
  expect(work(128, 10)).toBe(30);
});

test("a backlog that stood there before the start counts as none", () => {
  const { work } = createWorld(1_000);
  expect(work(0, 10, 5_000)).toBe(0);
  expect(work(900, 10)).toBe(30);
});
