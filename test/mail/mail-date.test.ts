import { expect, test } from "vitest";
import { parseMailDate } from "../../src/mail/mail-date.ts";

const at = (...time: [number, number, number, number, number?]) => Date.UTC(...time);

test.each([
  ["Sat, 21 Nov 2026 15:00:00 +0100", at(2026, 10, 21, 14), 60],
  ["21 Nov 2026 15:00 -0730", at(2026, 10, 21, 22, 30), -450],
  ["Sat, 21 Nov 2026 15:00:00 +0000 (GMT)", at(2026, 10, 21, 15), 0],
  ["Sat,  21  Nov\r\n 2026 15:00:00 GMT", at(2026, 10, 21, 15), 0],
  ["Sat, 21 Nov 26 10:00:00 EST", at(2026, 10, 21, 15), -300],
  ["Sat, 21 Nov 2026 15:00:00 -0000", at(2026, 10, 21, 15), null],
  ["Sat, 21 Nov 2026 15:00:00", at(2026, 10, 21, 15), null],
  ["sat, 21 nov 2026 15:00:00 +1400", at(2026, 10, 21, 1), 840],
])("%j is a date", (written, ms, offsetMinutes) => {
  expect(parseMailDate(written)).toMatchObject({ ms, offsetMinutes, weekdayFits: true });
});

test.each([
  "2026/11/21",
  "Sat, 31 Nov 2026 15:00:00 +0000",
  "Sat, 21 Nov 2026 24:00:00 +0000",
  "Sat, 21 Nov 2026 15:00:00 +1500",
  "Sat, 21 Foo 2026 15:00:00 +0000",
  "tomorrow",
  "",
])("%j is none", (written) => {
  expect(parseMailDate(written)).toMatchObject({ ms: null, written });
});

test("a day of the week that is not that day's is told", () => {
  expect(parseMailDate("Mon, 21 Nov 2026 15:00:00 +0000").weekdayFits).toBe(false);
});
