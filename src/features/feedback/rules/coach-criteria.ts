// When the next DMARC policy is safe: each criterion with its current value. Too little data is no yes.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { PolicyCoach } from "../contract/policy-coach.ts";
import { toPercent } from "../words/figure-words.ts";
import type { CoachSource } from "./coach-sources.ts";
import type { FeedbackEvidence, FeedbackKind } from "./problem.ts";
import { isService } from "./report-rows.ts";

export type CoachCriterion = PolicyCoach["criteria"][number];

/** All DMARC reports. */
export type ReportCounts = { readonly all: number; readonly authenticated: number };

export type CriterionInput = {
  readonly reports: ReportCounts;
  readonly reportDays: number;
  readonly recentReportDays: number;
  readonly reporters: number;
  readonly messages: number;
  /** Those that fail, in rows without an address. */
  readonly nameless: number;
  readonly sources: readonly CoachSource[];
  /** The same over two weeks. */
  readonly recent: readonly CoachSource[];
  readonly openProblems: readonly {
    readonly kind: FeedbackKind;
    readonly subject: string;
    readonly title: string;
    readonly evidence: Pick<FeedbackEvidence, "count" | "detail">;
  }[];
};

const leastDays = 21;
const leastReporters = 2;
const leastMessages = 300;
const leastAligned = 0.98;
const leastRecentMessages = 100;
const leastRecentDays = 10;
const mostUnknown = 0.02;
/** Little mail of a service can be what people wait for, such as a new password. */
const mostOfService = 0.005;

/**
 * What may be one's own mail that fails. A new source that passes loses nothing. One that fails altogether is judged as an
 * unknown source, unless it is a sending service, which a colleague may have begun to use. A pass rate that only spoofing lowered is no reason to wait: that is what the policy stops.
 */
function isBlocking({ kind, subject, evidence: { count, detail } }: CriterionInput["openProblems"][number]): boolean {
  const share = (detail.passed ?? 0) / Math.max(count, 1);
  if (kind === "new-source") return share < 0.98 && (share > 0.02 || isService(subject));
  if (kind === "pass-rate-fell") return detail.source !== null || (detail.failedFromUnknown ?? 0) < count;
  return kind === "broken-selector";
}

export function toCriteria(input: CriterionInput): CoachCriterion[] {
  const { reportDays, reporters, sources, openProblems, reports } = input;
  const known = sources.filter(({ isKnown }) => isKnown);
  const messages = sum(known, ownOf);
  const open = openProblems.filter(isBlocking);
  return [
    {
      id: "days",
      met: reportDays >= leastDays,
      says: `Authenticated reports cover ${reportDays} of the last 30 days. At least ${leastDays} are needed.`,
      current: reportDays,
      target: leastDays,
    },
    {
      id: "reporters",
      met: reporters >= leastReporters,
      says: `${toReporterWords(reporters, reports)} At least ${leastReporters} are needed.`,
      current: reporters,
      target: leastReporters,
    },
    {
      id: "messages",
      met: messages >= leastMessages ? true : null,
      says:
        messages >= leastMessages
          ? `Reports count ${toNumber(messages)} messages of known sources.`
          : `Reports count only ${toNumber(messages)} messages of known sources, which is not enough data. At least ${leastMessages} are needed.`,
      current: messages,
      target: leastMessages,
    },
    toAligned(input),
    toUnknown(input),
    {
      id: "open-problems",
      met: open.length > 0 ? false : input.messages > 0 ? true : null,
      says:
        open.length === 0
          ? input.messages > 0
            ? "No open problem with sources or signatures."
            : "There are no reports in which a problem with sources or signatures could be noticed."
          : `Open: ${open
              .map(({ title }) => title)
              .slice(0, 3)
              .join("; ")}.`,
      current: open.length,
      target: 0,
    },
  ];
}

function toReporterWords(reporters: number, { all, authenticated }: ReportCounts): string {
  if (reporters > 0) return `${reporters} ${reporters === 1 ? "receiver reports" : "receivers report"}.`;
  if (all === 0) return "No report has arrived.";
  const arrived = `${toPlural(all, "report", "reports")} arrived`;
  if (authenticated === 0) return `${arrived}, none authenticated, so no receiver counts.`;
  return `${arrived}, ${authenticated === all ? "all" : toNumber(authenticated)} authenticated, but no receiver has reported about three days on three days yet.`;
}

function toAligned({ recent, recentReportDays }: CriterionInput): CoachCriterion {
  const known = recent.filter(({ isKnown }) => isKnown);
  const own = sum(known, ownOf);
  const failed = sum(known, (source) => source.failed);
  const share = own === 0 ? null : (own - failed) / own;
  const isEnough = share !== null && own >= leastRecentMessages && recentReportDays >= leastRecentDays;
  const met = isEnough ? share >= leastAligned : null;
  const counts =
    share === null
      ? ""
      : ` ${toNumber(own - failed)} of ${toNumber(own)} messages pass (${toPercent(Math.floor(share * 1_000) / 1_000, 1)}).`;
  return {
    id: "aligned",
    met,
    says: isEnough
      ? `Known sources in the last 14 days:${counts} At least 98% must pass.`
      : `Not enough data for the last 14 days: reports cover ${recentReportDays} days.${counts} At least ${leastRecentMessages} messages on ${leastRecentDays} days are needed.`,
    current: share,
    target: leastAligned,
  };
}

function toUnknown({ sources, messages, nameless }: CriterionInput): CoachCriterion {
  const undecided = sources.filter(({ isKnown, isNotMine, state }) => !isKnown && !isNotMine && state !== "forwarding");
  const toExcess = (source: CoachSource) => ownOf(source) / (source.kind === "service" ? mostOfService : mostUnknown);
  const [largest] = undecided.toSorted((one, other) => toExcess(other) - toExcess(one));
  const share = largest && messages > 0 ? ownOf(largest) / messages : 0;
  const limit = largest?.kind === "service" ? mostOfService : mostUnknown;
  const others = undecided.length - 1;
  const more = others > 0 ? ` ${toPlural(others, "more is", "more are")} unknown.` : "";
  const isEnough = messages >= leastMessages;
  if (isEnough && share <= limit && nameless > messages * mostUnknown)
    return {
      id: "unknown-sources",
      met: null,
      says: `Reports don’t say which addresses sent ${toNumber(nameless)} of ${toNumber(messages)} messages, which fail. Some may be yours.`,
      current: nameless / messages,
      target: mostUnknown,
    };
  return {
    id: "unknown-sources",
    met: isEnough ? share <= limit : null,
    says:
      messages === 0
        ? "There are no reports that name sources."
        : largest === undefined
          ? sources.some(({ isNotMine }) => isNotMine)
            ? "No source is unknown, apart from those that you said aren’t yours."
            : "No source is unknown."
          : `The largest unknown source is ${largest.name}: ${toNumber(ownOf(largest))} of ${toNumber(messages)} messages (${toPercent(Math.ceil(share * 1_000) / 1_000, 1)}). Above ${limit * 100}%, find out first whether it is yours. If it isn’t, mark it as not yours below.${more}`,
    current: share,
    target: limit,
  };
}

function ownOf({ messages, forwarded }: CoachSource): number {
  return messages - forwarded;
}

function sum(sources: readonly CoachSource[], read: (source: CoachSource) => number): number {
  return sources.reduce((total, source) => total + read(source), 0);
}
