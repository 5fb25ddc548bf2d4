// Spans of time that repeat every week, or occur once: maintenance windows of monitors, and quiet hours of alerts.

import { instantOf, type LocalDay, localDayOf, type Weekday, weekdayOf, weekdays } from "./local-time.ts";

/** `to` at or before `from` is on the next day. */
type WeeklySpan = {
  /** The days on which it begins. */
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
};

export type MaintenanceWindow =
  | { readonly type: "once"; readonly from: string; readonly to: string }
  | ({ readonly type: "weekly" } & WeeklySpan);

export type QuietHours = Omit<WeeklySpan, "days"> & {
  /** All days, if left out. */
  readonly days?: readonly Weekday[] | undefined;
  /** Alerts about monitors are sent at once. */
  readonly wakeForMonitors: boolean;
};

export const maxMaintenanceWindows = 20;

/** When the span that covers this time ends. Null if none does. */
export function endOfSpan(span: WeeklySpan, at: number): number | null {
  const today = localDayOf(at, span.timeZone);
  // A span of the day before may last until now.
  for (const day of [today.subtract({ days: 1 }), today]) {
    const { from, to } = instantsOf(span, day);
    if (span.days.includes(weekdayOf(day)) && from <= at && at < to) return to;
  }
  return null;
}

function instantsOf({ from, to, timeZone }: WeeklySpan, day: LocalDay) {
  const last = to > from ? day : day.add({ days: 1 });
  return { from: instantOf(day, from, timeZone, "first"), to: instantOf(last, to, timeZone, "last") };
}

const mostAdjoining = 100;
/** Longer than a week, after which every weekly span has begun once. */
const mostDays = 9;

/** When maintenance ends that covers this time. Windows that adjoin count as one. Null if there is none. */
export function endOfMaintenance(windows: readonly MaintenanceWindow[], at: number): number | null {
  let end: number | null = null;
  for (let step = 0; step < mostAdjoining; step++) {
    const next = Math.max(...windows.map((window) => endOf(window, end ?? at) ?? Number.NEGATIVE_INFINITY));
    if (next === Number.NEGATIVE_INFINITY) return end;
    end = next;
  }
  return end;
}

/** It never opens again. */
export function isOver(window: MaintenanceWindow, at: number): boolean {
  return window.type === "once" && Date.parse(window.to) <= at;
}

function endOf(window: MaintenanceWindow, at: number): number | null {
  if (window.type === "weekly") return endOfSpan(window, at);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  return from <= at && at < to ? to : null;
}

/** Whether one of the windows was open at some time between these two. */
export function touchesMaintenance(windows: readonly MaintenanceWindow[], from: number, to: number): boolean {
  return windows.some((window) =>
    window.type === "once"
      ? Date.parse(window.from) <= to && Date.parse(window.to) > from
      : touchesSpan(window, from, to),
  );
}

function touchesSpan(span: WeeklySpan, from: number, to: number): boolean {
  const last = localDayOf(to, span.timeZone);
  // A span of the day before may last until then.
  let day = localDayOf(from, span.timeZone).subtract({ days: 1 });
  for (let step = 0; step <= mostDays && day.until(last).sign >= 0; step++) {
    const instants = instantsOf(span, day);
    if (span.days.includes(weekdayOf(day)) && instants.from <= to && instants.to > from) return true;
    day = day.add({ days: 1 });
  }
  return false;
}

/** When quiet hours that cover this time end. Null if there are none. */
export function endOfQuiet(quiet: QuietHours, at: number): number | null {
  return endOfSpan({ ...quiet, days: quiet.days ?? weekdays }, at);
}

/** The column's text. */
export function readMaintenance(text: string | null): readonly MaintenanceWindow[] {
  return text === null ? [] : (JSON.parse(text) as MaintenanceWindow[]);
}

export function readQuietHours(text: string | null): QuietHours | null {
  return text === null ? null : (JSON.parse(text) as QuietHours);
}
