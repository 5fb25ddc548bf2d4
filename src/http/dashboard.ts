import * as endpoints from "../api/calibration.ts";
import * as api from "../api/dashboard.ts";
import { toTimestamp } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import { needed } from "../placement/calibration.ts";
import { type Provider, providers } from "../placement/provider.ts";
import { listDomainNames } from "../store/domains/domains.ts";
import { countProblems, listProblems } from "../store/feedback/problems.ts";
import { listDownMonitors } from "../store/monitors/monitor-list.ts";
import type { MonitorsTable } from "../store/schema/monitors.ts";
import type { WorkspaceStore } from "../store/scope.ts";
import { toProblemData } from "../tasks/feedback/evaluate-feedback.ts";
import {
  type Calibration,
  dropShift,
  readCalibration,
  type ShiftRow,
  setShift,
} from "../tasks/tests/calibration.ts";
import { type Route, route } from "./route.ts";
import { readMovedStreams } from "./streams.ts";
import { toSummary } from "./tests.ts";

export const dashboardRoutes: readonly Route[] = [
  route(api.readDashboard, async ({ workspaceId, store, query: { tz } }, { readDashboard, system }) => {
    const { recentTests, newestFailed, ...figures } = await readDashboard(workspaceId, tz);
    return {
      ...figures,
      recentTests: recentTests.map(toSummary),
      newestFailed: newestFailed && toSummary(newestFailed),
      feedback: await readOpenFeedback(store),
      downMonitors: (await listDownMonitors(store.read, mostMoved)).map(toDown),
      movedStreams: await readMovedStreams(store, system.now() - movedWithinMs, mostMoved),
    };
  }),
];

const mostProblems = 3;

async function readOpenFeedback({
  read,
}: Pick<WorkspaceStore, "read">): Promise<api.DashboardSummary["feedback"]> {
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

const movedWithinMs = 7 * 86_400_000;
const mostMoved = 5;

function toDown({ id, name, state_since, problem }: MonitorsTable) {
  const says = problem === null ? null : (JSON.parse(problem) as { says: string }).says;
  return { id, name, since: toTimestamp(state_since), says };
}

export const calibrationRoutes: readonly Route[] = [
  route(endpoints.readCalibration, async ({ store }) => ({
    providers: (await readCalibration(store)).map(toCalibration),
  })),

  route(endpoints.setShift, async ({ store, caller, params, body }, { system }) => {
    const provider = requireProvider(params.provider);
    const wanted = { provider, value: body.shift, userId: caller.userId };
    return toShift(await setShift(store, system, wanted));
  }),

  route(endpoints.deleteShift, async ({ store, params }) => {
    await dropShift(store, requireProvider(params.provider));
    return undefined;
  }),
];

function requireProvider(name: string): Provider {
  const provider = providers.find((known) => known === name);
  if (provider === undefined) throw new Refusal("not_found", "Assay makes no predictions for this provider.");
  return provider;
}

function toCalibration({ suggestion, why, shift, ...figures }: Calibration) {
  return {
    ...figures,
    needed,
    suggested: suggestion,
    notSuggested: why,
    shift: shift && toShift(shift),
  };
}

function toShift({ shift, observations, set_at, set_by }: ShiftRow): endpoints.PlacementShift {
  return { value: shift, observations, setAt: toTimestamp(set_at), setBy: set_by };
}
