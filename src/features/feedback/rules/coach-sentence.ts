// What matters most about a domain's DMARC policy, in one or two sentences.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { PolicyCoach } from "../contract/policy-coach.ts";
import { toPercent } from "../words/figure-words.ts";
import type { CoachBlocker } from "./policy-coach.ts";

type Told = Pick<
  PolicyCoach,
  | "authenticatedReports"
  | "inheritedPolicy"
  | "isSafe"
  | "lost"
  | "messages"
  | "recordAt"
  | "reporters"
  | "reports"
  | "reportsArriveHere"
> & {
  readonly criteria: PolicyCoach["criteria"];
  readonly ignoredRecords: readonly string[];
  readonly reportsTo: readonly string[];
  readonly policy: object | null;
  readonly next: Pick<NonNullable<PolicyCoach["next"]>, "tag" | "says"> | null;
  readonly domain: string;
  /** Null: what the domain publishes isn’t known. */
  readonly present: object | null;
  readonly blocker: CoachBlocker | null;
};

export function toCoachSentence(told: Told): string {
  const { recordAt, ignoredRecords, present, domain, inheritedPolicy, next, policy, isSafe, blocker } = told;
  if (recordAt !== null)
    return `${domain} has no record, so that of ${recordAt} applies and asks for p=${inheritedPolicy ?? "none"}.`;
  if (ignoredRecords.length > 0)
    return `There are ${ignoredRecords.length} DMARC records, so receivers use none. Keep one.`;
  const missing = toMissing(told);
  if (policy === null)
    return present === null
      ? "What the domain publishes isn’t known yet."
      : `Publish a DMARC record first, so that receivers report. ${missing ?? ""}`.trim();
  if (missing !== null) return missing;
  if (next === null) return "The policy can’t get stricter. Keep it, and watch for new senders.";
  const step = next.tag;
  if (isSafe === true) return `${step} is safe to publish next. ${toAffected(told)}`;
  if (blocker !== null) return toBlocking(blocker, told, step);
  const [open] = [
    ...told.criteria.filter(({ met }) => met === false),
    ...told.criteria.filter(({ met }) => met === null),
  ];
  return `It is too early for ${step}. ${open?.says ?? next.says}`;
}

/** Why there is nothing to judge by. */
function toMissing({
  reports,
  authenticatedReports,
  reporters,
  reportsTo,
  reportsArriveHere,
  policy,
}: Told): string | null {
  if (reporters > 0) return null;
  if (reports === 0) {
    if (policy === null) return "No report has arrived.";
    if (reportsTo.length === 0)
      return "The DMARC record asks for no reports, so it isn’t known who sends as the domain. Add a rua address of this server to it.";
    if (reportsArriveHere === false)
      return "The DMARC record asks for reports at no seed address of this workspace, so none arrive here. Add one to its rua tag.";
    return "No report has arrived in 30 days. Receivers send one a day once they get mail from the domain.";
  }
  const arrived = `${toPlural(reports, "report", "reports")} arrived`;
  if (authenticatedReports === 0)
    return `${arrived}, none authenticated, so ${reports === 1 ? "it doesn’t" : "they don’t"} count: SPF and DKIM don’t confirm who sent ${reports === 1 ? "it" : "them"}. Reports that are forwarded or uploaded can’t be confirmed, so let receivers send them to this server.`;
  return `${arrived}, ${authenticatedReports === reports ? "" : `${toNumber(authenticatedReports)} authenticated, `}which is too few to judge by. A receiver counts once its reports about three days have arrived on three days.`;
}

function toAffected({ lost, next }: Told): string {
  if (lost.messages === 0) return "No reported message fails DMARC.";
  const parts = [
    ...(lost.known > 0 ? [`${toNumber(lost.known)} from your own senders`] : []),
    ...(lost.forwarded > 0 ? [`${toNumber(lost.forwarded)} that look forwarded`] : []),
    ...(lost.unknown > 0 ? [`${toNumber(lost.unknown)} from senders that aren’t yours or aren’t known`] : []),
  ];
  const lists =
    next?.tag === "p=reject" && lost.forwarded > 0
      ? " Some receivers then reject forwarded mail, so stay at quarantine if people at the domain write to mailing lists."
      : "";
  const all = toPlural(lost.messages, "message", "messages");
  if (lost.messages === lost.forwarded) return `It affects ${all} of the last 30 days, which look forwarded.${lists}`;
  return `It affects ${all} of the last 30 days: ${parts.join(", ")}.${lists}`;
}

function toBlocking(
  { source, signsAs, isItsOwn, isOnly }: CoachBlocker,
  { messages, domain }: Told,
  step: string,
): string {
  const { name, kind, failed, isKnown } = source;
  const share = toPercent(source.messages / Math.max(messages, 1), 0);
  const signs = signsAs === null ? "" : isItsOwn ? " and signs with its own domain" : ` and signs as ${signsAs}`;
  const then = isOnly ? `; then ${step} is safe` : "";
  const isService = kind === "service" || kind === "mailbox" || kind === "gateway";
  const fix = isService ? "turn on domain authentication there" : `sign its mail with DKIM for ${domain}`;
  if (isKnown)
    return `${name} sends ${share} of your mail${signs}, and ${toNumber(failed)} of its messages fail DMARC: ${fix}${then}.`;
  const fails = `${name} sends ${share} of the mail from ${domain}${signs}, and hardly any of it passes DMARC.`;
  return isService
    ? `${fails} If it sends for you, ${fix}. If not, mark it as not yours${then}.`
    : `${fails} If you don’t know it, mark it as not yours${then}. If it is yours, ${fix}.`;
}
