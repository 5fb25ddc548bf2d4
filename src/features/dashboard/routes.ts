import { wordsById } from "../../analyzer/checks/list.ts";
import type { WorkspaceStore } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Feature } from "../../platform/server.ts";
import { listDomainNames } from "../domains/rows/domains.ts";
import { countProblems, listProblems } from "../feedback/rows/problems.ts";
import { toProblemData } from "../feedback/work/evaluate-feedback.ts";
import { toSummary } from "../tests/routes/tests.ts";
import * as api from "./contract.ts";
import { quarterMs, startOf } from "./rows/rollups.ts";
import type { Dashboard } from "./work/dashboard.ts";

export const dashboardRoutes: readonly Route[] = [
  route(
    api.readDashboard,
    async ({ workspaceId, store, query: { tz } }, { readDashboard, features, system }) => {
      const { recentTests, newestFailed, needsYou, ...figures } = await readDashboard(workspaceId, tz);
      return {
        ...figures,
        recentTests: recentTests.map(toSummary),
        needsYou: { ...needsYou, newest: needsYou.newest.map(toNeeding) },
        newestFailed: newestFailed && toSummary(newestFailed),
        feedback: await readOpenFeedback(store),
        ...(await readParts(features, store, system.now())),
      };
    },
    // It has data of too many tables to look at each. Its days begin at a quarter of an hour.
    async (_call, { owner, readChangeMark, system }) => [
      owner,
      await readChangeMark(),
      startOf(system.now(), quarterMs),
    ],
  ),
];

function toNeeding({ test, need: { issue: id, lost } }: Dashboard["needsYou"]["newest"][number]) {
  // The catalogue no longer has the words of a retired finding.
  const words = id === null ? undefined : wordsById.get(id);
  return {
    test: toSummary(test),
    issue: id !== null && words ? { id, title: words.title, severity: words.severity } : null,
    lost: [...lost],
  };
}

const mostProblems = 3;

async function readOpenFeedback({ read }: Pick<WorkspaceStore, "read">): Promise<api.DashboardSummary["feedback"]> {
  const filter = { isOpen: true, isUnseen: true };
  const newest = await listProblems(read, { limit: mostProblems }, filter);
  if (newest.length === 0) return { open: 0, newest: [] };
  const names = await listDomainNames(read, [...new Set(newest.map(({ domain_id }) => domain_id))]);
  return {
    open: await countProblems(read, filter),
    newest: newest.map((row) => {
      const domain = { id: row.domain_id, domain: names.get(row.domain_id) ?? "" };
      const { id, title, openedAt } = toProblemData(domain, row).problem;
      return { id, domain, title, openedAt };
    }),
  };
}

declare module "../../platform/server.ts" {
  interface Feature {
    /** Its part of the dashboard. */
    readonly summarize?: (store: Pick<WorkspaceStore, "read">, now: number) => Promise<Partial<api.FeatureParts>>;
  }
}

async function readParts(features: readonly Feature[], store: Pick<WorkspaceStore, "read">, now: number) {
  const parts: api.FeatureParts = { downMonitors: [], monitors: { up: 0 }, movedStreams: [], streams: [] };
  for (const { summarize } of features) Object.assign(parts, await summarize?.(store, now));
  return parts;
}
