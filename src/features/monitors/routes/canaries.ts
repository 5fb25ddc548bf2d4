import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { listKeptTests } from "../../tests/rows/tests.ts";
import * as endpoints from "../contract/canaries.ts";
import { listRuns, listTimedRuns } from "../rows/monitors.ts";
import { readRelay } from "../rows/relays.ts";
import type { CanarySchedule, CanaryTerms } from "../rules/canary.ts";
import { toFigures, toSpans } from "../rules/state.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";
import { readDetail, readUsual, tryReadCanaryTerms } from "../work/canary-run.ts";
import { readProblem } from "../work/decide.ts";
import { requireMonitor } from "../work/manage-expected.ts";
import { tryReadTerms } from "../work/runs.ts";
import { auditedMonitor, toFields, toLongestRun } from "./monitor-list.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const shownRuns = 50;
/** A run each minute for 31 days. */
const mostRuns = 45_000;

export const canaryRoutes: readonly Route[] = [
  route(endpoints.readMonitor, async ({ store, params: { id }, query: { spans } }, serving) =>
    toDetail(store, await requireMonitor(store.read, id), serving, spans),
  ),

  route(endpoints.createCanary, async ({ store, body }, serving) => {
    const { schedule, objectiveSeconds, ...rest } = body;
    const wanted = { ...rest, schedule: toSchedule(schedule), objectiveMs: objectiveSeconds * 1_000 };
    return toDetail(store, await serving.canaries.create(store, wanted), serving);
  }).recording({ action: "monitor.create", object: auditedMonitor }),

  route(endpoints.changeCanary, async ({ store, params: { id }, body }, serving) => {
    const { schedule, objectiveSeconds, ...rest } = body;
    const changes = {
      ...rest,
      ...(schedule !== undefined && { schedule: toSchedule(schedule) }),
      ...(objectiveSeconds !== undefined && { objectiveMs: objectiveSeconds * 1_000 }),
    };
    return toDetail(store, await serving.canaries.change(store, id, changes), serving);
  }).recording({ action: "monitor.change", object: auditedMonitor }),

  route(endpoints.runCanary, async ({ store, params: { id } }, serving) =>
    toDetail(store, await serving.canaries.runNow(store, id), serving),
  ).recording({ action: "monitor.run", object: auditedMonitor }),

  route(endpoints.deleteMonitor, async ({ store, params: { id } }, { canaries }) => {
    await canaries.remove(store, id);
    return undefined;
  }).recording({ action: "monitor.delete", object: auditedMonitor }),
];

type Detail = endpoints.MonitorDetail;
type Serving = Pick<Server, "system">;

async function toDetail(
  store: Pick<WorkspaceStore, "read" | "readInWorker">,
  row: MonitorsTable,
  serving: Serving,
  spans: "hours" | "days" = "hours",
): Promise<Detail> {
  const now = serving.system.now();
  const isExpected = row.kind === "expected";
  const longest = isExpected ? toLongestRun(row) : 0;
  const since = beginningAt("monitorRun", now - 30 * dayMs - longest);
  const timed = await listTimedRuns(store.readInWorker, row.id, { since, limit: mostRuns });
  const finished = timed.map(({ began_at, ended_at, outcome, delay_ms }) => ({
    at: isExpected ? (ended_at ?? began_at) : began_at,
    outcome,
    delayMs: delay_ms,
  }));
  const runs = await listRuns(store.read, row.id, shownRuns);
  const kept = await listKeptTests(
    store.read,
    runs.flatMap(({ test_id }) => test_id ?? []),
  );
  const within = (ms: number) => toFigures(finished.filter(({ at }) => at >= now - ms));
  const span = spans === "hours" ? { spanMs: hourMs, count: 24 } : { spanMs: dayMs, count: 30 };
  const begin = now - span.spanMs * span.count;
  const charted = finished.filter(({ at }) => at >= begin);
  return {
    ...(await toState(store.read, row)),
    figures: { day: within(dayMs), week: within(7 * dayMs), month: within(30 * dayMs) },
    spans: toSpans(charted, { now, ...span }).map(({ from, ...rest }) => ({ from: toTimestamp(from), ...rest })),
    runs: runs.map((run) => toRun(run, kept)),
  };
}

async function toState(scope: Scope, row: MonitorsTable): Promise<Omit<Detail, "figures" | "spans" | "runs">> {
  const { kind, relay_id } = row;
  const relay = relay_id === null ? undefined : await readRelay(scope, relay_id);
  const usual = row.usual === null ? null : readUsual(row);
  const canary = kind === "canary" ? tryReadCanaryTerms(row) : null;
  const scores = usual?.scores.toSorted((one, other) => one - other) ?? [];
  return {
    ...toFields(row),
    reason: readProblem(row),
    createdAt: toTimestamp(row.created_at),
    nextAt: toTimestampOrNull(row.next_at),
    canary: canary && {
      ...toTerms(canary, relay_id),
      relayName: relay?.name ?? null,
      usualScore: scores[scores.length >> 1] ?? null,
    },
    expected: kind === "expected" ? tryReadTerms(row) : null,
  };
}

function toTerms({ schedule, toSince: _, objectiveMs, ...rest }: CanaryTerms, relayId: string | null) {
  const interval =
    "cron" in schedule ? schedule : { everyMinutes: Math.max(1, Math.round(schedule.everyMs / minuteMs)) };
  return { ...rest, relayId, schedule: interval, objectiveSeconds: Math.round(objectiveMs / 1_000) };
}

function toSchedule(
  schedule: { readonly everyMinutes: number } | { readonly cron: string; readonly timeZone: string },
): CanarySchedule {
  return "cron" in schedule ? schedule : { everyMs: schedule.everyMinutes * minuteMs };
}

function toRun(row: MonitorRunsTable, kept: ReadonlySet<string>): endpoints.MonitorRun {
  const { says = null, observed = null } = readDetail(row);
  return {
    id: row.id,
    beganAt: toTimestamp(row.began_at),
    expectedBy: toTimestampOrNull(row.expected_by),
    acceptedAt: toTimestampOrNull(row.accepted_at),
    endedAt: toTimestampOrNull(row.ended_at),
    outcome: row.outcome,
    says,
    delayMs: row.delay_ms,
    testId: row.test_id !== null && kept.has(row.test_id) ? row.test_id : null,
    observed,
  };
}
