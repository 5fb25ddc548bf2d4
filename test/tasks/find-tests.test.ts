import { expect, test } from "vitest";
import type { TestQuestion, Total } from "../../src/store/test-lists.ts";
import type { ReadWhole } from "../../src/store/whole-reads.ts";
import { createTestFinder } from "../../src/tasks/find-tests.ts";

function createWorld(counted: Total) {
  let time = 0;
  const asked: TestQuestion[] = [];
  const readWhole = (async (_name: string, question: TestQuestion) => {
    asked.push(question);
    return { tests: [], next: "tst_1", left: null, counted: question.isCounted ? counted : null };
  }) as ReadWhole;
  const finder = createTestFinder({ store: { readWhole }, system: { now: () => time } });
  return {
    asked,
    finder,
    pass: (ms: number) => {
      time += ms;
    },
    find: (words: string[] = ["sale"]) => finder.find("wsp_a", { limit: 1 }, { words }),
  };
}

test("a search is asked in one, and its count once by all who ask meanwhile and soon after", async () => {
  const { asked, find, pass } = createWorld({ total: 7, isExact: true });
  const found = await Promise.all([find(), find(), find(["other"])]);
  pass(4_000);
  found.push(await find());
  expect(found.map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual(Array(4).fill([7, true]));
  expect(asked.map(({ filter, isCounted }) => [filter.words, isCounted])).toEqual([
    [["sale"], true],
    [["sale"], false],
    [["other"], true],
    [["sale"], false],
  ]);
});

test("without filters the total is never remembered: it is a counter that is kept", async () => {
  const { asked, finder } = createWorld({ total: 7, isExact: true });
  for (let turn = 0; turn < 2; turn++) await finder.find("wsp_a", { limit: 1 }, { label: undefined });
  expect(asked.map(({ isCounted }) => isCounted)).toEqual([true, true]);
});

test("an exact total is counted anew after seconds, another after a minute, and both when tests went", async () => {
  for (const [isExact, ms] of [
    [true, 5_000],
    [false, 60_000],
  ] as const) {
    const { asked, find, pass, finder } = createWorld({ total: 7, isExact });
    await find();
    pass(ms - 1);
    await find();
    pass(1);
    await find();
    finder.forget("wsp_b");
    await find();
    finder.forget("wsp_a");
    await find();
    expect(asked.map(({ isCounted }) => isCounted)).toEqual([true, false, true, false, true]);
  }
});
