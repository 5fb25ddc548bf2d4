// Days as people in a time zone have them: of 23 or 25 hours where clocks change, and without those that a zone skipped.

export type Day = {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly beginsAt: number;
};

/** The last `count` days up to that of `now`, oldest first. */
export function lastDays(now: number, timeZone: string, count: number): Day[] {
  const days: Day[] = [];
  let day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  for (let left = count; left > 0; left--) {
    days.unshift({ date: day.toPlainDate().toString(), beginsAt: day.epochMilliseconds });
    day = day.subtract({ nanoseconds: 1 }).startOfDay();
  }
  return days;
}

/** Of the IANA database. An offset like +05:45 is none: it knows no clock changes, and may be no multiple of a quarter. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]{0,63}$/i.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== "";
  } catch {
    return false;
  }
}
