// Lists on a DNS server of our own, over thirty days: listings that come and go, and lists that refuse, are silent, or list
// everything for a while. And a thousand addresses over a few hours.

import { expect, test } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { readWatchedLists } from "../../../src/features/own-addresses/work/watch.ts";
import type { ServedQuery } from "../../dns-server.ts";
import { openWatched, tests, v6, v6Name, zones } from "./watched-world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const everything = (zone: string): Zone => ({ [`*.${zone}`]: { A: ["127.0.0.2"] } });
const everyone = (zone: string): Zone => ({ ...everything(zone), [`1.0.0.127.${zone}`]: { A: ["127.0.0.2"] } });

test("over 30 days, each listing raises one alert and each end another, and a list that refuses or lists everything raises none", async () => {
  let day = 0;
  const isSilent = ({ name }: ServedQuery) => name.endsWith("psbl.surriel.com") && day >= 12 && day < 15;
  const world = await openWatched(zones, (query) => (isSilent(query) ? { drop: true } : undefined));
  await world.add(["203.0.113.9", "203.0.113.10", v6, "shop.example"]);
  const first = "9.113.0.203";
  const begin = world.clock.nowMs;
  const listedOn: readonly (readonly [from: number, to: number, zone: Zone])[] = [
    [
      2,
      4,
      { [`${first}.bl.spamcop.net`]: { A: ["127.0.0.2"], TXT: ["Blocked \u001b[31m\u00e2\u0080\u00ae see spamcop"] } },
    ],
    [5, 9, { [`${first}.zen.spamhaus.org`]: { A: ["127.0.0.3"] } }],
    [6, 8, { [`${v6Name}.zen.spamhaus.org`]: { A: ["127.0.0.2"] } }],
    // Refusals, for everything asked.
    [10, 12, { "*.zen.spamhaus.org": { A: ["127.255.255.254"] } }],
    // A listing that lasts through three days of silence.
    [11, 16, { [`${first}.psbl.surriel.com`]: { A: ["127.0.0.2"] } }],
    [17, 18, everyone("bl.blocklist.de")],
    [17, 19, everything("bl.spamcop.net")],
    [20, 22, { "shop.example.dbl.spamhaus.org": { A: ["127.0.1.4"] } }],
    [24, 26, { [`${first}.bl.spamcop.net`]: { A: ["127.0.0.2"] } }],
    [28, 40, { [`${first}.zen.spamhaus.org`]: { A: ["127.0.0.4"] } }],
  ];
  for (let at = 0; at < 30 * dayMs; at += hourMs) {
    day = at / dayMs;
    world.clock.nowMs = begin + at;
    const now = listedOn.filter(([from, to]) => day >= from && day < to);
    // A mirror that lags misses one listing for a while.
    const lags = day > 6.5 && day < 6.515;
    world.server.setZone(
      Object.assign({}, tests, ...now.map(([, , zone]) => zone), lags && { [`${first}.zen.spamhaus.org`]: {} }),
    );
    await world.run();
  }
  const told = (await world.told()).map(({ at, address, state, listing }) => ({
    day: Math.floor((at - begin) / dayMs),
    says: `${address.value} ${state} ${listing.list}`,
  }));
  expect(told).toEqual([
    { day: 2, says: "203.0.113.9 listed SpamCop" },
    { day: 4, says: "203.0.113.9 delisted SpamCop" },
    { day: 5, says: "203.0.113.9 listed Spamhaus ZEN" },
    { day: 6, says: `${v6} listed Spamhaus ZEN` },
    { day: 8, says: `${v6} delisted Spamhaus ZEN` },
    { day: 9, says: "203.0.113.9 delisted Spamhaus ZEN" },
    { day: 11, says: "203.0.113.9 listed Passive Spam Block List" },
    { day: 16, says: "203.0.113.9 delisted Passive Spam Block List" },
    { day: 20, says: "shop.example listed Spamhaus DBL" },
    { day: 22, says: "shop.example delisted Spamhaus DBL" },
    { day: 24, says: "203.0.113.9 listed SpamCop" },
    { day: 26, says: "203.0.113.9 delisted SpamCop" },
    { day: 28, says: "203.0.113.9 listed Spamhaus ZEN" },
  ]);
  const page = await world.list();
  expect(page.says).toBe("203.0.113.9 is on Spamhaus ZEN. Stop the cause, then request removal.");
  expect(page.items[0]).toMatchObject({ value: "203.0.113.9", listings: [{ code: "127.0.0.4", until: null }] });
  const { history } = (await world.ask("GET", `/api/own-addresses/${page.items[0].id}`, world.asked)).json;
  expect(history.map(({ list }: { list: string }) => list)).toEqual([
    "Spamhaus ZEN",
    "SpamCop",
    "Passive Spam Block List",
    "Spamhaus ZEN",
    "SpamCop",
  ]);
  expect(history.at(-1).says).toBe("Blocked \\u001b[31m\\u202e see spamcop");
  if (process.env.LISTS_PROOF) console.log(page.lists, `${world.server.queries.length} queries in 30 days`);
}, 300_000);

test("a thousand addresses are looked up every hour, spread over it and within what each list allows", async () => {
  const lists = ["bl.spamcop.net", "zen.spamhaus.org", "dyna.spamrats.com"];
  const world = await openWatched(lists);
  const values = Array.from(
    { length: 1_000 },
    (_, index) => `198.51.${100 + Math.floor(index / 250)}.${(index % 250) + 1}`,
  ).map((value) => value.replace("198.51.10", "203.0.11"));
  await world.add(values);
  world.server.setZone({ ...tests, "2.0.0.127.dyna.spamrats.com": { A: ["127.0.0.2"] } });
  const begin = Math.ceil(world.clock.nowMs / hourMs) * hourMs;
  const perMinute: number[] = [];
  const hours = Array.from({ length: 8 }, (): Record<string, number> => ({}));
  for (let minute = 0; minute < 8 * 60; minute++) {
    world.clock.nowMs = begin + minute * minuteMs;
    const before = world.server.queries.length;
    await world.run();
    const asked = world.server.queries.slice(before);
    const hour = hours[Math.floor(minute / 60)] ?? {};
    for (const { name } of asked) {
      const zone = lists.find((each) => name.endsWith(each)) ?? name;
      hour[zone] = (hour[zone] ?? 0) + 1;
    }
    if (minute >= 120) perMinute.push(asked.filter(({ name }) => name.endsWith("bl.spamcop.net")).length);
  }
  if (process.env.LISTS_PROOF) console.log(hours, { most: Math.max(...perMinute), least: Math.min(...perMinute) });
  for (const hour of hours.slice(2)) {
    // Each once. Those of the last seconds of an hour come in the first minute of the next one.
    expect(hour["bl.spamcop.net"]).toBeGreaterThan(970);
    expect(hour["bl.spamcop.net"]).toBeLessThan(1_030);
  }
  for (const hour of hours) {
    expect(hour["bl.spamcop.net"]).toBeLessThanOrEqual(2_000);
    expect(hour["dyna.spamrats.com"]).toBeLessThanOrEqual(210);
  }
  expect(Math.max(...perMinute)).toBeLessThan(40);
  const names = new Set(world.server.queries.map(({ name }) => name).filter((name) => name.endsWith("spamrats.com")));
  expect(names.size).toBeGreaterThan(900);
  expect((await readWatchedLists(world.store.read))["bl.spamcop.net"]?.why).toBeNull();
  expect((await world.list("?limit=1")).total).toBe(1_000);
}, 300_000);
