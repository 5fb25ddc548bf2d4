// A workspace's dashboard, computed from sums: its mail of the last seven days compared with the seven before, by day,
// by provider, and by the most common issues.

import type { Severity } from "../checks/check.ts";
import { wordsById } from "../checks/list.ts";
import { providers } from "../placement/provider.ts";
import { addNumbers, type Day, type Details, lastDays, type Numbers, noNumbers, type PlacementCount } from "./sums.ts";

const weekMs = 7 * 86_400_000;
const trendDays = 30;
const mostIssues = 10;

/** The spans to sum up. */
export type Stretches = {
  /** In order. Each ends where the next starts. */
  readonly begins: readonly number[];
  readonly days: readonly Day[];
  readonly week: number;
  readonly weekBefore: number;
};

/** `startOf` returns the start of the smallest span with its own sums. */
export function toStretches(now: number, timeZone: string, startOf: (timeMs: number) => number): Stretches {
  const days = lastDays(now, timeZone, trendDays).map((day) => ({ ...day, beginsAt: startOf(day.beginsAt) }));
  const week = startOf(now - weekMs);
  const weekBefore = week - weekMs;
  const begins = [...days.map(({ beginsAt }) => beginsAt), week, weekBefore].sort((a, b) => a - b);
  return { begins, days, week, weekBefore };
}

/** `sums` has one entry per span. Covers mail received from `from` until `to`. */
export function sumUp(
  { begins }: Stretches,
  sums: readonly Numbers[],
  { from, to = Number.POSITIVE_INFINITY }: { readonly from: number; readonly to?: number | undefined },
): Numbers {
  const total = noNumbers();
  for (const [at, begin] of begins.entries()) {
    const sum = sums[at];
    if (sum && begin >= from && begin < to) addNumbers(total, sum);
  }
  return total;
}

/** The mean, with one decimal like every score. */
export function toScore({ scored, points }: Numbers): number | null {
  return scored === 0 ? null : Math.round(points / scored) / 10;
}

type PlacementRates = {
  readonly inboxRate: number | null;
  readonly spamRate: number | null;
  readonly promoRate: number | null;
};

export function toPlacementRates({ placed, inbox, spam, promotions }: PlacementCount): PlacementRates {
  const shareOf = (part: number) => (placed === 0 ? null : part / placed);
  return { inboxRate: shareOf(inbox), spamRate: shareOf(spam), promoRate: shareOf(promotions) };
}

type ProviderRates = PlacementRates & {
  readonly provider: string;
  /** Tests with a known folder, and how many of them were observed. */
  readonly tests: number;
  readonly observed: number;
};

/** In the provider order of reports, then others. */
export function toProviderRates(details: Details): ProviderRates[] {
  const known: readonly string[] = providers;
  const others = Object.keys(details.providers).filter((provider) => !known.includes(provider));
  return [...known, ...others.sort()].flatMap((provider) => {
    const placed = details.providers[provider];
    if (!placed) return [];
    const { placed: tests, observed } = placed;
    return [{ provider, ...toPlacementRates(placed), tests, observed }];
  });
}

export type TopIssue = {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly tests: number;
  /** Number of tests. */
  readonly share: number;
  readonly example: string | null;
  /** The sentence differs from message to message, so that an example says more than the title. */
  readonly isVaried: boolean;
};

/** By total cost over all tests. Retired findings are left out, because the catalogue no longer has their words. */
export function toTopIssues({ issues }: Details, { tests: allTests }: Numbers): TopIssue[] {
  const dearest = Object.entries(issues).sort(
    ([leftId, left], [rightId, right]) => right.cost - left.cost || (leftId < rightId ? -1 : 1),
  );
  return dearest
    .flatMap(([id, { tests, example }]) => {
      const words = wordsById.get(id);
      if (!words || tests === 0) return [];
      return [
        {
          id,
          title: words.title,
          severity: words.severity,
          tests,
          share: tests / allTests,
          example,
          isVaried: words.says.includes("{"),
        },
      ];
    })
    .slice(0, mostIssues);
}
