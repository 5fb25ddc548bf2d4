import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { giveBackMemory } from "../../../src/platform/system/give-back-memory.ts";
import { testSystem } from "../../test-system.ts";

test("unused memory is returned immediately, without further allocations", async () => {
  const bytes = 50_000_000;
  const kept = { buffer: new ArrayBuffer(bytes) as ArrayBuffer | null };
  const before = process.memoryUsage().arrayBuffers;
  kept.buffer = null;
  await nextRound(); // the frame that made it is gone
  await giveBackMemory(testSystem().log);
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before - bytes / 2);
});

// Elsewhere memory comes back in other ways.
test.runIf(process.platform === "linux")("memory between used pieces is returned too", async () => {
  // So small that the C library doesn't take a mapping for each.
  const pieces = Array.from({ length: 4_000 }, () => Buffer.alloc(50_000, 1));
  const used = process.memoryUsage.rss();
  // The last piece stays, so the C library cannot shorten its heap.
  pieces.splice(0, pieces.length - 1);
  await nextRound();
  await giveBackMemory(testSystem().log);
  expect(process.memoryUsage.rss()).toBeLessThan(used - 100_000_000);
  expect(pieces).toHaveLength(1);
});
