// The headings of a domain's feedback and of the advice on its policy.

import { toCount, toDay, toPlural } from "../../../web/client/words.ts";
import type { DomainFeedback } from "../contract/feedback.ts";
import type { PolicyCoach } from "../contract/policy-coach.ts";

export function toFeedbackHeading({ problems, evaluatedAt, ...counted }: DomainFeedback): string {
  const open = problems.filter(({ state }) => state === "open").length;
  if (open > 0) return toPlural(open, "problem in reports", "problems in reports");
  // Without reports that count, nothing is known.
  const reporters = counted.reporters - counted.newReporters;
  if (evaluatedAt === null || reporters + counted.authenticatedNotices === 0) return "Reports about this domain";
  return "No open problems in reports";
}

export function toPolicyTitle({ policy, recordAt, ignoredRecords, next, isSafe, present, lost }: PolicyCoach): string {
  if (recordAt !== null) return `The policy is published at ${recordAt}`;
  if (ignoredRecords.length > 0) return "Receivers ignore your DMARC records";
  if (policy === null) return present === null ? "No DMARC record known yet" : "Publish a first DMARC record";
  if (next === null) return toLastTitle(policy);
  const step = next.tag;
  if (isSafe === true) return `Ready for ${step}`;
  if (isSafe === null) return `Not enough data for ${step}`;
  return lost.known > 0 ? `Not yet: ${step} would affect your own mail` : `Not yet ready for ${step}`;
}

function toLastTitle({ np }: NonNullable<PolicyCoach["policy"]>): string {
  return np === "reject"
    ? "The policy is as strict as it gets"
    : `p=reject is in force, but subdomains that don’t exist follow np=${np}`;
}

export function toPolicyLead({
  messages,
  passed,
  reports,
  authenticatedReports,
  reportDays,
  reporters,
  from,
  to,
}: PolicyCoach): string {
  // Days in UTC, without a time.
  const [first, last] = [from, to].map((day) => toDay(`${day}T12:00:00`));
  const left = reports - authenticatedReports;
  const unseen =
    left > 0
      ? ` ${toPlural(left, "report doesn’t", "reports don’t")} count, because SPF and DKIM don’t confirm who sent them.`
      : "";
  if (messages === 0) {
    if (authenticatedReports === 0) return `No authenticated DMARC reports from ${first} to ${last}.${unseen}`;
    const arrived = `${toPlural(authenticatedReports, "authenticated DMARC report", "authenticated DMARC reports")} from ${first} to ${last}`;
    return reporters > 0
      ? `${arrived}, without any message.${unseen}`
      : `${arrived}, not counted yet. A reporter counts once its reports about three days arrived on three days.${unseen}`;
  }
  return `${toCount(passed)} of ${toPlural(messages, "message passes", "messages pass")} DMARC, from ${first} to ${last}. Based on ${toPlural(authenticatedReports, "report", "reports")} from ${toPlural(reporters, "reporter", "reporters")} about ${toPlural(reportDays, "day", "days")}.${unseen}`;
}
