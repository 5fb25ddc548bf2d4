import { expect, test } from "vitest";
import { createIntakeRoom } from "../../../src/tasks/intake/receive-message.ts";

function createWorld() {
  const world = { at: 0, backlog: 0, freeBytes: 1_000, looks: 0 };
  const room = createIntakeRoom({
    now: () => world.at,
    maxBacklog: 10,
    minFreeBytes: 500,
    countBacklog: async () => {
      world.looks += 1;
      return world.backlog;
    },
    readFreeBytes: async () => world.freeBytes,
  });
  return { world, room };
}

test("there is room until the backlog is full or the disk short, and again after", async () => {
  const { world, room } = createWorld();
  const after = (change: Partial<typeof world>) => {
    Object.assign(world, change, { at: world.at + 1_000 });
    return room();
  };
  expect(await room()).toBe(true);
  expect(await after({ backlog: 10 })).toBe(false);
  expect(await after({ backlog: 9 })).toBe(true);
  expect(await after({ freeBytes: 499 })).toBe(false);
  expect(await after({ freeBytes: 500 })).toBe(true);
});

test("a flood is not measured message by message", async () => {
  const { world, room } = createWorld();
  for (let message = 0; message < 1_000; message++) await room();
  expect(world.looks).toBe(1);
});
