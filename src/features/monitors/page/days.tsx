// Days of the week in a form, and the reader's time zone.

import { allDays, dayNames } from "../words/monitor-terms-words.ts";

type Weekday = (typeof allDays)[number];

type DayFieldsProps = { readonly days: readonly Weekday[]; readonly error: string | null };

export function DayFields({ days, error }: DayFieldsProps) {
  return (
    <fieldset class="field">
      <legend class="group-name">Days</legend>
      <div class="row">
        {allDays.map((day) => (
          <label key={day} class="row">
            <input type="checkbox" name="day" value={day} defaultChecked={days.includes(day)} /> {dayNames[day]}
          </label>
        ))}
      </div>
      {error !== null && (
        <span class="err" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}

export function readDays(typed: FormData): Weekday[] {
  return allDays.filter((day) => typed.getAll("day").includes(day));
}

export function toOwnZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}
