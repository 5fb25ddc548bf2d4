// Times of day in a time zone, also on the days when its clocks change.

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

export type LocalDay = Temporal.PlainDate;

export function localDayOf(at: number, timeZone: string): LocalDay {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}

export function weekdayOf(day: LocalDay): Weekday {
  return weekdays[day.dayOfWeek - 1] ?? "mon";
}

/**
 * When clocks show this time on this day. A time that the clocks skip is as much later as they are put forward. A time
 * that they show twice is the `first` or the `last` of the two.
 */
export function instantOf(
  day: LocalDay,
  time: string,
  timeZone: string,
  which: "first" | "last" = "last",
): number {
  const disambiguation = which === "first" ? "compatible" : "later";
  return day.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone, { disambiguation })
    .epochMilliseconds;
}
