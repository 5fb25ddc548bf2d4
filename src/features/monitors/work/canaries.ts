// Adds, changes, and removes canaries (src/decisions.md, "Canaries").

import { whyNoHeaderText } from "../../../analyzer/mail/send-token.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import {
  countMonitors,
  insertMonitor,
  listRuns,
  lockMonitor,
  type MonitorChange,
  readMonitor,
  removeMonitor,
  updateMonitor,
} from "../rows/monitors.ts";
import { type CanaryTerms, longestObjectiveMs } from "../rules/canary.ts";
import type { MonitorsTable } from "../tables.ts";
import { type RouteTerms, readRoute } from "./canary-route.ts";
import { readCanaryTerms } from "./canary-run.ts";
import { requireMonitor } from "./manage-expected.ts";
import { nextTimeOf, whyNoCron } from "./schedule.ts";

type WantedCanary = Omit<CanaryTerms, "toSince"> & { readonly name: string; readonly relayId: string | null };
type CanaryChanges = {
  readonly [Name in keyof WantedCanary]?: WantedCanary[Name] | undefined;
} & { readonly enabled?: boolean | undefined };

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

type CanariesTerms = RouteTerms & {
  readonly system: Pick<System, "now" | "random">;
  /** There may be something to send. */
  readonly kick: () => void;
};

export type Canaries = {
  readonly hasServerRelay: () => boolean;
  readonly create: (store: Writing, wanted: WantedCanary) => Promise<MonitorsTable>;
  readonly change: (store: Writing, id: string, changes: CanaryChanges) => Promise<MonitorsTable>;
  /** Sends one as soon as possible. */
  readonly runNow: (store: Writing, id: string) => Promise<MonitorsTable>;
  /** A monitor of either kind. */
  readonly remove: (store: Writing, id: string) => Promise<void>;
};

const maxCanaries = 100;
/** Between two runs that were asked for. */
const pauseMs = 15_000;

export function createCanaries(terms: CanariesTerms): Canaries {
  /** There may be something to send. */
  const kicked = async (writing: Promise<MonitorsTable>): Promise<MonitorsTable> => {
    const row = await writing;
    terms.kick();
    return row;
  };
  return {
    hasServerRelay: () => terms.road.transport === "relay",
    create: (store, wanted) => kicked(create(store, wanted, terms)),
    change: (store, id, changes) => kicked(store.write((scope) => change(scope, id, changes, terms))),
    runNow: (store, id) => kicked(store.write((scope) => sendSoon(scope, id, terms.system.now()))),
    remove: (store, id) =>
      store.write(async (scope) => {
        await requireMonitor(scope, id);
        await removeMonitor(scope, id);
        recordChange();
      }),
  };
}

async function create(
  store: Writing,
  { name, relayId, ...wanted }: WantedCanary,
  terms: CanariesTerms,
): Promise<MonitorsTable> {
  const { system } = terms;
  const now = system.now();
  const canaryTerms: CanaryTerms = { ...wanted, toSince: now };
  requireTerms(canaryTerms, now);
  await readRoute(store.read, { relayId, ...canaryTerms }, terms);
  const id = createId("monitor", now, system.random(16));
  const columns = { relay_id: relayId, terms: JSON.stringify(canaryTerms), created_at: now, next_at: now };
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    if ((await countMonitors(scope, "canary")) >= maxCanaries)
      throw new Refusal("conflict", `A workspace can have at most ${maxCanaries} canaries. Delete one first.`);
    await insertMonitor(scope, { id, kind: "canary", name, ...columns });
    recordChange({ objectId: id });
    return await requireMonitor(scope, id);
  });
}

async function change(scope: Scope, id: string, changes: CanaryChanges, terms: CanariesTerms): Promise<MonitorsTable> {
  const now = terms.system.now();
  const before = requireCanary(await lockMonitor(scope, id));
  const columns = toChange(before, changes, now);
  const next = JSON.parse(columns.terms) as CanaryTerms;
  requireTerms(next, now);
  await readRoute(scope, { relayId: columns.relay_id, ...next }, terms);
  await updateMonitor(scope, id, columns);
  recordChange();
  return requireCanary(await readMonitor(scope, id));
}

async function sendSoon(scope: Scope, id: string, now: number): Promise<MonitorsTable> {
  const before = requireCanary(await lockMonitor(scope, id));
  if (before.enabled === 0) throw new Refusal("conflict", "The canary is paused. Resume it first.");
  const [last] = await listRuns(scope, id, 1);
  const freeAt = (last?.began_at ?? Number.NEGATIVE_INFINITY) + pauseMs;
  if (freeAt > now)
    throw new Refusal("rate_limited", "The last canary was sent just now.", {
      retryAfterSeconds: Math.ceil((freeAt - now) / 1_000),
    });
  await updateMonitor(scope, id, { next_at: now, due_at: now });
  recordChange();
  return requireCanary(await readMonitor(scope, id));
}

function requireCanary(row: MonitorsTable | undefined): MonitorsTable {
  if (row?.kind !== "canary") throw new Refusal("not_found", "Canary not found.");
  return row;
}

function toChange(
  before: MonitorsTable,
  { name, relayId, enabled, ...changes }: CanaryChanges,
  now: number,
): MonitorChange & { readonly terms: string; readonly relay_id: string | null } {
  const known = readCanaryTerms(before);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next = { ...known, ...given } as CanaryTerms;
  const moved = next.to === known.to ? next : { ...next, toSince: now };
  const relay_id = relayId === undefined ? before.relay_id : relayId;
  const isOn = enabled ?? before.enabled === 1;
  const isTimed = JSON.stringify(next.schedule) !== JSON.stringify(known.schedule);
  const isResumed = isOn && before.enabled === 0;
  const next_at = !isOn ? null : isResumed ? now : isTimed ? nextTimeOf(next.schedule, null, now) : before.next_at;
  return {
    terms: JSON.stringify(moved),
    relay_id,
    next_at,
    ...(name !== undefined && { name }),
    enabled: isOn ? 1 : 0,
    // The loop looks what is due now, and plans from there.
    due_at: now,
    // Another message or path has other usual results.
    ...(isOtherMail(known, next) || relay_id !== before.relay_id ? { usual: null } : {}),
  };
}

function isOtherMail(one: CanaryTerms, other: CanaryTerms): boolean {
  return (["to", "from", "subject", "text", "html"] as const).some((field) => one[field] !== other[field]);
}

/** What the schema of the request can't say. */
function requireTerms(terms: CanaryTerms, now: number): void {
  const { schedule, objectiveMs } = terms;
  if ("cron" in schedule) {
    const problem = whyNoCron(schedule.cron, schedule.timeZone, now);
    if (problem !== null) throw refusal("schedule.cron", problem);
  }
  if (objectiveMs > longestObjectiveMs) throw refusal("objectiveSeconds", "must be at most six hours");
  const problem = terms.subject === null ? null : whyNoHeaderText(terms.subject);
  if (problem !== null) throw refusal("subject", problem);
  for (const field of ["text", "html"] as const)
    if (terms[field]?.includes("\0") || terms[field]?.isWellFormed() === false)
      throw refusal(field, "must be valid text without NUL characters");
}

function refusal(field: string, problem: string): Refusal {
  return new Refusal("invalid_request", `"${field}" ${problem}.`, { field });
}
