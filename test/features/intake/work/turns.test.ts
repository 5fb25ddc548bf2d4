import { expect, test } from "vitest";
import { createTurns } from "../../../../src/features/intake/work/turns.ts";

type Waiting = { readonly workspace: string; readonly turn: number; readonly number: number };

/** A queue that analyzes two messages a millisecond at most, in the order of their turns and then of arrival. */
function createQueue() {
  const turns = createTurns();
  const waiting: Waiting[] = [];
  let number = 0;
  return {
    receive: (workspace: string, now: number, count = 1) => {
      for (let index = 0; index < count; index += 1)
        waiting.push({ workspace, turn: turns.take(workspace, now), number: number++ });
    },
    analyze: (count: number) => {
      waiting.sort((a, b) => a.turn - b.turn || a.number - b.number);
      const claimed = waiting.splice(0, count);
      turns.noteClaimed(claimed.map(({ turn }) => turn));
      if (waiting.length === 0) turns.noteNothingWaits();
      return claimed.map(({ workspace }) => workspace);
    },
    isFuture: (now: number) => waiting.some(({ turn }) => turn > now),
  };
}

test("one message does not wait for ten thousand of another workspace", () => {
  const queue = createQueue();
  for (let ms = 0; ms < 1_000; ms += 1) queue.receive("flood", 1_000 + ms, 10);
  queue.analyze(64);
  queue.receive("single", 2_100);
  expect(queue.analyze(64)).toContain("single");
});

test("two workspaces with a backlog each get about half of the analysis", () => {
  const queue = createQueue();
  for (let ms = 0; ms < 500; ms += 1) queue.receive("early", 1_000 + ms);
  queue.analyze(10);
  for (let ms = 0; ms < 500; ms += 1) queue.receive("late", 1_600 + ms);
  const shares = queue.analyze(200).filter((workspace) => workspace === "late").length;
  expect(shares).toBeGreaterThan(80);
  expect(shares).toBeLessThan(120);
});

test("a single workspace's messages are analyzed in order of arrival, without waiting", () => {
  const turns = createTurns();
  const taken = [1_000, 1_000, 1_001, 1_050].map((now) => turns.take("one", now));
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  expect(taken.every((turn, index) => turn <= ([1_000, 1_000, 1_001, 1_050][index] ?? 0))).toBe(true);
});

test("no message is scheduled in the future, for any order of events", () => {
  const queue = createQueue();
  let now = 1_000;
  for (let step = 0; step < 2_000; step += 1) {
    now += step % 3;
    queue.receive(`w${step % 7}`, now, 1 + (step % 5));
    if (step % 4 === 0) queue.analyze(step % 11);
    expect(queue.isFuture(now)).toBe(false);
  }
});
