// Times of day in a time zone, also on the days when its clocks change.

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
type Weekday = (typeof weekdays)[number];

type LocalDay = Temporal.PlainDate;

export function localDayOf(at: number, timeZone: string): LocalDay {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}

export function weekdayOf(day: LocalDay): Weekday {
  return weekdays[day.dayOfWeek - 1] ?? "mon";
}

/**
 * When clocks show this time on this day. Of a time that they show twice, it is the last. A time that they skip is as much
 * later as they are put forward.
 */
export function instantOf(day: LocalDay, time: string, timeZone: string): number {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time));
  return local.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds;
}
