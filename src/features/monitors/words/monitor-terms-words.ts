// What a monitor expects, in a sentence, in the app and on the command line.

import { toList } from "../../../analyzer/words/plain-words.ts";
import type { MonitorDetail } from "../contract/canaries.ts";
import type { ExpectedTerms } from "../contract/expected.ts";

type Weekday = Extract<ExpectedTerms["schedule"], { readonly type: "daily" }>["days"][number];

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};

export const allDays = Object.keys(dayNames) as readonly Weekday[];

/** "every day", "on Mon, Tue, and Wed". */
function toDayWords(days: readonly Weekday[]): string {
  if (days.length === allDays.length) return "every day";
  return `on ${toList(allDays.filter((day) => days.includes(day)).map((day) => dayNames[day]))}`;
}

/** "1 hour", "90 minutes". */
function toSpan(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** After "every": "hour", "90 minutes". */
function toPeriod(minutes: number): string {
  const span = toSpan(minutes);
  return span.startsWith("1 ") ? span.slice(2) : span;
}

/** "A message from backup@*, with “OK” in the subject, must arrive by 07:00 on weekdays (Europe/Berlin)." */
export function toExpectedWords({ match, schedule, graceMinutes, minCount }: ExpectedTerms): string {
  const { inboxId, label, sender, subjectContains, subjectLacks, textContains } = match;
  const which = [
    sender && `from ${sender}`,
    label && `with the label ${label}`,
    inboxId && "to one of your seed inboxes",
    subjectContains && `with “${subjectContains}” in the subject`,
    subjectLacks && `without “${subjectLacks}” in the subject`,
    textContains && `with “${textContains}” in the text`,
  ].filter((words) => words !== null);
  const isOne = minCount === 1;
  const what = isOne ? "A message" : `${minCount} messages`;
  const often = isOne ? "at least once every" : "within every";
  const when =
    schedule.type === "daily"
      ? `by ${schedule.by} ${toDayWords(schedule.days)} (${schedule.timeZone})`
      : `${often} ${toPeriod(schedule.everyMinutes)}`;
  const grace = graceMinutes === 0 ? "" : `, with a grace period of ${toSpan(graceMinutes)}`;
  return `${what} ${toList(which)} must arrive ${when}${grace}.`;
}

/** "Every 5 minutes through “Newsletter” to the active seed inbox, expected back within 5 minutes." */
export function toCanaryWords({
  schedule,
  relayId,
  relayName,
  to,
  objectiveSeconds,
}: NonNullable<MonitorDetail["canary"]>): string {
  const often =
    "cron" in schedule
      ? `On the schedule ${schedule.cron} (${schedule.timeZone})`
      : `Every ${toPeriod(schedule.everyMinutes)}`;
  const through = relayId === null ? "this server’s own relay" : relayName === null ? "a relay" : `“${relayName}”`;
  return `${often} through ${through} to ${to ?? "the active seed inbox"}, expected back within ${toObjective(objectiveSeconds)}.`;
}

function toObjective(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return rest === 0 ? toSpan(minutes) : `${minutes} min ${rest} s`;
}
