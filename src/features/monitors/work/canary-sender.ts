// Sends canaries when they are due and notices those that aren't back. The next send and the run are written in one
// transaction with the end of the claim, before anything is sent. So two processes never send the same canary, and one
// that a crash interrupted is not sent twice.

import { toSendToken } from "../../../analyzer/mail/send-token.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { claimDue, finishClaim, releaseClaim } from "../../../platform/work/claims.ts";
import { createWorkLoop, type WorkLoop } from "../../../platform/work/work-loop.ts";
import type { Publish } from "../../events/work/hub.ts";
import { insertSend } from "../../sending/rows.ts";
import type { SignOutgoing } from "../../sending/work/signing-keys.ts";
import { insertRun, listDueMonitors, listRuns, lockMonitor, readNextDue } from "../rows/monitors.ts";
import type { CanaryTerms } from "../rules/canary.ts";
import type { MonitorOutcome } from "../rules/state.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";
import { sendCanary } from "./canary-delivery.ts";
import { type CanaryRoute, type RouteTerms, readRoute } from "./canary-route.ts";
import { checkOpenRuns, endRun, readCanaryTerms } from "./canary-run.ts";
import { noteUnjudged } from "./change-state.ts";
import { canaryLabel, defaultSubject } from "./compose-canary.ts";
import { decide } from "./decide.ts";
import type { Relays } from "./relays.ts";
import { nextTimeOf } from "./schedule.ts";

export type CanarySenderTerms = RouteTerms & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Signs the tokens in our messages (analyzer/mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  readonly sign: SignOutgoing;
  readonly relays: Pick<Relays, "open">;
  readonly publish: Publish;
};

export type CanarySender = Pick<WorkLoop, "start" | "stop" | "kick" | "untilIdle">;

/** Slow relays must not hold up the others. */
const atOnce = 16;
/** For what is written before the send. The send itself needs no claim. */
const leaseMs = 60_000;
/** Other processes may have changed what is due. */
const pollEveryMs = 15_000;
/** To an address that has sent nothing back. */
const mostInVain = 3;

export function createCanarySender(terms: CanarySenderTerms): CanarySender {
  const { store, system, owner } = terms;
  let alarm: NodeJS.Timeout | undefined;
  const loop = createWorkLoop({
    poll,
    every: pollEveryMs,
    system,
    words: { trouble: "checking canaries failed", over: "checking canaries is working again" },
  });

  async function poll(): Promise<void> {
    const limit = atOnce - loop.count();
    if (limit <= 0 || loop.stopping.aborted) return;
    const now = system.now();
    const only = await listDueMonitors(store.read, { kind: "canary", now, limit });
    if (only.length > 0) {
      const lease = { now, owner, leaseMs, limit, only };
      for (const row of await store.write((db) => claimDue(db, "monitors", lease)))
        void loop.begin(row.id, () => loop.serve(row.id, () => attempt(row), toPutBack(row)), loop.kick);
    }
    await wakeInTime();
  }

  /** Not with the loop's own alarm, because waiting for a time to come is no pending work. */
  async function wakeInTime(): Promise<void> {
    const next = await readNextDue(store.read, "canary");
    const waitMs = next === undefined ? pollEveryMs : next - system.now();
    if (waitMs <= 0 || waitMs >= pollEveryMs || loop.stopping.aborted) return;
    clearTimeout(alarm);
    alarm = setTimeout(loop.kick, waitMs).unref();
  }

  async function attempt(row: MonitorsTable): Promise<void> {
    const note = () => terms.publish(row.workspace_id, { type: "monitor.changed", id: row.id });
    const begun = await store.write((db) => step(db, row, terms));
    note();
    if (begun === null) return;
    await sendCanary(begun, terms, loop.stopping);
    note();
  }

  const toPutBack = (row: MonitorsTable) => (error: unknown, dueAt: number) =>
    store.write(async (db) => {
      if (await releaseClaim(db, "monitors", row, { dueAt }))
        await noteUnjudged(inWorkspace(db, row.workspace_id), row.id, { error, dueAt }, system);
    });

  return {
    start: loop.start,
    kick: loop.kick,
    untilIdle: loop.untilIdle,
    stop: async (withinMs) => {
      clearTimeout(alarm);
      await loop.stop(withinMs);
    },
  };
}

export type Begun = {
  readonly monitor: MonitorsTable;
  readonly terms: CanaryTerms;
  readonly route: CanaryRoute;
  readonly runId: string;
  readonly sendId: string;
  readonly messageId: string;
};

