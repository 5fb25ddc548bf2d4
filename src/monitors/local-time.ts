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
 * When clocks show this time on this day. Of a time that they show twice, it is the `first` or the `last`. A time that
 * they skip is first when they pass it, and last as much later as they are put forward.
 */
export function instantOf(
  day: LocalDay,
  time: string,
  timeZone: string,
  which: "first" | "last" = "last",
): number {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time));
  if (which === "last") return local.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds;
  const first = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const isSkipped = !first.toPlainDateTime().equals(local);
  const passed = isSkipped ? first.getTimeZoneTransition("next") : null;
  return (passed ?? first).epochMilliseconds;
}
