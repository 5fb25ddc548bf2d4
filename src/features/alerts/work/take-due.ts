// Claims a webhook's next delivery, in one transaction with the rate limits it counts against. A chat service gets all
// due events in one message, at most one a minute, an email address at most one in five minutes. A JSON webhook gets events one by one, 120 an hour. Then it gets one
// notice, and the rest follow in order after the hour.

import type { Db } from "../../../platform/database/schema.ts";
import type { AlertsTable, DeliveriesTable } from "../../domains/tables.ts";
import { claimDeliveries, finishDeliveries, listDue, lockAlert, updateAlert } from "../rows/outbox.ts";
import { shownAtOnce } from "../rules/alert-event.ts";
import { shownInEmail } from "../rules/email.ts";
import { presets } from "../rules/presets.ts";
import type { AlertDelivererOptions } from "./deliver.ts";

export type DueDelivery = {
  readonly alert: AlertsTable;
  /** Oldest first. A JSON webhook has one. Empty: only the notice is sent. */
  readonly rows: readonly DeliveriesTable[];
  readonly startedAt: number;
  readonly claimedUntil: number;
  readonly eventIds: readonly string[];
  readonly notice: string | null;
};

/** Longer than any try, so a claim expires only when its process is gone. */
const leaseMs = 30_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** What happens within this time after an email is in the next one. */
const emailPauseMs = 5 * minuteMs;
/** Messages an hour. Retries are not counted again. */
const mostInHour = 120;
/** What can be sent in a day. Older events are no longer useful, and a faster stream would grow forever. */
export const mostWaiting = 24 * mostInHour;
/** Per message; the rest waits for the next one. */
const mostGathered = 500;

export async function takeDue(
  alertId: string,
  { store, system, owner }: Pick<AlertDelivererOptions, "store" | "system" | "owner">,
): Promise<DueDelivery | undefined> {
  const now = system.now();
  return await store.write(async (db) => {
    const alert = await lockAlert(db, alertId, now);
    if (!alert) return undefined;
    const due = await listDue(db, alertId, now, mostIn(alert));
    const [first] = due;
    if (!first) return undefined;
    const hour = toHour(alert, now);
    // A delivery claimed by a killed process was counted too.
    const isRetry = first.tries > 0 || first.attempts > 0;
    if (!isRetry && hour.hour_count >= mostInHour) return await hold(db, alert, hour, first.event_id, now);
    const ids = due.map(({ id }) => id);
    const claimedUntil = now + leaseMs;
    const rows = await claimDeliveries(db, { now, owner, leaseMs }, ids);
    await updateAlert(db, alertId, {
      ...hour,
      hour_count: hour.hour_count + (isRetry ? 0 : 1),
      ...(isGathered(alert) && { not_before: now + (alert.kind === "email" ? emailPauseMs : minuteMs) }),
    });
    const shown = alert.kind === "email" ? shownInEmail : shownAtOnce;
    const eventIds = rows.slice(0, shown).map(({ event_id }) => event_id);
    return { alert, rows, startedAt: now, claimedUntil, eventIds, notice: null };
  });
}

/** Undoes the claim. `dueAt`: not due before. */
export async function giveBack(
  db: Db,
  { rows, claimedUntil: until }: DueDelivery,
  { owner }: Pick<AlertDelivererOptions, "owner">,
  dueAt?: number,
): Promise<void> {
  await finishDeliveries(db, { ids: rows.map(({ id }) => id), owner, until }, { ...(dueAt && { due_at: dueAt }) });
}

function isGathered({ kind, preset }: AlertsTable): boolean {
  return kind !== "json" || (preset !== null && presets[preset].gathers);
}

function mostIn(alert: AlertsTable): number {
  return isGathered(alert) ? mostGathered : 1;
}

type Hour = { readonly hour_began_at: number; readonly hour_count: number };

function toHour({ hour_began_at, hour_count }: AlertsTable, now: number): Hour {
  // An hour that starts in the future means that the clock was set back.
  const isOver = hour_began_at === null || hour_began_at <= now - hourMs || hour_began_at > now;
  return isOver ? { hour_began_at: now, hour_count: 0 } : { hour_began_at, hour_count };
}

/**
 * The hold is written before the notice is sent. If the process is killed in between, the notice is lost but never sent
 * twice.
 */
async function hold(db: Db, alert: AlertsTable, hour: Hour, eventId: string, now: number): Promise<DueDelivery> {
  const until = hour.hour_began_at + hourMs;
  await updateAlert(db, alert.id, { ...hour, not_before: until });
  const time = new Date(until).toISOString().slice(11, 16);
  const notice = `More than ${mostInHour} alerts in an hour. The rest will be sent starting at ${time} UTC, oldest first. If more than ${mostWaiting} are waiting, the oldest are dropped.`;
  return { alert, rows: [], startedAt: now, claimedUntil: now, eventIds: [eventId], notice };
}
