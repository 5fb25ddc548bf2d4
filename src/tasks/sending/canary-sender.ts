// Sends canaries when they are due and notices those that aren't back. The next send and the run are written in one
// transaction with the end of the claim, before anything is sent. So two processes never send the same canary, and one
// that a crash interrupted is not sent twice.

import { messageOf, Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import { toReturnPath, toSendToken } from "../../mail/send-token.ts";
import type { CanaryTerms } from "../../monitors/canary.ts";
import type { MonitorOutcome } from "../../monitors/state.ts";
import { claimDue, finishClaim, releaseClaim } from "../../store/claims.ts";
import {
  insertRun,
  listDueMonitors,
  listRuns,
  lockMonitor,
  readNextDue,
  updateRun,
} from "../../store/monitors/monitors.ts";
import type { MonitorsTable } from "../../store/schema/monitors.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import { endedMeanwhile, finishSend, insertSend } from "../../store/sending/sends.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";
import type { Publish } from "../events/hub.ts";
import { checkOpenRuns, endRun, lockRun, readCanaryTerms, readDetail } from "../monitors/canary-run.ts";
import { decide } from "../monitors/decide.ts";
import { nextTimeOf } from "../monitors/schedule.ts";
import { createWorkLoop, type WorkLoop } from "../work-loop.ts";
import { type CanaryRoute, type RouteTerms, readRoute } from "./canary-route.ts";
import { composeCanary } from "./compose-canary.ts";
import { deliverThrough } from "./member-relay.ts";
import type { Relays } from "./relays.ts";
import type { SignOutgoing } from "./signing-keys.ts";
import { TransportFailure } from "./transports.ts";

export type CanarySenderTerms = RouteTerms & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Signs the tokens in our messages (mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  readonly sign: SignOutgoing;
  readonly relays: Pick<Relays, "open">;
  readonly baseUrl: () => string;
  readonly publish: Publish;
  /** When maintenance ends that covers this time. Null: there is none. */
  readonly endOfMaintenance?: (maintenance: string | null, at: number) => number | null;
};

export type CanarySender = Pick<WorkLoop, "start" | "stop" | "kick" | "untilIdle">;

/** Slow relays must not hold up the others. */
const atOnce = 16;
/** For what is written before the send. The send itself needs no claim. */
const leaseMs = 60_000;
/** For the whole SMTP session. Less than the time after which a send counts as ended (send-test.ts). */
const deadlineMs = 60_000;
/** Other processes may have changed what is due. */
const pollEveryMs = 15_000;
const tryAgainMs = 60_000;
/** To an address that has sent nothing back. */
const mostInVain = 3;

export function createCanarySender(terms: CanarySenderTerms): CanarySender {
  const { store, system, owner } = terms;
  let alarm: NodeJS.Timeout | undefined;
  const loop = createWorkLoop({
    poll,
    every: pollEveryMs,
    log: system.log,
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
        void loop.begin(row.id, () => attempt(row), loop.kick);
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
    try {
      const begun = await store.write((db) => step(db, row, terms));
      note();
      if (begun === null) return;
      await send(begun, terms, loop.stopping);
      note();
    } catch (error) {
      if (!(error instanceof Refusal)) system.log.error("canary failed", { monitor: row.id }, error);
      const dueAt = system.now() + tryAgainMs;
      await store.write((db) => releaseClaim(db, "monitors", row, { dueAt })).catch(() => {});
    }
  }

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

type Begun = {
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
  const isQuiet = (terms.endOfMaintenance?.(row.maintenance, now) ?? null) !== null;
  const begun = isDue && !isQuiet ? await begin(scope, row, terms) : null;
  const isOn = row.enabled === 1 && begun !== "paused";
  const canary = readCanaryTerms(row);
  const next_at = isDue ? nextTimeOf(canary.schedule, row.next_at, now) : row.next_at;
  const isOpen = begun !== null && begun !== "paused" && begun !== "ended";
  const times = [check, isOpen ? now + canary.objectiveMs : null, isOn ? next_at : null];
  const known = times.filter((time) => time !== null);
  const dueAt = known.length === 0 ? null : Math.min(...known);
  const columns = { next_at: isOn ? next_at : null, enabled: isOn ? 1 : 0 };
  const isOurs = await finishClaim(db, "monitors", claimed, dueAt, columns);
  // Cannot happen while the row is locked. If it did, another process would send too.
  if (!isOurs) throw new Error("The claim on a canary was lost.");
  return isOpen ? begun : null;
}

/** "ended": the run failed before anything was sent. "paused": no more are sent to that address. */
async function begin(
  scope: Scope,
  monitor: MonitorsTable,
  terms: CanarySenderTerms,
): Promise<Begun | "ended" | "paused"> {
  const { system, sendKey } = terms;
  const now = system.now();
  const canary = readCanaryTerms(monitor);
  const runId = createId("monitorRun", now, system.random(16));
  const run = {
    ...{ id: runId, monitor_id: monitor.id, began_at: now, expected_by: now + canary.objectiveMs },
    ...{ ended_at: null, outcome: null, delay_ms: null, test_id: null, send_id: null, accepted_at: null },
    detail: null,
  };
  const route = await findRoute(scope, monitor, canary, terms);
  if (route instanceof Refusal) {
    await insertRun(scope, run);
    const kept = { monitor, run: { ...run, workspace_id: monitor.workspace_id } };
    await endRun(scope, kept, { outcome: "unreachable", says: route.message, at: now }, system);
    return "ended";
  }
  if (route.isForeign && (await isInVain(scope, monitor, canary, route.to, system))) return "paused";
  const sendId = createId("send", now, system.random(16));
  const messageId = `${toSendToken(sendId, sendKey)}@${route.sender.domain}`;
  await insertSend(scope, {
    ...{ id: sendId, created_at: now, label: canaryLabel, subject: canary.subject ?? monitor.name },
    ...{ sender: route.sender.address, recipient: route.to, message_id: messageId },
    ...{ transport: "relay", monitor_id: monitor.id },
  });
  await insertRun(scope, { ...run, send_id: sendId });
  return { monitor, terms: canary, route, runId, sendId, messageId };
}

const canaryLabel = "canary";

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
async function isInVain(
  scope: Scope,
  monitor: MonitorsTable,
  { toSince }: CanaryTerms,
  to: string,
  system: CanarySenderTerms["system"],
): Promise<boolean> {
  if (monitor.last_ok_at !== null && monitor.last_ok_at >= toSince) return false;
  const runs = (await listRuns(scope, monitor.id, keptInView)).filter(({ began_at }) => began_at >= toSince);
  const [last] = runs;
  if (last === undefined || runs.length < mostInVain) return false;
  if (runs.some(({ delay_ms }) => delay_ms !== null)) return false;
  const says = `Nothing came back from ${to} after ${mostInVain} canaries, so no more are sent. Check that it forwards to a seed inbox, then resume.`;
  const at = system.now();
  const decision = { runId: last.id, outcome: "lost", says, testId: null, at, isRevised: false } as const;
  await decide(scope, monitor.id, decision, 1, system);
  return true;
}

const keptInView = 20;

async function send(begun: Begun, terms: CanarySenderTerms, stopping: AbortSignal): Promise<void> {
  const { store, system } = terms;
  const { monitor, runId, sendId } = begun;
  const scopeOf = (db: Db) => inWorkspace(db, monitor.workspace_id);
  try {
    await deliver(begun, terms, AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)]));
  } catch (error) {
    const failure = toFailure(error, stopping);
    if (failure.isBug) system.log.error("canary not sent", { monitor: monitor.id }, error);
    return await store.write((db) => recordFailure(scopeOf(db), begun, failure, system));
  }
  const now = system.now();
  await store.write(async (db) => {
    await finishSend(scopeOf(db), sendId, { status: "sent", problem: null, finished_at: now });
    await updateRun(scopeOf(db), runId, { accepted_at: now });
  });
}

