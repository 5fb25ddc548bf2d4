// What begins and ends a listing, and what doesn't.

import { expect, test } from "vitest";
import { noteAddress, removeOld } from "../../../src/features/own-addresses/rows.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { openWatched, tests } from "./watched-world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
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

test("the end of a listing raises its alert although the address is no longer in use", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  const begin = world.clock.nowMs;
  const learned = { id: `own_${"1".repeat(26)}`, value: "203.0.113.9", kind: "ipv4", origin: "tests" } as const;
  await world.store.write((db) => noteAddress(inWorkspace(db, world.asked.workspace), learned, begin));
  for (const day of [0, 29, 31, 34, 36, 37, 91, 404]) {
    world.clock.nowMs = begin + day * dayMs;
    world.server.setZone(day < 35 ? { ...tests, ...listed } : tests);
    await world.run();
    await world.store.write((db) => removeOld(db, world.clock.nowMs));
    const { listed: total, items } = await world.list();
    expect([day, total, items.length]).toEqual([day, day < 37 ? 1 : 0, day < 404 ? 1 : 0]);
  }
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed", "delisted"]);
});

test("an address that is no longer in use stays while it is listed", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  const begin = world.clock.nowMs;
  const learned = { id: `own_${"1".repeat(26)}`, value: "203.0.113.9", kind: "ipv4", origin: "tests" } as const;
  await world.store.write((db) => noteAddress(inWorkspace(db, world.asked.workspace), learned, begin));
  world.server.setZone({ ...tests, ...listed });
  for (const day of [0, 100]) {
    world.clock.nowMs = begin + day * dayMs;
    await world.run();
    await world.store.write((db) => removeOld(db, world.clock.nowMs));
  }
  expect((await world.list()).items).toMatchObject([
    { listings: [{ confirmedAt: new Date(begin + 100 * dayMs).toISOString(), until: null }] },
  ]);
});

test("two misses a minute apart end no listing", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  await world.add(["203.0.113.9"]);
  world.server.setZone({ ...tests, ...listed });
  await world.run();
  const row = await world.store.read.selectFrom("own_addresses").selectAll().executeTakeFirstOrThrow();
  // Its own minute is near when it is caught up.
  world.clock.nowMs = row.due_at + 3 * hourMs - minuteMs;
  world.server.setZone(tests);
  await world.run();
  world.clock.nowMs += minuteMs;
  await world.run();
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed"]);
  world.clock.nowMs += hourMs;
  await world.run();
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed", "delisted"]);
});

test("a clock that was ahead for a while doesn't stop the lookups", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  await world.add(["203.0.113.9"]);
  const begin = world.clock.nowMs;
  world.clock.nowMs = begin + 365 * dayMs;
  await world.run();
  world.clock.nowMs = begin + 2 * hourMs;
  world.server.setZone({ ...tests, ...listed });
  await world.run();
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed"]);
});

test("only what the lists take, and what is still looked up, counts as not looked up yet", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  const begin = world.clock.nowMs;
  const learned = { id: `own_${"1".repeat(26)}`, value: "203.0.113.10", kind: "ipv4", origin: "tests" } as const;
  await world.store.write((db) => noteAddress(inWorkspace(db, world.asked.workspace), learned, begin - 40 * dayMs));
  await world.add(["203.0.113.9", "2001:db8::25", "shop.example"]);
  expect((await world.list()).says).toBe("The first lookup of your 1 address is on its way.");
  await world.run();
  const { says, total } = await world.list();
  expect({ says, total }).toEqual({ says: "Your address isn’t on a list.", total: 4 });
});

test("a lost answer isn't a problem of the list, and three in a row are", async () => {
  let isSilent = false;
  const world = await openWatched(["bl.spamcop.net"], ({ name }) =>
    name.startsWith("30.113.0.203") || (isSilent && name.includes(".113.0.203.")) ? { drop: true } : undefined,
  );
  await world.add(["203.0.113.9", "203.0.113.10"]);
  await world.run();
  await world.add(["203.0.113.30"]);
  world.clock.nowMs += minuteMs;
  await world.run();
  const page = await world.list();
  expect(page.says).toBe("2 of 3 addresses looked up, none on a list.");
  expect(page.lists[0].problem).toBeNull();
  isSilent = true;
  for (let hour = 0; hour < 2; hour++) {
    world.clock.nowMs += hourMs;
    await world.run();
  }
  expect((await world.list()).lists[0].problem).toBe("It doesn’t answer");
});

test("a list that refuses isn't asked more often than its terms allow", async () => {
  const world = await openWatched(["bl.score.senderscore.com"]);
  world.server.setZone({ "*.bl.score.senderscore.com": { A: ["127.255.255.255"] } });
  await world.add(Array.from({ length: 200 }, (_, index) => `203.0.113.${index + 1}`));
  const begin = Math.ceil(world.clock.nowMs / hourMs) * hourMs;
  for (let minute = 0; minute <= 60; minute += 2) {
    world.clock.nowMs = begin + minute * minuteMs;
    await world.run();
  }
  const [list] = (await world.list("?limit=1")).lists;
  expect(list.lastHour).toBeLessThanOrEqual(list.perHour);
  expect(list.problem).toBe("It refuses queries from your resolver");
});

test("a listed domain is named once, not for each subdomain", async () => {
  const world = await openWatched(["multi.surbl.org"]);
  await world.add(["mail.shop.example", "shop.example", "news.shop.example", "news.esp.example"]);
  world.server.setZone({
    "test.multi.surbl.org": { A: ["127.0.0.254"] },
    "shop.example.multi.surbl.org": { A: ["127.0.0.8"] },
    "esp.example.multi.surbl.org": { A: ["127.0.0.8"] },
  });
  for (let hour = 0; hour < 3; hour++) {
    await world.run();
    world.clock.nowMs += 2 * hourMs;
  }
  const told = (await world.told()).map(({ address }) => address.value);
  expect(told.toSorted()).toEqual(["news.esp.example", "shop.example"]);
  const { items } = await world.list();
  expect(items.every(({ checkedAt }: { checkedAt: string | null }) => checkedAt !== null)).toBe(true);
});

test("a listing goes on if its list was off for a while", async () => {
  const world = await openWatched(["bl.spamcop.net"]);
  await world.add(["203.0.113.9"]);
  world.server.setZone({ ...tests, ...listed });
  const { dnsbls } = world.config;
  const { nowMs: begin } = world.clock;
  for (const lists of [dnsbls, [], dnsbls]) {
    Object.assign(world.config, { dnsbls: lists });
    await world.run();
    world.clock.nowMs += 2 * hourMs;
  }
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed"]);
  const [{ id, listings }] = (await world.list()).items;
  expect(listings).toMatchObject([{ since: new Date(begin).toISOString(), until: null }]);
  world.server.setZone(tests);
  for (let hour = 0; hour < 2; hour++) {
    await world.run();
    world.clock.nowMs += 2 * hourMs;
  }
  expect((await world.told()).map(({ state }) => state)).toEqual(["listed", "delisted"]);
  const { history } = (await world.ask("GET", `/api/own-addresses/${id}`, world.asked)).json;
  expect(history.length).toBe(1);
});
