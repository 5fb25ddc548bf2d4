import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { type Route, readsOnly, route } from "../../../platform/route.ts";
import type { Feature, Server } from "../../../platform/server.ts";
import * as expected from "../contract/expected.ts";
import * as endpoints from "../contract/monitor-list.ts";
import {
  countOutcomes,
  countUp,
  type FinishedRun,
  listDownMonitors,
  listLastRuns,
  listMonitors,
  type OutcomeCount,
  type StoredMail,
} from "../rows/monitor-list.ts";
import { periodOf } from "../rules/expected.ts";
import { isCounted } from "../rules/state.ts";
import type { MonitorsTable } from "../tables.ts";
import { changeExpected, createExpected, previewExpected, requireExpected } from "../work/manage-expected.ts";
import { readTerms, tryReadTerms } from "../work/runs.ts";

export const auditedMonitor = auditedObject({
  kind: "monitor",
  table: "monitors",
  columns: ["name", "kind", "relay_id", "terms", "enabled"],
  toName: ({ name }) => name,
});

type Serving = Pick<Server, "system">;

const weekMs = 7 * 86_400_000;
const shownRuns = 20;
const shownMatches = 3;

export const monitorListRoutes: readonly Route[] = [
  route(endpoints.listMonitors, async ({ store: { readInWorker } }, dependencies) => ({
    items: await toItems(readInWorker, await listMonitors(readInWorker), dependencies),
  })),

  route(expected.previewExpected, async ({ store, body: { match } }, { system }) => {
    const { since, compared, isCut, matching, others } = await previewExpected(store, system, match);
    return {
      from: toTimestamp(since),
      compared,
      isCut,
      isTextSkipped: match.textContains !== null,
      matching: matching.length,
      otherWords: others.length,
      newest: matching.slice(0, shownMatches).map(toFound),
      newestOther: others[0] ? toFound(others[0]) : null,
    };
  }).recording(readsOnly),

  route(expected.createExpected, async ({ store, body }, dependencies) =>
    toExpected(store.read, await createExpected(store, dependencies.system, body), dependencies),
  ).recording({ action: "monitor.create", object: auditedMonitor }),

  route(expected.readExpected, async ({ store: { read }, params: { id } }, dependencies) =>
    toExpected(read, await requireExpected(read, id), dependencies),
  ),

  route(expected.changeExpected, async ({ store, params: { id }, body }, dependencies) =>
    toExpected(store.read, await changeExpected(store, dependencies.system, id, body), dependencies),
  ).recording({ action: "monitor.change", object: auditedMonitor }),
];

async function toItem(scope: Scope, row: MonitorsTable, dependencies: Serving): Promise<endpoints.MonitorItem> {
  const [item] = await toItems(scope, [row], dependencies);
  if (!item) throw new Error("A monitor has one item.");
  return item;
}

async function toItems(
  scope: Scope,
  rows: readonly MonitorsTable[],
  { system }: Serving,
): Promise<endpoints.MonitorItem[]> {
  const now = system.now();
  const counts = await countWeek(scope, rows, now);
  const byMonitor = Map.groupBy(counts, ({ monitor_id }) => monitor_id);
  const lists = await Promise.all(rows.map(({ id }) => listLastRuns(scope, id, shownRuns)));
  return rows.map((row, index) => ({
    ...toFields(row),
    ...toShare(byMonitor.get(row.id) ?? []),
    lastRuns: (lists[index] ?? []).map(toRun).reverse(),
  }));
}

/** A canary's run counts when it was sent. A window of expected mail counts when it ended, because it may last for weeks. */
async function countWeek(scope: Scope, rows: readonly MonitorsTable[], now: number): Promise<OutcomeCount[]> {
  const since = now - weekMs;
  const idsOf = (kind: MonitorsTable["kind"]) => rows.flatMap((row) => (row.kind === kind ? row.id : []));
  const longest = Math.max(0, ...rows.map((row) => (row.kind === "expected" ? toLongestRun(row) : 0)));
  const lists = await Promise.all([
    countOutcomes(scope, idsOf("canary"), { began: since }),
    countOutcomes(scope, idsOf("expected"), { began: since - longest, ended: since }),
  ]);
  return lists.flat();
}

const minuteMs = 60_000;
/** An outage of this server makes a window end later. */
const outageMs = 24 * 60 * minuteMs;

/** How long a window of expected mail lasts. */
export function toLongestRun(row: MonitorsTable): number {
  const terms = tryReadTerms(row);
  return (terms === null ? 0 : periodOf(terms) + terms.graceMinutes * minuteMs) + outageMs;
}

/** What the list and the page of a monitor have in common. */
export function toFields(row: MonitorsTable) {
  const problem = row.problem === null ? null : (JSON.parse(row.problem) as endpoints.MonitorItem["reason"]);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    enabled: row.enabled === 1,
    state: row.state,
    since: toTimestamp(row.state_since),
    reason: problem && { code: problem.code, says: problem.says, testId: problem.testId },
    dueAt: row.enabled === 1 ? toTimestampOrNull(row.due_at) : null,
    lastOkAt: toTimestampOrNull(row.last_ok_at),
  };
}

function toShare(counts: readonly OutcomeCount[]): Pick<endpoints.MonitorItem, "uptime7d" | "runs7d"> {
  const sum = (some: readonly OutcomeCount[]) => some.reduce((total, { count }) => total + count, 0);
  const ok = sum(counts.filter(({ outcome }) => outcome === "ok"));
  const all = sum(counts.filter(({ outcome }) => outcome !== null && isCounted(outcome)));
  return { uptime7d: all === 0 ? null : ok / all, runs7d: all };
}

function toRun({ id, ended_at, began_at, outcome, test_id }: FinishedRun) {
  return { id, at: toTimestamp(ended_at ?? began_at), outcome: outcome ?? "interrupted", testId: test_id };
}

function toFound({ id, received_at, header_from, subject }: StoredMail) {
  return { testId: id, receivedAt: toTimestamp(received_at), from: header_from, subject };
}

async function toExpected(scope: Scope, row: MonitorsTable, dependencies: Serving): Promise<expected.ExpectedMonitor> {
  return { ...(await toItem(scope, row, dependencies)), ...readTerms(row) };
}

/** On Home. */
const mostDown = 5;

export const summarizeMonitors: NonNullable<Feature["summarize"]> = async ({ read }) => ({
  monitors: { up: await countUp(read) },
  downMonitors: (await listDownMonitors(read, mostDown)).map(({ id, name, state_since, problem }) => {
    const says = problem === null ? null : (JSON.parse(problem) as { says: string }).says;
    return { id, name, since: toTimestamp(state_since), says };
  }),
});
