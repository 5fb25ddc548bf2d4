import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { type DateFault, parseMailDate } from "../../../../src/analyzer/mail/headers/date.ts";

const ten = "2026-11-21T10:00:00.000Z";

test.each<[text: string, at: string, offsetMinutes: number | null, ...faults: DateFault[]]>([
  ["Sat, 21 Nov 2026 10:00:00 +0000", ten, 0],
  ["21 Nov 2026 10:00 +0000", ten, 0],
  [" Sat, 21 Nov 2026\r\n 11:00:00 +0100 (CET)", ten, 60],
  ["Sat, 21 Nov 2026 10:00:00 -0000", ten, null],
  ["sAT, 21 nOV 2026 10:00:00 +0000", ten, 0],
  ["Fri, 20 Nov 2026 20:00:00 -1400", ten, -840],
  ["Sun, 22 Nov 2026 00:00:00 +1400", ten, 840],
  ["Sat, 21 Nov 2026 09:59:60 +0000", ten, 0],
  ["Sat (it is) , (the) 21 (st of) Nov 2026 10(h):00:00 (\\) nested (twice)) +0000", ten, 0],
  ["Sat, 21 Nov 26 10:00:00 GMT", ten, 0, "obsolete"],
  ["Sat, 21 Nov 126 10:00:00 +0000", ten, 0, "obsolete"],
  ["21 Nov 98 10:00:00 UT", "1998-11-21T10:00:00.000Z", 0, "obsolete"],
  ["21 Nov 49 10:00:00 UT", "2049-11-21T10:00:00.000Z", 0, "obsolete"],
  ["Sat, 21 Nov 2026 05:00:00 EST", ten, -300, "obsolete"],
  ["Sat, 21 Nov 2026 03:00:00 PDT", ten, -420, "obsolete"],
  ["Sat, 21 Nov 2026 10:00:00 Z", ten, 0, "obsolete"],
  ["Sat, 21 Nov 2026 10 : 00 : 00 +0000", ten, 0],
  ["Fri, 21 Nov 2026 10:00:00 +0000", ten, 0, "weekday"],
  ["Sat, 21 Nov 2026 9:00:00 -0100", ten, -60, "form"],
  ["Saturday, 21 November 2026 10:00:00 +0000", ten, 0, "form"],
  ["Sat, 21-Nov-2026 10:00:00 GMT", ten, 0, "form"],
  ["Sat, 21 Nov 2026 12:00:00 +02:00", ten, 120, "form"],
  ["Sat, 21 Nov 2026 11:00:00 +0100 CET", ten, 60, "form"],
  ["Sat Nov 21 10:00:00 GMT 2026", ten, 0, "form"],
  ["Sat Nov 21 05:00:00 2026 -0500", ten, -300, "form"],
  ["2026-11-21T10:00:00Z", ten, 0, "form"],
  ["2026-11-21 10:00:00.123456789 +0000 UTC m=+12.5", ten, 0, "form"],
  ["29 Feb 2028 00:00:00 +0000", "2028-02-29T00:00:00.000Z", 0],
])("the date %s is parsed", (text, at, offsetMinutes, ...faults) => {
  const reading = parseMailDate(text);
  expect(reading).toMatchObject({ ok: true, date: { offsetMinutes, zoneIsGuess: false, faults } });
  expect(reading.ok && new Date(reading.date.at).toISOString()).toBe(at);
});

test.each(["A", "J", "CET", "XYZZY"])("the zone %s has no meaning, so the time is a guess", (zone) => {
  expect(parseMailDate(`Sat, 21 Nov 2026 10:00:00 ${zone}`)).toMatchObject({
    ok: true,
    date: { at: Date.parse(ten), offsetMinutes: null, zoneIsGuess: true },
  });
});

test.each([
  "",
  "yesterday",
  "2026/11/21",
  "Sat, 21 Nov 2026",
  "Sat, 21 Nov 2026 10:00:00",
  "Sat, 31 Nov 2026 10:00:00 +0000",
  "Sun, 29 Feb 2026 10:00:00 +0000",
  "Sat, 00 Nov 2026 10:00:00 +0000",
  "Sat, 21 Foo 2026 10:00:00 +0000",
  "Sat, 21 Nov 2026 24:00:00 +0000",
  "Sat, 21 Nov 2026 10:60:00 +0000",
  "Sat, 21 Nov 2026 10:00:61 +0000",
  "Sat, 21 Nov 2026 10:00:00 +1401",
  "Sat, 21 Nov 2026 10:00:00 +0060",
  "Sat, 21 Nov 0026 10:00:00 +0000",
  "Sat, 21 Nov 20260 10:00:00 +0000",
  "2026-13-21T10:00:00Z",
  "06 Jul 01 8:04:54 PM",
  "Sat, 21 Nov 2026 10:00:00 am",
  "(".repeat(400),
  `${" ".repeat(500)}Sat, 21 Nov 2026 10:00:00 +0000`,
])("%j is not a date", (text) => {
  expect(parseMailDate(text).ok).toBe(false);
});

test("any mix of date parts is parsed or rejected", () => {
  const dice = createDice(11);
  const letters = "0123456789 :,+-()\\;SatNovGMTZ.m=\t\r\n\0ÿ";
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: dice(60) }, () => letters[dice(letters.length)]).join("");
    const reading = parseMailDate(text);
    expect(reading.ok ? Number.isFinite(reading.date.at) : reading.problem).toBeTruthy();
  }
});
