import { Agent, get } from "node:http";
import { nextTick } from "node:process";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createCallYielding } from "../../../src/platform/http/yield-between-calls.ts";
import { startHttpWorld } from "../../http/http-world.ts";

/** Calls whose way each takes so many milliseconds of a clock that nothing else moves. */
function createWorld() {
  let nowMs = 0;
  const runInWriteContext = createCallYielding(() => nowMs);
  const seen: string[] = [];
  const run = async (name: string, takesMs: number) => {
    await runInWriteContext();
    seen.push(name);
    nowMs += takesMs;
  };
  /** The next comes when this one has done what it does at once. */
  const come = async (name: string, takesMs: number) => {
    void run(name, takesMs);
    await new Promise<void>((resolve) => nextTick(resolve));
  };
  const comeAtOnce = async (names: readonly string[], takesMs: number) => {
    for (const name of names) void run(name, takesMs);
    for (const _ of names) await new Promise<void>((resolve) => nextTick(resolve));
  };
  const pass = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      seen.push("|");
      await nextRound();
    }
    return seen.join(" ");
  };
  return { come, comeAtOnce, pass };
}

test("one turn of the event loop runs calls for five milliseconds", async () => {
  const { come, pass } = createWorld();
  for (const [name, takesMs] of [
    ["a1", 2],
    ["b1", 2],
    ["c1", 3],
    ["a2", 4],
    ["b2", 4],
    ["c2", 9],
    ["a3", 1],
  ] as const)
    await come(name, takesMs);
  expect(await pass(4)).toBe("a1 b1 c1 | a2 b2 | c2 | a3 |");
});

test("simultaneous calls share turns of the event loop like others", async () => {
  const { comeAtOnce, pass } = createWorld();
  await comeAtOnce(["a1", "b1", "a2", "b2", "c1"], 3);
  expect(await pass(3)).toBe("a1 b1 | a2 b2 | c1 |");
});

test("calls start in the order in which they arrived", async () => {
  const { come, pass } = createWorld();
  for (const name of ["b1", "a1", "a2", "a3", "c1", "b2"]) await come(name, 5);
  await pass(2);
  await come("a4", 5);
  expect(await pass(4)).toBe("b1 | a1 | a2 | a3 | c1 | b2 | a4");
});

test("a health check that arrives with many calls waits for only a few of them", async () => {
  const { base } = await startHttpWorld();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = (path: string) =>
    new Promise<void>((answered, fail) => {
      get(base + path, { agent }, (answer) => answer.resume().on("end", answered)).on("error", fail);
    });
  await Promise.all(Array.from({ length: 31 }, () => ask("/healthz"))); // so that all are connected
  const order: string[] = [];
  const note = (path: string) => ask(path).then(() => void order.push(path));
  // Each takes a millisecond or more of the main thread.
  const calls = Array.from({ length: 30 }, () => note("/api/openapi.json"));
  await Promise.all([...calls, note("/healthz")]);
  expect(order.indexOf("/healthz")).toBeLessThan(15);
});
