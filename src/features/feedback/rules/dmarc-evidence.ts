// The rows of one domain's DMARC reports, split into the recent days and the usual days before, and counted.

import { type Days, dayMs, type ReporterCount, toCounts } from "./problem.ts";
import { type FeedbackRow, findDirectSenders, isPassed, looksForwarded, ownSignatures } from "./report-rows.ts";
import type { Share } from "./statistics.ts";

/** Reports of the last days arrive at different hours, so three whole days and what there is of today. */
const recentDays = 3;
const usualDays = 28;

export type JudgedRow = FeedbackRow & {
  readonly passed: boolean;
  readonly forwarded: boolean;
  /** As `selector domain`. */
  readonly signed: readonly { readonly key: string; readonly passed: boolean }[];
};

export type DmarcEvidence = {
  readonly today: number;
  readonly recent: Days;
  readonly usual: Days;
  readonly recentRows: readonly JudgedRow[];
  readonly usualRows: readonly JudgedRow[];
};

export function toDmarcEvidence(rows: readonly FeedbackRow[], ownDomain: string, today: number): DmarcEvidence {
  const recent = { from: today - recentDays * dayMs, to: today };
  const usual = { from: recent.from - usualDays * dayMs, to: recent.from - dayMs };
  const isRecent = ({ day }: FeedbackRow) => day >= recent.from;
  const direct = new Map<string, ReadonlySet<string>>();
  for (const part of [rows.filter((row) => !isRecent(row)), rows.filter(isRecent)])
    for (const [selector, sources] of findDirectSenders(part, ownDomain))
      direct.set(selector, new Set([...(direct.get(selector) ?? []), ...sources]));
  const judged = rows.map((row): JudgedRow => {
    return {
      ...row,
      passed: isPassed(row),
      forwarded: looksForwarded(row, ownDomain, direct),
      signed: ownSignatures(row, ownDomain).map(({ selector, domain, result }) => ({
        key: `${selector} ${domain}`,
        passed: result === "pass",
      })),
    };
  });
  return {
    today,
    recent,
    usual,
    recentRows: judged.filter(isRecent),
    usualRows: judged.filter((row) => !isRecent(row) && row.day >= usual.from),
  };
}

export function sumOf(rows: readonly { readonly messages: number }[]): number {
  return rows.reduce((sum, { messages }) => sum + messages, 0);
}

type IsBad = (row: JudgedRow) => boolean;

/** `count` is what's bad. */
export function toShare(rows: readonly JudgedRow[], isBad: IsBad): Share {
  return { count: sumOf(rows.filter(isBad)), total: sumOf(rows) };
}

export function toDayShares(rows: readonly JudgedRow[], isBad: IsBad): Map<number, Share> {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return new Map([...byDay].map(([day, some]) => [day, toShare(some, isBad)]));
}

export function toReporterShares(rows: readonly JudgedRow[], isBad: IsBad): ReporterCount[] {
  const byReporter = Map.groupBy(rows, ({ reporter }) => reporter);
  return toCounts([...byReporter].map(([reporter, some]) => ({ reporter, ...toShare(some, isBad) })));
}

/** The days that have data, of those asked for. */
export function toSpan(rows: readonly JudgedRow[], asked: Days): Days {
  if (rows.length === 0) return asked;
  const days = rows.map(({ day }) => day);
  return {
    from: days.reduce((one, other) => Math.min(one, other)),
    to: days.reduce((one, other) => Math.max(one, other)),
  };
}

/** The newest days with data, which show whether something goes on or is over. */
export function newestDays(rows: readonly JudgedRow[], number: number): JudgedRow[] {
  const days = [...new Set(rows.map(({ day }) => day))].sort((one, other) => other - one).slice(0, number);
  const first = days.at(-1);
  return first === undefined ? [] : rows.filter(({ day }) => day >= first);
}
