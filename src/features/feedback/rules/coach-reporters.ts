// Which reporters the policy coach relies on. Anyone can register a domain, authenticate its mail, and report any figures
// about any domain. So each criterion must also be met without the reports of any one reporter, except those that only
// the provider itself can send.

import type { PolicyCoach } from "../contract/policy-coach.ts";
import { toPlainName } from "../words/figure-words.ts";
import type { CoachCriterion } from "./coach-criteria.ts";
import type { ReporterDay } from "./detect-complaints.ts";

/** Domains of large providers where users have no addresses. In others, such as yahoo.com, users could send reports. */
export const trustedReporters: ReadonlySet<string> = new Set(["google.com", "microsoft.com"]);

export type CoachReporter = PolicyCoach["reporterList"][number];

/** Those with the most messages first. */
export function toCoachReporters(days: readonly ReporterDay[]): CoachReporter[] {
  return [...Map.groupBy(days, ({ reporter }) => reporter)]
    .map(([domain, some]) => ({
      domain,
      messages: some.reduce((sum, { messages }) => sum + messages, 0),
      passed: some.reduce((sum, { passed }) => sum + passed, 0),
      days: new Set(some.map(({ day }) => day)).size,
      isTrusted: trustedReporters.has(domain),
    }))
    .sort((one, other) => other.messages - one.messages || (one.domain < other.domain ? -1 : 1));
}

type Judged = { readonly without: string; readonly criteria: readonly CoachCriterion[] };

const ranks = new Map<boolean | null, number>([
  [false, 0],
  [null, 1],
  [true, 2],
]);

/** Each criterion as it is least met. With all reports comes first. */
export function toLeastMet(all: readonly CoachCriterion[], others: readonly Judged[]): CoachCriterion[] {
  return all.map((criterion) => {
    let least = criterion;
    for (const { without, criteria } of others) {
      const other = criteria.find(({ id }) => id === criterion.id);
      if (other === undefined || (ranks.get(other.met) ?? 0) >= (ranks.get(least.met) ?? 0)) continue;
      least = { ...other, says: `Without the reports of ${toPlainName(without)}: ${other.says}` };
    }
    return least;
  });
}
