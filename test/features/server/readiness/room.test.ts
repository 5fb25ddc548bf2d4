import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRoom } from "../../../../src/features/server/readiness/room.ts";

function createWorld() {
  const world = { at: 0, backlog: 0, freeBytes: 1_000, looks: 0, isDiskFull: false, isSole: false };
  const waiting = new Map<string, number>();
  const room = createRoom({
    now: () => world.at,
    maxBacklog: 10,
    minFreeBytes: 500,
    countBacklog: async () => {
      world.looks += 1;
      return world.backlog;
    },
    readShares: async () => ({ waiting, isSole: world.isSole }),
    readFreeBytes: async () => world.freeBytes,
    isDiskFull: () => world.isDiskFull,
  });
  const after = async (change: Partial<typeof world>, workspaceId?: string) => {
    Object.assign(world, change, { at: world.at + 1_000 });
    await room.hasRoom();
    await nextTurn(); // the shares are counted meanwhile
    return await room.hasRoom(workspaceId);
  };
  return { world, room, waiting, after };
}

test("mail is accepted until the backlog or disk is full, and again later, with a known reason", async () => {
  const { room, after } = createWorld();
  expect(await room.hasRoom()).toBe(true);
  expect(await after({ backlog: 10 })).toBe(false);
  expect(await room.readTroubles()).toEqual(["backlog_full"]);
  expect(await after({ backlog: 9 })).toBe(true);
  expect(await after({ freeBytes: 499 })).toBe(false);
  expect(await room.readTroubles()).toEqual(["disk_low"]);
  expect(await after({ freeBytes: 500 })).toBe(true);
  expect(await after({ isDiskFull: true })).toBe(false);
  expect(await room.readTroubles()).toEqual(["disk_full"]);
});

test("the disk and backlog are not measured for each message of a flood", async () => {
  const { world, room } = createWorld();
  for (let message = 0; message < 1_000; message++) await room.hasRoom("wsp_a");
  expect(world.looks).toBe(1);
});

test("a workspace may fill at most half of the free places for waiting messages", async () => {
  const { waiting, after } = createWorld();
  waiting.set("wsp_flood", 5).set("wsp_small", 1);
  expect(await after({ backlog: 6 }, "wsp_flood")).toBe(false);
  expect(await after({}, "wsp_small")).toBe(true);
  expect(await after({}, "wsp_new")).toBe(true);
  waiting.set("wsp_flood", 3);
  expect(await after({ backlog: 4 }, "wsp_flood")).toBe(true);
});

test("a single workspace may use the whole backlog", async () => {
  const { waiting, after } = createWorld();
  waiting.set("wsp_one", 9);
  expect(await after({ backlog: 9, isSole: true }, "wsp_one")).toBe(true);
});

test("problems can be read while the database is unreachable", async () => {
  const room = createRoom({
    now: () => 0,
    maxBacklog: 10,
    minFreeBytes: 500,
    countBacklog: () => Promise.reject(new Error("away")),
    readShares: () => Promise.reject(new Error("away")),
    readFreeBytes: async () => 100,
    isDiskFull: () => false,
  });
  expect(await room.readTroubles()).toEqual(["disk_low"]);
  await expect(room.hasRoom()).rejects.toThrow("away");
});
