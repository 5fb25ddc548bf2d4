// Days of the week in a form, and the reader's time zone.

import type { MonitorItem } from "../../api/monitor-list.ts";

type Weekly = Extract<MonitorItem["maintenance"][number], { type: "weekly" }>;
type Weekday = Weekly["days"][number];

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};
const allDays = Object.keys(dayNames) as readonly Weekday[];

export function DayFields({ days }: { readonly days: readonly Weekday[] }) {
  return (
    <fieldset class="field">
      <legend class="group-name">Days</legend>
      <div class="row">
        {allDays.map((day) => (
          <label key={day} class="row">
            <input type="checkbox" name="day" value={day} defaultChecked={days.includes(day)} />{" "}
            {dayNames[day]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function readDays(typed: FormData): Weekday[] {
  return allDays.filter((day) => typed.getAll("day").includes(day));
}

export function toOwnZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}
