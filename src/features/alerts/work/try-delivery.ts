// One try: sends a webhook's claimed deliveries in one request and records what the response means for each.

import type { Db } from "../../../platform/database/schema.ts";
import type { DeliveriesTable, DeliveryStatus } from "../../domains/tables.ts";
import { endAddress } from "../rows/addresses.ts";
import { finishDeliveries, isAtAddress, switchOffAlert, updateAlert } from "../rows/outbox.ts";
import type { AlertKind } from "../rules/alert-event.ts";
import { nextTry, type Verdict } from "../rules/retries.ts";
import type { AlertDelivererOptions } from "./deliver.ts";
import { type Sent, sendMessage } from "./send-message.ts";
import { type DueDelivery, giveBack } from "./take-due.ts";

/** A webhook that failed for this long when a delivery is given up is turned off. Its receiver is gone. */
const deadAfterMs = 5 * 24 * 3_600_000;

/** For metrics. */
export type DeliveryTry = {
  readonly channel: AlertKind;
  /** gone: the receiver is turned off after this. */
  readonly result: Verdict["means"];
};

/** `signal` aborts the request. Returns whether it was delivered. */
export async function tryDelivery(
  taken: DueDelivery,
  signal: AbortSignal,
  options: AlertDelivererOptions,
): Promise<boolean> {
  const { store, system, events } = options;
  const { alert, notice } = taken;
  const sent = await sendMessage(taken, signal, options);
  const now = system.now();
  const { verdict } = sent;
  options.onTried?.({ channel: alert.kind, result: verdict.means });
  if (notice !== null) {
    system.log.info("webhook alerts held", { alert: alert.id, notice: verdict.means });
    return false;
  }
  const judged = { verdict, result: toResult(taken, sent, now), now };
  const statuses = await store.write((db) => record(db, taken, judged, options));
  for (const [id, status] of statuses)
    events.publish(alert.workspace_id, { type: "alert.delivery", id, alertId: alert.id, status });
  return verdict.means === "delivered";
}

type Result = Pick<DeliveriesTable, "last_tried_at" | "duration_ms" | "http_status" | "reply">;

function toResult({ startedAt }: DueDelivery, { httpStatus, reply }: Sent, now: number): Result {
  return { last_tried_at: startedAt, duration_ms: now - startedAt, http_status: httpStatus, reply };
}

type Attempt = { readonly verdict: Verdict; readonly result: Result; readonly now: number };

/** The new status of each delivery. Empty if another process has taken them over. */
async function record(
  db: Db,
  taken: DueDelivery,
  judged: Attempt,
  options: AlertDelivererOptions,
): Promise<ReadonlyMap<string, DeliveryStatus>> {
  const isDelivered = judged.verdict.means === "delivered";
  const statuses = new Map<string, DeliveryStatus>();
  // The URL was changed during the try, so its failure says nothing about the new URL.
  if (!isDelivered && !(await isAtAddress(db, taken.alert))) {
    await giveBack(db, taken, options);
    return statuses;
  }
  for (const [tries, alike] of Map.groupBy(taken.rows, (row) => row.tries + 1)) {
    const columns = isDelivered ? toDelivered(judged, tries) : toFailed(judged, tries, options);
    const ours = await finish(db, taken, alike, columns, options);
    if (ours > 0) for (const { id } of alike) statuses.set(id, columns.status);
  }
  if (statuses.size === 0) return statuses;
  if (!isDelivered) await recordFailure(db, taken, judged, [...statuses.values()], options);
  else if (taken.alert.failing_since !== null) await updateAlert(db, taken.alert.id, { failing_since: null });
  return statuses;
}

type Outcome = Result & Pick<DeliveriesTable, "tries" | "status" | "problem" | "due_at" | "delivered_at">;

function toDelivered({ result, now }: Attempt, tries: number): Outcome {
  return { ...result, tries, status: "delivered", problem: null, due_at: null, delivered_at: now };
}

function toFailed({ verdict, result, now }: Attempt, tries: number, { system }: AlertDelivererOptions): Outcome {
  const chance = (system.random(1)[0] ?? 0) / 255;
  const retryAt = verdict.means === "failed" ? nextTry(tries, now, chance) : null;
  const problem = verdict.means === "delivered" ? null : verdict.problem;
  const due_at = retryAt && Math.max(retryAt, holdUntil(verdict) ?? 0);
  return { ...result, tries, status: retryAt === null ? "dead" : "pending", problem, due_at, delivered_at: null };
}

function holdUntil(verdict: Verdict): number | null {
  return verdict.means === "failed" ? verdict.holdUntil : null;
}

/** The oldest delivery holds the message; the others refer to it. */
async function finish(
  db: Db,
  { rows: [leader], claimedUntil: until }: DueDelivery,
  alike: readonly DeliveriesTable[],
  columns: Outcome,
  { owner }: AlertDelivererOptions,
): Promise<number> {
  const ids = alike.flatMap(({ id }) => (id === leader?.id ? [] : [id]));
  const told_with = columns.status === "delivered" ? (leader?.id ?? null) : null;
  const others = await finishDeliveries(db, { ids, owner, until }, { ...columns, told_with });
  if (!leader || ids.length === alike.length) return others;
  return others + (await finishDeliveries(db, { ids: [leader.id], owner, until }, { ...columns, told_with: null }));
}

async function recordFailure(
  db: Db,
  taken: DueDelivery,
  { verdict, now }: Attempt,
  statuses: readonly DeliveryStatus[],
  options: AlertDelivererOptions,
): Promise<void> {
  const { id, kind, failing_since: since } = taken.alert;
  const failing_since = since ?? now;
  const not_before = holdUntil(verdict);
  // After a failure, a chat service does not have to wait for its minute to pass.
  const hold = not_before !== null || kind !== "json" ? { not_before } : {};
  await updateAlert(db, id, { failing_since, ...hold });
  if (verdict.means === "gone") await switchOff(db, taken, verdict.problem, options);
  else if (failing_since <= now - deadAfterMs && statuses.includes("dead")) {
    const because = `All deliveries have failed since ${new Date(failing_since).toISOString().slice(0, 16)}Z.`;
    await switchOff(db, taken, because, options);
  }
}

/** The next poll drops what still waits, for the same reason. */
async function switchOff(
  db: Db,
  { alert, rows, claimedUntil: until }: DueDelivery,
  because: string,
  { owner, system }: AlertDelivererOptions,
): Promise<void> {
  const { address_id, workspace_id } = alert;
  if (address_id === null) await switchOffAlert(db, alert.id, because);
  else await endAddress(db, { id: address_id, workspace_id }, { state: "bounced", problem: because, because });
  await finishDeliveries(db, { ids: rows.map(({ id }) => id), owner, until }, {});
  system.log.warn("webhook turned off", { alert: alert.id, because });
}
