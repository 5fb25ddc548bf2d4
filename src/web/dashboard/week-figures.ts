// The week's figures, each with its change against the seven days before. Which way is good is its own matter: more spam
// is bad, and more or less under Promotions is neither.

import type { DashboardSummary } from "../../api/dashboard.ts";
import { toCount, toFinePercent, toScore } from "../client/words.ts";

type Figure = { readonly name: string; readonly value: string; readonly change: Change };

type Change = {
  readonly icon: "up" | "down" | "flat" | null;
  readonly tone: "good" | "major" | null;
  readonly words: string;
};

type Welcome = "more" | "less" | null;

export function toFigures(summary: DashboardSummary): readonly Figure[] {
  const { previous } = summary;
  const rate = (name: string, key: "inboxRate" | "promoRate" | "spamRate", welcome: Welcome): Figure => ({
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
    rate("Spam", "spamRate", "less"),
    {
      name: "Bounces, complaints",
      value: `${toCount(summary.bounces7d)} and ${toCount(summary.complaints7d)}`,
      change: toReturnChange(summary),
    },
  ];
}

function toPoints(share: number | null): number | null {
  return share === null ? null : share * 100;
}

/** What a reader sees has one decimal. */
const leastChange = 0.05;

function toChange(
  now: number | null,
  before: number | null,
  welcome: Welcome,
  say: (by: string, way: "higher" | "lower") => string,
): Change {
  if (now === null) return { icon: null, tone: null, words: "not known" };
  if (before === null) return { icon: null, tone: null, words: "no tests the week before" };
  const by = now - before;
  if (Math.abs(by) < leastChange) return { icon: "flat", tone: null, words: "no change" };
  const isMore = by > 0;
  const tone = welcome === null ? null : (welcome === "more") === isMore ? "good" : "major";
  return {
    icon: isMore ? "up" : "down",
    tone,
    words: say(toScore(Math.abs(by)), isMore ? "higher" : "lower"),
  };
}

const toScoreWords = (by: string, way: string) => `${by} ${way}`;
const toPointWords = (by: string, way: string) => `${by} ${by === "1" ? "point" : "points"} ${way}`;

function toReturnChange({ bounces7d, complaints7d, previous }: DashboardSummary): Change {
  const by = bounces7d + complaints7d - previous.bounces7d - previous.complaints7d;
  if (by === 0) return { icon: "flat", tone: null, words: "no change" };
  const words = `${toCount(Math.abs(by))} ${by > 0 ? "more" : "fewer"}`;
  return by > 0 ? { icon: "up", tone: "major", words } : { icon: "down", tone: "good", words };
}
