// What begins and ends a listing, and what doesn't.

import { expect, test } from "vitest";
import { openWatched, tests } from "./watched-world.ts";

const hourMs = 3_600_000;
const first = "9.113.0.203";
const listed = { [`${first}.bl.spamcop.net`]: { A: ["127.0.0.2"] } };

test("a list that is empty for hours ends no listing", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  await world.add(["203.0.113.9"]);
  const begin = world.clock.nowMs;
  for (let hour = 0; hour < 12; hour++) {
    world.clock.nowMs = begin + hour * hourMs;
    world.server.setZone(hour >= 4 && hour < 9 ? {} : { ...tests, ...listed });
    await world.run();
  }
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed"]);
});

test("a list of domains of one's own that is empty for hours ends no listing", async () => {
  const world = await openWatched(["names.example"]);
  await world.add(["shop.example"]);
  const begin = world.clock.nowMs;
  const entries = { "test.names.example": { A: ["127.0.0.2"] }, "shop.example.names.example": { A: ["127.0.0.2"] } };
  for (let hour = 0; hour < 12; hour++) {
    world.clock.nowMs = begin + hour * hourMs;
    world.server.setZone(hour >= 4 && hour < 9 ? {} : entries);
    await world.run();
  }
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed"]);
});
