// The charts of thirty days in words: a sentence for the whole of each, and one for a day.

import type { DashboardSummary } from "../../api/dashboard.ts";
import { toDateWords, toFinePercent, toList, toPlural, toScore, toWeekday } from "../client/words.ts";

type Day = DashboardSummary["trend"][number];

export function toScoreSentence(trend: readonly Day[]): string {
  const scored = trend.flatMap(({ date, score }) => (score === null ? [] : [{ date, score }]));
  const last = scored.at(-1);
  if (last === undefined) return "Score of each day: none in 30 days.";
  const scores = scored.map(({ score }) => score);
  const lowest = toScore(Math.min(...scores));
  const highest = toScore(Math.max(...scores));
  const range = lowest === highest ? `always ${lowest}` : `between ${lowest} and ${highest}`;
  return `Mean score of each day: ${range}, last ${toScore(last.score)} on ${toDateWords(last.date)}. ${toGaps(trend)}`;
}

export function toPlacementSentence(trend: readonly Day[]): string {
  const placed = trend.filter(({ inboxRate }) => inboxRate !== null);
  if (placed.length === 0) return "Placement of each day: none is known in 30 days.";
  const inbox = placed.map(({ inboxRate }) => inboxRate ?? 0);
  const worst = placed.reduce((most, day) => ((day.spamRate ?? 0) > (most.spamRate ?? 0) ? day : most));
  const lowest = toFinePercent(Math.min(...inbox));
  const highest = toFinePercent(Math.max(...inbox));
  const range = lowest === highest ? lowest : `between ${lowest} and ${highest}`;
  const spam =
    (worst.spamRate ?? 0) > 0
      ? `spam at most ${toFinePercent(worst.spamRate ?? 0)}, on ${toDateWords(worst.date)}`
      : "no spam";
  return `Placement of each day: inbox ${range}, ${spam}. ${toGaps(trend)}`;
}

function toGaps(trend: readonly Day[]): string {
  const empty = trend.filter(({ tests }) => tests === 0).length;
  return empty === 0 ? "No day is without tests." : `${toPlural(empty, "day is", "days are")} without tests.`;
}

/** One day of one of the charts. */
export function toReading(day: Day | undefined, of: "score" | "placement"): string {
  if (day === undefined) return "";
  const { date, tests, score, inboxRate, promoRate, spamRate } = day;
  const when = toWeekday(date);
  if (tests === 0) return `${when}: no tests`;
  const count = toPlural(tests, "test", "tests");
  if (of === "score")
    return score === null
      ? `${when}: no score from ${count}`
      : `${when}: score ${toScore(score)} from ${count}`;
  if (inboxRate === null) return `${when}: placement is not known`;
  const shares = [
    `inbox ${toFinePercent(inboxRate)}`,
    `promotions ${toFinePercent(promoRate ?? 0)}`,
    `spam ${toFinePercent(spamRate ?? 0)}`,
  ];
  return `${when}: ${toList(shares)}`;
}
