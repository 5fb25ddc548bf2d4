// When a canary is sent next.

import { Cron } from "croner";
import type { CanarySchedule } from "../rules/canary.ts";

const fields = /^\s*\S+(?:\s+\S+){4}\s*$/;
const longestPattern = 100;
const dayMs = 86_400_000;

/** Completes `"cron" …`. Null if the pattern is allowed and comes up again. */
export function whyNoCron(cron: string, timeZone: string, now: number): string | null {
  if (cron.length > longestPattern || !fields.test(cron))
    return "must have five fields: minute, hour, day of month, month, and day of week";
  try {
    return new Cron(cron, { timezone: timeZone }).nextRun(new Date(now)) === null ? "never comes up" : null;
  } catch {
    return "has a value that can’t be, or a wrong form. An example is 0 7 * * 1-5";
  }
}

/** After `now`. Times missed while the server was off are not made up for. */
export function nextTimeOf(schedule: CanarySchedule, planned: number | null, now: number): number {
  if ("cron" in schedule) {
    const { cron, timeZone } = schedule;
    return new Cron(cron, { timezone: timeZone }).nextRun(new Date(now))?.getTime() ?? now + dayMs;
  }
  const { everyMs } = schedule;
  // Keeps to its beat, so that the work itself doesn't delay it more and more.
  const next = (planned ?? now) + everyMs;
  return next > now ? next : now + everyMs;
}
