// Judges whether a share of failures rose, of a selector, a source, or the whole domain, and whether that is over.

import {
  type DmarcEvidence,
  type JudgedRow,
  newestDays,
  toDayShares,
  toReporterShares,
  toShare,
  toSpan,
} from "./dmarc-evidence.ts";
import {
  dayMs,
  type FeedbackEvidence,
  type FeedbackStatus,
  type KnownProblem,
  noDetail,
  type Resolution,
} from "./problem.ts";
import { compareShares, type Share } from "./statistics.ts";

/** In standard deviations. By chance alone, once in 30,000 comparisons. */
const leastSigns = 4;

/** When a problem has ended before, only the days after it count. */
export type Past = {
  readonly openOf: (kind: FeedbackStatus["kind"], subject: string) => KnownProblem | undefined;
  readonly endOf: (kind: FeedbackStatus["kind"], subject: string) => number | null;
  readonly openSubjects: (kind: FeedbackStatus["kind"]) => readonly string[];
  readonly wasKnown: (kind: FeedbackStatus["kind"], subject: string) => boolean;
};

export type RateTerms = {
  readonly kind: FeedbackStatus["kind"];
  readonly subject: string;
  readonly isBad: (row: JudgedRow) => boolean;
  /** Fewer messages say too little. */
  readonly leastRecent: number;
  readonly leastUsual: number;
  readonly leastUsualDays: number;
  /** By how much the share of failures must have risen. */
  readonly leastRise: number;
  /** A share that was higher before isn't usual. */
  readonly mostUsual: number;
  /** When it began, if that is known better than by the recent days. */
  readonly begin?: number | null;
};

type RateRows = Pick<DmarcEvidence, "recentRows" | "usualRows">;

type Rate = {
  readonly isHigh: boolean;
  readonly over: Resolution | null;
  readonly evidence: FeedbackEvidence;
  readonly rows: readonly JudgedRow[];
};

export function judgeRate(
  { recentRows, usualRows }: RateRows,
  { recent, usual: usualDays, today }: DmarcEvidence,
  terms: RateTerms,
  past: Past,
): Rate {
  const { kind, subject, isBad } = terms;
  const open = past.openOf(kind, subject);
  const from = Math.max(terms.begin ?? recent.from, past.endOf(kind, subject) ?? 0);
  const rows = recentRows.filter(({ day }) => day >= from);
  const now = toShare(rows, isBad);
  const usualShares = toDayShares(usualRows, isBad);
  const before = open?.evidence.usual ?? { days: usualDays, ...toShare(usualRows, isBad) };
  const usual: Share = { count: before.count, total: before.total ?? 0 };
  const newest = toShare(newestDays(rows, 1), isBad);
  const limit = shareOf(usual) + terms.leastRise;
  const isHigh =
    now.total >= terms.leastRecent &&
    usual.total >= terms.leastUsual &&
    usualShares.size >= terms.leastUsualDays &&
    shareOf(usual) <= terms.mostUsual &&
    shareOf(now) >= limit &&
    // What is over by its newest day isn't raised.
    shareOf(newest) >= shareOf(usual) + terms.leastRise / 2 &&
    compareShares(now, usual, [...usualShares.values()]) >= leastSigns;
  return {
    isHigh,
    over: open ? toOver(rows, open, { isBad, usual, terms, today }) : null,
    evidence: {
      days: toSpan(rows, { from, to: recent.to }),
      ...now,
      usual: before,
      reporters: toReporterShares(rows, isBad).filter(({ count }) => count > 0),
      detail: noDetail,
    },
    rows,
  };
}

type OverTerms = {
  readonly isBad: RateTerms["isBad"];
  readonly usual: Share;
  readonly terms: RateTerms;
  readonly today: number;
};

/** Without data for this long, nothing is known about it anymore. */
const silenceMs = 28 * dayMs;

function toOver(
  rows: readonly JudgedRow[],
  open: KnownProblem,
  { isBad, usual, terms, today }: OverTerms,
): Resolution | null {
  if (rows.length === 0) return today - open.openedAt > silenceMs ? "no-data" : null;
  const newest = toShare(newestDays(rows, 2), isBad);
  const isEnough = newest.total >= Math.min(10, terms.leastRecent);
  return isEnough && shareOf(newest) < shareOf(usual) + terms.leastRise / 2 ? "over" : null;
}

export function shareOf({ count, total }: Share): number {
  return total === 0 ? 0 : count / total;
}
