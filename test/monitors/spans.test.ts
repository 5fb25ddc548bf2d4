import { describe, expect, test } from "vitest";
import { weekdays } from "../../src/monitors/local-time.ts";
import {
  endOfMaintenance,
  endOfQuiet,
  endOfSpan,
  type MaintenanceWindow,
  touchesMaintenance,
} from "../../src/monitors/spans.ts";

const at = (text: string) => Date.parse(text);
const shown = (end: number | null) => (end === null ? null : new Date(end).toISOString());
const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin", wakeForMonitors: false };

test.each([
  ["2026-11-23T20:59:59Z", null],
  ["2026-11-23T21:00:00Z", "2026-11-24T06:00:00.000Z"],
  ["2026-11-24T05:59:59Z", "2026-11-24T06:00:00.000Z"],
  ["2026-11-24T06:00:00Z", null],
  // The night in which clocks go back has an hour more.
  ["2026-10-24T20:00:00Z", "2026-10-25T06:00:00.000Z"],
  ["2027-03-27T21:00:00Z", "2027-03-28T05:00:00.000Z"],
])("quiet hours from 22:00 to 07:00 at %s end at %s", (now, end) => {
  expect(shown(endOfQuiet(night, at(now)))).toBe(end);
});

/** Clocks in Berlin go from 02:00 to 03:00 on 28 March 2027, and from 03:00 back to 02:00 on 31 October 2027. */
describe("at a clock change", () => {
  const quiet = (from: string, to: string, timeZone = "Europe/Berlin") => ({
    ...{ from, to, timeZone, wakeForMonitors: false },
  });

  test.each([
    // They begin in the hour that doesn't exist: when the clocks have passed it.
    ["02:30", "03:15", "2027-03-28T00:59:59Z", null],
    ["02:30", "03:15", "2027-03-28T01:00:00Z", "2027-03-28T01:15:00.000Z"],
    ["02:30", "03:15", "2027-03-28T01:15:00Z", null],
    ["02:30", "09:00", "2027-03-28T01:00:00Z", "2027-03-28T07:00:00.000Z"],
    // They end in it: as long after their beginning as on other days.
    ["22:00", "02:30", "2027-03-28T01:29:59Z", "2027-03-28T01:30:00.000Z"],
    ["22:00", "02:30", "2027-03-28T01:30:00Z", null],
    // They lie in it.
    ["02:10", "02:50", "2027-03-28T01:00:00Z", "2027-03-28T01:50:00.000Z"],
    // The hour that occurs twice is quiet both times.
    ["02:00", "03:00", "2027-10-30T23:59:59Z", null],
    ["02:00", "03:00", "2027-10-31T00:00:00Z", "2027-10-31T02:00:00.000Z"],
    ["02:00", "03:00", "2027-10-31T01:59:59Z", "2027-10-31T02:00:00.000Z"],
    ["22:00", "02:30", "2027-10-31T00:45:00Z", "2027-10-31T01:30:00.000Z"],
    ["22:00", "02:30", "2027-10-31T01:30:00Z", null],
    ["02:30", "09:00", "2027-10-31T00:29:59Z", null],
    ["02:30", "09:00", "2027-10-31T00:30:00Z", "2027-10-31T08:00:00.000Z"],
  ])("quiet hours from %s to %s at %s end at %s", (from, to, now, end) => {
    expect(shown(endOfQuiet(quiet(from, to), at(now)))).toBe(end);
  });

  test("the southern hemisphere and half an hour are no exception", () => {
    // Lord Howe Island puts its clocks forward by 30 minutes, from 02:00 to 02:30 on 3 October 2027.
    const lordHowe = quiet("02:15", "02:45", "Australia/Lord_Howe");
    expect(shown(endOfQuiet(lordHowe, at("2027-10-02T15:29:59Z")))).toBe(null);
    expect(shown(endOfQuiet(lordHowe, at("2027-10-02T15:30:00Z")))).toBe("2027-10-02T15:45:00.000Z");
  });

  test("quiet hours of Saturday night end on Sunday by the new time", () => {
    const saturday = { ...quiet("22:00", "07:00"), days: ["sat"] as const };
    expect(shown(endOfQuiet(saturday, at("2027-03-28T04:59:59Z")))).toBe("2027-03-28T05:00:00.000Z");
    expect(shown(endOfQuiet(saturday, at("2027-10-31T05:59:59Z")))).toBe("2027-10-31T06:00:00.000Z");
    expect(endOfQuiet(saturday, at("2027-10-31T21:30:00Z"))).toBe(null);
  });

  test("maintenance that begins in the missing hour is found", () => {
    const days = ["sun"] as const;
    const window: MaintenanceWindow = { type: "weekly", days, ...quiet("02:30", "03:15") };
    expect(shown(endOfMaintenance([window], at("2027-03-28T01:05:00Z")))).toBe("2027-03-28T01:15:00.000Z");
    expect(touchesMaintenance([window], at("2027-03-28T01:00:00Z"), at("2027-03-28T01:01:00Z"))).toBe(true);
  });
});

