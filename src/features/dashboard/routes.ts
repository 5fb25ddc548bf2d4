import type { WorkspaceStore } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Feature } from "../../platform/server.ts";
import { listDomainNames } from "../domains/rows/domains.ts";
import { countProblems, listProblems } from "../feedback/rows/problems.ts";
import { toProblemData } from "../feedback/work/evaluate-feedback.ts";
import { toSummary } from "../tests/routes/tests.ts";
import * as api from "./contract.ts";
import { quarterMs, startOf } from "./rows/rollups.ts";

export const dashboardRoutes: readonly Route[] = [
  route(
    api.readDashboard,
    async ({ workspaceId, store, query: { tz } }, { readDashboard, features, system }) => {
      const { recentTests, newestFailed, ...figures } = await readDashboard(workspaceId, tz);
      return {
        ...figures,
        recentTests: recentTests.map(toSummary),
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

type Parts = Pick<api.DashboardSummary, "downMonitors" | "movedStreams">;

declare module "../../platform/server.ts" {
  interface Feature {
    /** Its part of the dashboard. */
    readonly summarize?: (store: Pick<WorkspaceStore, "read">, now: number) => Promise<Partial<Parts>>;
  }
}

async function readParts(features: readonly Feature[], store: Pick<WorkspaceStore, "read">, now: number) {
  const parts: Parts = { downMonitors: [], movedStreams: [] };
  for (const { summarize } of features) Object.assign(parts, await summarize?.(store, now));
  return parts;
}
