// A workspace's dashboard data. The caller formats the recent tests.

import {
  type Stretches,
  sumUp,
  type TopIssue,
  toPlacementRates,
  toProviderRates,
  toScore,
  toStretches,
  toTopIssues,
} from "../../../analyzer/reports/dashboard.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { Numbers } from "../../../analyzer/reports/sums.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { countDomains, listWorst } from "../../domains/rows/domains.ts";
import { findExamples } from "../../tests/rows/contributions.ts";
import { countLeaving, listNeeding, type NeedingTest } from "../../tests/rows/needing.ts";
import { listNewestReports, readKeptReport } from "../../tests/rows/reports.ts";
import { listRecentTests, readNewestFailed } from "../../tests/rows/tests.ts";
import type { DashboardSummary, FeatureParts } from "../contract.ts";
import { quarterMs, readSums, type SumsRead, startOf } from "../rows/rollups.ts";
import { catchUpRollups, type RollupTerms } from "./rollups.ts";

const mostRecent = 10;
const mostShown = 5;

type StoredTests = Awaited<ReturnType<typeof listRecentTests>>;

export type Dashboard = Omit<
  DashboardSummary,
  "recentTests" | "newestFailed" | "needsYou" | "feedback" | keyof FeatureParts
> & {
  readonly recentTests: StoredTests;
  readonly newestFailed: StoredTests[number] | null;
  readonly needsYou: Pick<DashboardSummary["needsYou"], "tests" | "search"> & { readonly newest: NeedingTest[] };
};

export type ReadDashboard = (workspaceId: string, timeZone: string) => Promise<Dashboard>;

export async function readDashboard(terms: RollupTerms, workspaceId: string, timeZone: string): Promise<Dashboard> {
  const { store, system } = terms;
  await catchUpRollups(terms);
  const now = system.now();
  const inWorker = inWorkspace(store.readInWorker, workspaceId);
  const stretches = toStretches(now, timeZone, (timeMs) => startOf(timeMs, quarterMs));
  const [sums, recentTests, newestFailed, domains] = await Promise.all([
    readSums(store.readInWorker, workspaceId, { begins: stretches.begins, detailsFrom: stretches.week }),
    listRecentTests(inWorkspace(store.read, workspaceId), mostRecent),
    readNewestFailed(inWorkspace(store.read, workspaceId)),
    countDomains(inWorker, now),
  ]);
  const { week, weekBefore } = stretches;
  const thisWeek = sumUp(stretches, sums.stretches, { from: week });
  const lastWeek = sumUp(stretches, sums.stretches, { from: weekBefore, to: week });
  const needing = sums.details.needing ? sums.details.needing - (await countLeaving(inWorker, week)) : 0;
  const topIssues = toTopIssues(sums.details, thisWeek);
  return {
    ...toFigures({ from: week, to: now }, thisWeek),
    previous: toFigures({ from: weekBefore, to: week }, lastWeek),
    needsYou: {
      tests: needing,
      newest: needing === 0 ? [] : await listNeeding(store.readInWorker, inWorker, week, mostShown),
      // Not `after:7d`: it would miss up to a quarter of an hour that `tests` counts.
      search: `needs:you after:${toTimestamp(week).replace(":00.000Z", "Z")}`,
    },
    trend: toTrend(stretches, sums),
    recentTests,
    newestFailed: newestFailed ?? null,
    topIssues: await withExamples(inWorker, topIssues, week),
    placement: toProviderRates(sums.details),
    domains: { ...domains, worst: domains.monitored === domains.fine ? [] : await listWorst(inWorker, now, mostShown) },
  };
}

function toFigures(window: { from: number; to: number }, numbers: Numbers): Dashboard["previous"] {
  return {
    window: { from: toTimestamp(window.from), to: toTimestamp(window.to) },
    deliverabilityScore: toScore(numbers),
    ...toPlacementRates(numbers),
    testCount: numbers.tests,
    bounces7d: numbers.bounces,
    complaints7d: numbers.complaints,
  };
}

function toTrend(stretches: Stretches, sums: SumsRead): Dashboard["trend"] {
  return stretches.days.map(({ date, beginsAt }, at) => {
    const day = { from: beginsAt, to: stretches.days[at + 1]?.beginsAt };
    const numbers = sumUp(stretches, sums.stretches, day);
    return { date, tests: numbers.tests, score: toScore(numbers), ...toPlacementRates(numbers) };
  });
}

async function withExamples(scope: Scope, issues: readonly TopIssue[], since: number): Promise<Dashboard["topIssues"]> {
  const named = await findLacking(scope, issues, since);
  const varied = named.filter(({ isVaried }) => isVaried);
  const summaries = await readExampleSummaries(
    scope,
    varied.flatMap(({ example }) => example ?? []),
  );
  return named.map(({ isVaried, ...issue }) => ({
    ...issue,
    summary: (isVaried && issue.example && summaries.get(issue.example)?.get(issue.id)) || null,
  }));
}

/** If the newest example was deleted, an older one replaces it. */
async function findLacking(scope: Scope, issues: readonly TopIssue[], since: number): Promise<TopIssue[]> {
  const lacking = issues.filter(({ example }) => example === null).map(({ id }) => id);
  if (lacking.length === 0) return [...issues];
  const found = await findExamples(scope, lacking, since);
  return issues.map((issue) => ({ ...issue, example: issue.example ?? found.get(issue.id) ?? null }));
}

// Reads finding sentences from the tests that a dashboard lists as examples. Reports are large and dashboards load
// often, so recent ones are cached.

type Summaries = ReadonlyMap<string, string>;

const mostKept = 200;
/** Sentences may quote untrusted text. */
const longest = 400;

/** By test and report time; the most recently used is last. */
const kept = new Map<string, Summaries>();

/** By test, then by finding. Tests without a readable report are left out. */
async function readExampleSummaries(scope: Scope, testIds: readonly string[]): Promise<ReadonlyMap<string, Summaries>> {
  const newest = await listNewestReports(scope, [...new Set(testIds)]);
  const found = new Map<string, Summaries>();
  for (const { test_id, created_at } of newest) {
    const key = `${test_id} ${created_at}`;
    const summaries = kept.get(key) ?? (await readSummaries(scope, test_id, created_at));
    kept.delete(key);
    kept.set(key, summaries);
    found.set(test_id, summaries);
  }
  for (const key of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(key);
  }
  return found;
}

async function readSummaries(scope: Scope, testId: string, createdAt: number): Promise<Summaries> {
  const row = await readKeptReport(scope, testId, createdAt);
  const report = row === undefined ? null : parseReport(row.report);
  const faults = report?.judgment.findings.filter(({ cost }) => cost > 0) ?? [];
  return new Map(faults.map(({ id, says }) => [id, says.slice(0, longest).toWellFormed()]));
}
