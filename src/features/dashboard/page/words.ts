// The charts of thirty days: a sentence for the whole chart, and one for each day.

import {
  toCount,
  toDateWords,
  toFinePercent,
  toList,
  toPlural,
  toScore,
  toWeekday,
} from "../../../web/client/words.ts";
import { toOpenShare } from "../../../web/parts/placement-shares.ts";
import type { DashboardSummary } from "../contract.ts";

type Day = DashboardSummary["trend"][number];

export function toScoreSentence(trend: readonly Day[]): string {
  const scored = trend.flatMap(({ date, score }) => (score === null ? [] : [{ date, score }]));
  const last = scored.at(-1);
  if (last === undefined) return "Daily average score: no data in the last 30 days.";
  const scores = scored.map(({ score }) => score);
  const lowest = toScore(Math.min(...scores));
  const highest = toScore(Math.max(...scores));
  const range = lowest === highest ? `always ${lowest}` : `between ${lowest} and ${highest}`;
  return `Daily average score: ${range}, most recently ${toScore(last.score)} on ${toDateWords(last.date)}. ${toGaps(trend)}`;
}

export function toPlacementSentence(trend: readonly Day[]): string {
  const placed = trend.filter(({ inboxRate }) => inboxRate !== null);
  if (placed.length === 0) return "Daily placement: no data in the last 30 days.";
  const inbox = placed.map(({ inboxRate }) => inboxRate ?? 0);
  const worst = placed.reduce((most, day) => ((day.spamRate ?? 0) > (most.spamRate ?? 0) ? day : most));
  const lowest = toFinePercent(Math.min(...inbox));
  const highest = toFinePercent(Math.max(...inbox));
  const range = lowest === highest ? lowest : `between ${lowest} and ${highest}`;
  const spam =
    (worst.spamRate ?? 0) > 0
      ? `up to ${toFinePercent(worst.spamRate ?? 0)} spam (${toDateWords(worst.date)})`
      : "no spam";
  return `Daily placement: inbox ${range}, ${spam}. ${toGaps(trend)}`;
}

function toGaps(trend: readonly Day[]): string {
  const empty = trend.filter(({ tests }) => tests === 0).length;
  return empty === 0 ? "Tests every day." : `${toPlural(empty, "day", "days")} without tests.`;
}

/** One day of a chart. */
export function toReading(day: Day | undefined, of: "score" | "placement"): string {
  if (day === undefined) return "";
  const { date, tests, score, inboxRate, promoRate, spamRate } = day;
  const when = toWeekday(date);
  if (tests === 0) return `${when}: no tests`;
  const count = toPlural(tests, "test", "tests");
  if (of === "score")
    return score === null ? `${when}: no score from ${count}` : `${when}: score ${toScore(score)} from ${count}`;
  if (inboxRate === null) return `${when}: placement unknown`;
  const open = toOpenShare({ inbox: inboxRate, promotions: promoRate, spam: spamRate });
  const shares = [
    `inbox ${toFinePercent(inboxRate)}`,
    `promotions ${toFinePercent(promoRate ?? 0)}`,
    `spam ${toFinePercent(spamRate ?? 0)}`,
    ...(open > 0 ? [`inbox or spam ${toFinePercent(open)}`] : []),
  ];
  return `${when}: ${toList(shares)}`;
}

// The figures of the last seven days, each with its change from the seven days before. Whether more is good depends on
// the figure: more spam is bad, more mail in Promotions is neither good nor bad.

type Figure = { readonly name: string; readonly value: string; readonly change: FigureChange };

type FigureChange = {
  readonly icon: "up" | "down" | "flat" | null;
  readonly tone: "good" | "major" | null;
  readonly words: string;
};

type GoodDirection = "more" | "less" | null;

export function toFigures(summary: DashboardSummary): readonly Figure[] {
  const { previous } = summary;
  const rate = (name: string, key: "inboxRate" | "promoRate" | "spamRate", welcome: GoodDirection): Figure => ({
    name,
    value: summary[key] === null ? "–" : toFinePercent(summary[key]),
    change: toChange(toPoints(summary[key]), toPoints(previous[key]), welcome, toPointWords),
  });
  const score = summary.deliverabilityScore;
  return [
    {
      name: "Deliverability score",
      value: score === null ? "–" : toScore(score),
      change: toChange(score, previous.deliverabilityScore, "more", toScoreWords),
    },
    rate("Inbox", "inboxRate", "more"),
    rate("Promotions", "promoRate", null),
    rate("Spam or rejected", "spamRate", "less"),
    {
      name: "Bounces / complaints",
      value: `${toCount(summary.bounces7d)} / ${toCount(summary.complaints7d)}`,
      change: toReturnChange(summary),
    },
  ];
}

function toPoints(share: number | null): number | null {
  return share === null ? null : share * 100;
}

/** Figures are shown with one decimal. */
const leastChange = 0.05;

function toChange(
  now: number | null,
  before: number | null,
  welcome: GoodDirection,
  say: (by: string, way: "higher" | "lower") => string,
): FigureChange {
  if (now === null) return { icon: null, tone: null, words: "No data" };
  if (before === null) return { icon: null, tone: null, words: "No data the week before" };
  const by = now - before;
  if (Math.abs(by) < leastChange) return { icon: "flat", tone: null, words: "No change" };
  const isMore = by > 0;
  const tone = welcome === null ? null : (welcome === "more") === isMore ? "good" : "major";
  return { icon: isMore ? "up" : "down", tone, words: say(toScore(Math.abs(by)), isMore ? "higher" : "lower") };
}

const toScoreWords = (by: string, way: string) => `${by} ${way}`;
const toPointWords = (by: string, way: string) => `${by} ${by === "1" ? "point" : "points"} ${way}`;

function toReturnChange({ bounces7d, complaints7d, previous }: DashboardSummary): FigureChange {
  const by = bounces7d + complaints7d - previous.bounces7d - previous.complaints7d;
  if (by === 0) return { icon: "flat", tone: null, words: "No change" };
  const words = `${toCount(Math.abs(by))} ${by > 0 ? "more" : "fewer"}`;
  return by > 0 ? { icon: "up", tone: "major", words } : { icon: "down", tone: "good", words };
}
