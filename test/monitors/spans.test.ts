import { expect, test } from "vitest";
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
