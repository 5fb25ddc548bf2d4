import { expect, test } from "vitest";
import { isTimeZone, lastDays } from "../../../src/analyzer/reports/sums.ts";

const hours = (now: string, timeZone: string, count: number) => {
  const days = lastDays(Date.parse(now), timeZone, count + 1);
  return days.slice(0, -1).map(({ date, beginsAt }, at) => {
    const next = days[at + 1]?.beginsAt ?? 0;
    return `${date} from ${new Date(beginsAt).toISOString().slice(11, 16)} for ${(next - beginsAt) / 3_600_000} h`;
  });
};

test("a day has 25 hours when summer time ends and 23 when it begins", () => {
  expect(hours("2026-10-26T12:00:00Z", "Europe/Berlin", 2)).toEqual([
    "2026-10-24 from 22:00 for 24 h",
    "2026-10-25 from 22:00 for 25 h",
  ]);
  expect(hours("2027-03-29T12:00:00Z", "Europe/Berlin", 2)).toEqual([
    "2027-03-27 from 23:00 for 24 h",
    "2027-03-28 from 23:00 for 23 h",
  ]);
});

test("days begin at midnight of the time zone, with quarter-hour offsets too", () => {
  expect(hours("2026-11-21T18:20:00Z", "Asia/Kathmandu", 1)).toEqual(["2026-11-21 from 18:15 for 24 h"]);
  expect(lastDays(Date.parse("2026-11-21T18:20:00Z"), "Asia/Kathmandu", 1)).toEqual([
    { date: "2026-11-22", beginsAt: Date.parse("2026-11-21T18:15:00Z") },
  ]);
  expect(lastDays(Date.parse("2026-11-21T18:14:59.999Z"), "Asia/Kathmandu", 1)[0]?.date).toBe("2026-11-21");
  expect(hours("2026-11-21T12:00:00Z", "Pacific/Apia", 1)).toEqual(["2026-11-21 from 11:00 for 24 h"]);
});

test("a day that a time zone skipped is left out", () => {
  expect(hours("2012-01-01T12:00:00Z", "Pacific/Apia", 3)).toEqual([
    "2011-12-29 from 10:00 for 24 h",
    "2011-12-31 from 10:00 for 24 h",
    "2012-01-01 from 10:00 for 24 h",
  ]);
});

test("a day begins at its first moment if midnight is skipped", () => {
  // Santiago goes from 23:59:59 to 01:00 on 2026-09-06.
  expect(hours("2026-09-08T12:00:00Z", "America/Santiago", 2)).toEqual([
    "2026-09-06 from 04:00 for 23 h",
    "2026-09-07 from 03:00 for 24 h",
  ]);
});

test("every time zone of this runtime is valid and begins its days on a quarter of an hour", () => {
  for (const zone of [...Intl.supportedValuesOf("timeZone"), "UTC", "europe/berlin"]) {
    expect(isTimeZone(zone), zone).toBe(true);
    for (const { beginsAt } of lastDays(Date.parse("2026-11-21T12:00:00Z"), zone, 30))
      expect(beginsAt % 900_000, zone).toBe(0);
  }
});

test.each(["", "Nowhere/Town", "+05:45", "-01", "2026-01-01T00:00[Europe/Berlin]", "__proto__", "a".repeat(70)])(
  "%j is not a time zone",
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);
