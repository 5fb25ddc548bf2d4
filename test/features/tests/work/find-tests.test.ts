import { expect, test } from "vitest";
import type { TestPage, TestQuestion } from "../../../../src/features/tests/rows/lists.ts";
import type { Total } from "../../../../src/features/tests/rows/totals.ts";
import { createTestFinder } from "../../../../src/features/tests/work/find-tests.ts";
import type { ReadBatch } from "../../../../src/platform/database/store.ts";

function createWorld(counted: Total) {
  let time = 0;
  const asked: TestQuestion[] = [];
  const readBatch = (async (_name: string, question: TestQuestion) => {
    asked.push(question);
    return { tests: [], next: "tst_1", left: null, counted: question.isCounted ? counted : null };
  }) as ReadBatch;
  const finder = createTestFinder({ store: { readBatch: readBatch }, system: { now: () => time } });
  return {
    asked,
    finder,
    pass: (ms: number) => {
      time += ms;
    },
    find: (words: string[] = ["sale"]) => finder.find("wsp_a", { limit: 1 }, { words }),
  };
}

test("a search runs once for its page and count, and the count is shared with simultaneous searches", async () => {
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

test("the total without filters is not cached, because it is a stored counter", async () => {
  const { asked, finder } = createWorld({ total: 7, isExact: true });
  for (let turn = 0; turn < 2; turn++) await finder.find("wsp_a", { limit: 1 }, { label: undefined });
  expect(asked.map(({ isCounted }) => isCounted)).toEqual([true, true]);
});

test("an exact total is counted again after seconds, an estimate after a minute, and both after deletions", async () => {
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

test("a total that contradicts its page is counted again, and is never less than its page", async () => {
  const tests = [{ id: "tst_1" }, { id: "tst_2" }] as unknown as TestPage["tests"];
  const totals: (Total | null)[] = [{ total: 0, isExact: true }, null, { total: 2, isExact: true }];
  const pages: TestPage["tests"][] = [[], tests, tests];
  const asked: boolean[] = [];
  const readBatch = (async (_name: string, { isCounted }: TestQuestion) => {
    asked.push(isCounted);
    return { tests: pages.shift() ?? tests, next: null, left: null, counted: totals.shift() ?? null };
  }) as ReadBatch;
  const { find } = createTestFinder({ store: { readBatch: readBatch }, system: { now: () => 0 } });
  const search = (limit = 9, offset = 0) => find("wsp_a", { limit, offset }, { words: ["sale"] });
  expect(await search()).toMatchObject({ tests: [], total: 0, totalIsExact: true });
  expect(await search()).toMatchObject({ tests, total: 2, totalIsExact: true });
  expect(asked).toEqual([true, false, true]);

  totals.push({ total: 0, isExact: false });
  const other = () => find("wsp_b", { limit: 2, offset: 3 }, { words: ["sale"] });
  expect(await other()).toMatchObject({ total: 5, totalIsExact: false });
  expect(await other()).toMatchObject({ total: 5, totalIsExact: false });
  expect(asked.slice(3)).toEqual([true, false]);
});

test("several pages that contradict a total cause a single count", async () => {
  const tests = [{ id: "tst_1" }] as unknown as TestPage["tests"];
  let counts = 0;
  const readBatch = (async (_name: string, { isCounted }: TestQuestion) => {
    const counted = isCounted ? { total: counts++, isExact: true } : null;
    await new Promise((done) => setTimeout(done, isCounted ? 20 : 0));
    return { tests: counts === 0 ? [] : tests, next: null, left: null, counted };
  }) as ReadBatch;
  const { find } = createTestFinder({ store: { readBatch: readBatch }, system: { now: () => 0 } });
  const search = () => find("wsp_a", { limit: 9 }, { words: ["sale"] });
  await search();
  const found = await Promise.all([search(), search(), search(), search()]);
  expect(found.map(({ total }) => total)).toEqual([1, 1, 1, 1]);
  expect(counts).toBe(2);
});

test("a failed count affects only its own request", async () => {
  const answers: PromiseWithResolvers<unknown>[] = [];
  const readBatch = (() => {
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise;
  }) as ReadBatch;
  const { find, forget } = createTestFinder({ store: { readBatch: readBatch }, system: { now: () => 0 } });
  const search = () => find("wsp_a", { limit: 9 }, { words: ["sale"] });
  const answer = (which: number, counted: Total | null) =>
    answers[which]?.resolve({ tests: [], next: "tst_1", left: null, counted });
  const [failing, waiting] = [search(), search()];
  forget("wsp_a");
  const since = search();
  answer(1, null);
  answer(2, { total: 7, isExact: true });
  answers[0]?.reject(new Error("The reading thread has ended."));
  await expect(failing).rejects.toThrow("ended");
  expect(await waiting).toMatchObject({ total: 0, totalIsExact: false });
  expect(await since).toMatchObject({ total: 7 });
  const last = search();
  answer(3, null);
  expect(await last).toMatchObject({ total: 7, totalIsExact: true });
});