/** Decides what is overdue, and writes the next run if one is due. Null: nothing is to be sent. */
async function step(db: Db, claimed: MonitorsTable, terms: CanarySenderTerms): Promise<Begun | null> {
  const { system } = terms;
  const scope = inWorkspace(db, claimed.workspace_id);
  const row = await lockMonitor(scope, claimed.id);
  if (row?.claimed_by !== claimed.claimed_by || row.attempts !== claimed.attempts) return null;
  const check = await checkOpenRuns(scope, row, system);
  const now = system.now();
  const isDue = row.enabled === 1 && row.next_at !== null && row.next_at <= now;
  const begun = isDue ? await begin(scope, row, terms) : null;
  const { schedule, objectiveMs } = readCanaryTerms(row);
  const isOn = row.enabled === 1 && begun !== "paused";
  const planned = isDue ? nextTimeOf(schedule, row.next_at, now) : row.next_at;
  const next_at = isOn ? planned : null;
  const opened = typeof begun === "string" ? null : begun;
  const dueAt = earliest([check, opened && now + objectiveMs, next_at]);
  const columns = { next_at, enabled: isOn ? 1 : 0 };
  const isOurs = await finishClaim(db, "monitors", claimed, dueAt, columns);
  // Cannot happen while the row is locked. If it did, another process would send too.
  if (!isOurs) throw new Error("The claim on a canary was lost.");
  return opened;
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * "ended": the run failed before anything was sent. "waiting": the first canaries to that address may still come back.
 * "paused": no more are sent to it.
 */
async function begin(
  scope: Scope,
  monitor: MonitorsTable,
  terms: CanarySenderTerms,
): Promise<Begun | "ended" | "waiting" | "paused"> {
  const { system, sendKey } = terms;
  const now = system.now();
  const canary = readCanaryTerms(monitor);
  const runId = createId("monitorRun", now, system.random(16));
  const run = { id: runId, monitor_id: monitor.id, began_at: now, expected_by: now + canary.objectiveMs };
  const route = await findRoute(scope, monitor, canary, terms);
  if (route instanceof Refusal) {
    const kept = { monitor, run: await insertRun(scope, run) };
    await endRun(scope, kept, { outcome: "unreachable", says: route.message, at: now }, system);
    return "ended";
  }
  const held = route.isForeign ? await holdBack(scope, monitor, canary, route.to, system) : null;
  if (held !== null) return held;
  const sendId = createId("send", now, system.random(16));
  const messageId = `${toSendToken(sendId, sendKey)}@${route.sender.domain}`;
  await insertSend(scope, {
    id: sendId,
    created_at: now,
    label: canaryLabel,
    subject: canary.subject ?? defaultSubject,
    sender: route.sender.address,
    recipient: route.to,
    message_id: messageId,
    transport: "relay",
    monitor_id: monitor.id,
  });
  await insertRun(scope, { ...run, send_id: sendId });
  return { monitor, terms: canary, route, runId, sendId, messageId };
}

async function findRoute(
  scope: Scope,
  { relay_id: relayId }: MonitorsTable,
  { to, from }: CanaryTerms,
  terms: CanarySenderTerms,
): Promise<CanaryRoute | Refusal> {
  try {
    return await readRoute(scope, { relayId, to, from }, terms);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * An address that isn't ours must send canaries back, because otherwise anyone could have Assay send mail to anyone on
 * a schedule.
 */
async function holdBack(
  scope: Scope,
  monitor: MonitorsTable,
  { toSince }: CanaryTerms,
  to: string,
  system: CanarySenderTerms["system"],
): Promise<"waiting" | "paused" | null> {
  if (monitor.last_ok_at !== null && monitor.last_ok_at >= toSince) return null;
  const runs = (await listRuns(scope, monitor.id, keptInView)).filter(
    (run) => run.began_at >= toSince && mayHaveLeft(run),
  );
  const [last] = runs;
  if (last === undefined || runs.length < mostInVain) return null;
  if (runs.some(({ delay_ms }) => delay_ms !== null)) return null;
  if (runs.some(({ outcome }) => outcome === null)) return "waiting";
  const says = `Nothing came back from ${to} after ${mostInVain} canaries, so no more are sent. Check that it forwards to a seed inbox, then resume.`;
  const at = system.now();
  const decision = { runId: last.id, outcome: "lost", says, testId: null, at, isRevised: false } as const;
  await decide(scope, monitor.id, decision, 1, system);
  return "paused";
}

/** Not those that no server accepted. */
function mayHaveLeft({ outcome, accepted_at }: MonitorRunsTable): boolean {
  return accepted_at !== null || outcome === null || !unsent.includes(outcome);
}

const unsent: readonly MonitorOutcome[] = ["unreachable", "refused", "deferred"];
/** So many that those that never left hardly hide the others. */
const keptInView = 200;
