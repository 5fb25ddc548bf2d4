import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectGarbage } from "../../src/system/collect-garbage.ts";

test("what is no longer used is given back at once, although nothing else is allocated", async () => {
  const bytes = 50_000_000;
  const kept = { buffer: new ArrayBuffer(bytes) as ArrayBuffer | null };
  const before = process.memoryUsage().arrayBuffers;
  kept.buffer = null;
  await nextRound(); // the frame that made it is gone
  await collectGarbage();
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before - bytes / 2);
});