test("quiet hours of some days begin only on them", () => {
  const weekend = { ...night, days: ["fri", "sat"] as const };
  expect(shown(endOfQuiet(weekend, at("2026-11-28T05:00:00Z")))).toBe("2026-11-28T06:00:00.000Z");
  expect(shown(endOfQuiet(weekend, at("2026-11-30T05:00:00Z")))).toBe(null);
});

test("a span of a whole day ends where it begins", () => {
  const span = { days: weekdays, from: "00:00", to: "00:00", timeZone: "UTC" };
  expect(shown(endOfSpan(span, at("2026-11-23T12:00:00Z")))).toBe("2026-11-24T00:00:00.000Z");
});

test("maintenance windows that adjoin are one", () => {
  const windows: MaintenanceWindow[] = [
    { type: "once", from: "2026-11-23T10:00:00Z", to: "2026-11-23T12:00:00Z" },
    { type: "weekly", days: ["mon"], from: "12:00", to: "13:00", timeZone: "UTC" },
  ];
  expect(shown(endOfMaintenance(windows, at("2026-11-23T11:00:00Z")))).toBe("2026-11-23T13:00:00.000Z");
  expect(endOfMaintenance(windows, at("2026-11-23T09:00:00Z"))).toBe(null);
  expect(endOfMaintenance([], at("2026-11-23T11:00:00Z"))).toBe(null);
  // Always in maintenance, which must not take forever to find out.
  const always: MaintenanceWindow = {
    type: "weekly",
    days: weekdays,
    from: "00:00",
    to: "00:00",
    timeZone: "UTC",
  };
  expect(endOfMaintenance([always], at("2026-11-23T11:00:00Z"))).not.toBe(null);
});

test.each([
  ["2026-11-23T20:00:00Z", "2026-11-23T20:59:59Z", false],
  ["2026-11-23T20:59:00Z", "2026-11-23T21:01:00Z", true],
  ["2026-11-23T20:00:00Z", "2026-11-24T08:00:00Z", true],
  ["2026-11-24T05:00:00Z", "2026-11-24T05:01:00Z", true],
  ["2026-11-24T06:00:00Z", "2026-11-24T09:00:00Z", false],
  ["2026-11-24T09:00:00Z", "2026-12-24T09:00:00Z", true],
])("from %s to %s, maintenance on Monday night is touched: %s", (from, to, touched) => {
  const weekly: MaintenanceWindow = { type: "weekly", days: ["mon"], ...night };
  const once: MaintenanceWindow = { type: "once", from: "2026-11-23T21:00:00Z", to: "2026-11-24T06:00:00Z" };
  expect(touchesMaintenance([weekly], at(from), at(to))).toBe(touched);
  if (!from.startsWith("2026-11-24T09")) expect(touchesMaintenance([once], at(from), at(to))).toBe(touched);
});
