// Sends one canary and records what the relay said.

import { toReturnPath, toSendToken } from "../../../analyzer/mail/send-token.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { messageOf } from "../../../platform/errors.ts";
import { endedMeanwhile, finishSend } from "../../sending/rows.ts";
import { deliverThrough } from "../../sending/work/guarded-relay.ts";
import { TransportFailure } from "../../sending/work/transports.ts";
import { updateRun } from "../rows/monitors.ts";
import type { MonitorOutcome } from "../rules/state.ts";
import { endRun, lockRun, readDetail } from "./canary-run.ts";
import type { Begun, CanarySenderTerms } from "./canary-sender.ts";
import { canaryLabel, composeCanary } from "./compose-canary.ts";

/** For the whole SMTP session. Less than the time after which a send counts as ended (send-test.ts). */
const deadlineMs = 60_000;

export async function sendCanary(begun: Begun, terms: CanarySenderTerms, stopping: AbortSignal): Promise<void> {
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
  { store, system, sendKey, sign, relays, road }: CanarySenderTerms,
  signal: AbortSignal,
): Promise<void> {
  const { relay, sender, to, bounceDomain } = route;
  const composed = await composeCanary({
    ...canary,
    sender,
    to,
    sentAt: system.now(),
    messageId: `<${messageId}>`,
    token: toSendToken(sendId, sendKey),
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
    await updateRun(scope, runId, { detail: JSON.stringify({ ...readDetail(locked.run), sending: problem }) });
  else await endRun(scope, locked, { outcome, says: problem, at }, system);
}
