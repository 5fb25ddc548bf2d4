// Days of the week in a form, and the reader's time zone.

import type { MonitorItem } from "../../api/monitor-list.ts";
import { toList } from "../client/words.ts";

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

/** "every day", "on Mon, Tue, and Wed". */
export function toDayWords(days: readonly Weekday[]): string {
  if (days.length === allDays.length) return "every day";
  return `on ${toList(allDays.filter((day) => days.includes(day)).map((day) => dayNames[day]))}`;
}

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
