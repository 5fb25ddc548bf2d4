// Quiet hours of alerts, which repeat every week.

import { instantOf, type LocalDay, localDayOf, type Weekday, weekdayOf, weekdays } from "./local-time.ts";

/** `to` at or before `from` is on the next day. */
type WeeklySpan = {
  /** The days on which it begins. */
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
};

export type QuietHours = Omit<WeeklySpan, "days"> & {
  /** All days, if left out. */
  readonly days?: readonly Weekday[] | undefined;
  /** Alerts about monitors are sent at once. */
  readonly wakeForMonitors: boolean;
};

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

/** When quiet hours that cover this time end. Null if there are none. */
export function endOfQuiet(quiet: QuietHours, at: number): number | null {
  return endOfSpan({ ...quiet, days: quiet.days ?? weekdays }, at);
}

/** The column's text. */
export function readQuietHours(text: string | null): QuietHours | null {
  return text === null ? null : (JSON.parse(text) as QuietHours);
}