async function deliver(
  { monitor, terms: canary, route, sendId, messageId }: Begun,
  { store, system, sendKey, sign, relays, road, baseUrl }: CanarySenderTerms,
  signal: AbortSignal,
): Promise<void> {
  const { relay, sender, to, bounceDomain } = route;
  const composed = await composeCanary({
    ...{ ...canary, name: monitor.name, sender, to, sentAt: system.now(), messageId: `<${messageId}>` },
    ...{ token: toSendToken(sendId, sendKey), baseUrl: baseUrl() },
  });
  const raw = await sign(inWorkspace(store.read, monitor.workspace_id), sender.domain, composed);
  const isOwnPath = relay?.return_path === "sender";
  const mailFrom = isOwnPath ? sender.address : toReturnPath(sendId, bounceDomain, sendKey);
  const mark = { sendId, workspaceId: monitor.workspace_id, label: canaryLabel };
  if (relay === null) await road.deliver({ mark, mailFrom, rcptTo: to, raw }, signal);
  else await deliverThrough(relays.open(relay), { mailFrom, rcptTo: to, raw }, signal);
}

type Failure = {
  readonly problem: string;
  /** Null: it may have been accepted, so it may still come back. */
  readonly outcome: MonitorOutcome | null;
  readonly isBug: boolean;
};

function toFailure(error: unknown, stopping: AbortSignal): Failure {
  if (stopping.aborted) return { problem: endedMeanwhile, outcome: null, isBug: false };
  if (!(error instanceof TransportFailure))
    return { problem: `Internal error: ${messageOf(error)}`, outcome: "interrupted", isBug: true };
  const { message: problem, rejection, isUncertain } = error;
  if (isUncertain) return { problem, outcome: null, isBug: false };
  const refused = rejection?.reply.startsWith("4") ? "deferred" : "refused";
  return { problem, outcome: rejection === null ? "unreachable" : refused, isBug: false };
}

async function recordFailure(
  scope: Scope,
  { monitor, runId, sendId }: Begun,
  { problem, outcome }: Failure,
  system: CanarySenderTerms["system"],
): Promise<void> {
  const at = system.now();
  await finishSend(scope, sendId, { status: "failed", problem, finished_at: at });
  const locked = await lockRun(scope, { id: runId, monitor_id: monitor.id });
  if (locked === null || locked.run.outcome !== null) return;
  if (outcome === null)
    await updateRun(scope, runId, {
      detail: JSON.stringify({ ...readDetail(locked.run), sending: problem }),
    });
  else await endRun(scope, locked, { outcome, says: problem, at }, system);
}
