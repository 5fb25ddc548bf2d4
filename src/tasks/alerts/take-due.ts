// What a webhook is told next → claimed, in one transaction with the bounds that it counts against. A chat service gets
// all that is due in one message, and nothing more for a minute; a JSON webhook gets event after event, 120 of them
// an hour: then it is told once that the others are held, and they follow in their order when the hour is over.

import { type AlertKind, shownAtOnce } from "../../alerts/alert-event.ts";
import {
  claimDeliveries,
  finishDeliveries,
  listDue,
  lockAlert,
  updateAlert,
} from "../../store/alerts/outbox.ts";
import type { Db } from "../../store/schema/schema.ts";
import type { AlertsTable, DeliveriesTable } from "../../store/schema/watch.ts";
import type { AlertDelivererOptions } from "./deliver.ts";

export type DueDelivery = {
  readonly alert: AlertsTable;
  /** The oldest first. Of a JSON webhook one; none: only the notice is sent. */
  readonly rows: readonly DeliveriesTable[];
  readonly startedAt: number;
  readonly claimedUntil: number;
  /** The events to show. */
  readonly eventIds: readonly string[];
  readonly notice: string | null;
};

/** Over the longest that a try may take, so that a claim lapses only when its process is gone. */
const leaseMs = 30_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Messages in an hour; a retry repeats one that was counted. */
const mostInHour = 120;
/** What can be sent in a day: nobody wants to read of what is older, and what comes in faster would pile up without end. */
export const mostWaiting = 24 * mostInHour;
/** In one message: what is more waits for the next. */
const mostGathered = 500;

export async function takeDue(
  alertId: string,
  { store, system, owner }: Pick<AlertDelivererOptions, "store" | "system" | "owner">,
): Promise<DueDelivery | undefined> {
  const now = system.now();
  return await store.write(async (db) => {
    const alert = await lockAlert(db, alertId, now);
    if (!alert) return undefined;
    const due = await listDue(db, alertId, now, isGathered(alert.kind) ? mostGathered : 1);
    const [first] = due;
    if (!first) return undefined;
    const hour = toHour(alert, now);
    // One that a killed process had in hand was counted too.
    const isRetry = first.tries > 0 || first.attempts > 0;
    if (!isRetry && hour.hour_count >= mostInHour) return await hold(db, alert, hour, first.event_id, now);
    const ids = due.map(({ id }) => id);
    const claimedUntil = now + leaseMs;
    const rows = await claimDeliveries(db, { now, owner, leaseMs }, ids);
    await updateAlert(db, alertId, {
      ...hour,
      hour_count: hour.hour_count + (isRetry ? 0 : 1),
      ...(isGathered(alert.kind) && { not_before: now + minuteMs }),
    });
    const eventIds = rows.slice(0, shownAtOnce).map(({ event_id }) => event_id);
    return { alert, rows, startedAt: now, claimedUntil, eventIds, notice: null };
  });
}

/** As if it had never been claimed. */
export async function giveBack(
  db: Db,
  { rows, claimedUntil: until }: DueDelivery,
  { owner }: Pick<AlertDelivererOptions, "owner">,
): Promise<void> {
  await finishDeliveries(db, { ids: rows.map(({ id }) => id), owner, until }, {});
}

function isGathered(kind: AlertKind): boolean {
  return kind !== "json";
}

type Hour = { readonly hour_began_at: number; readonly hour_count: number };

function toHour({ hour_began_at, hour_count }: AlertsTable, now: number): Hour {
  // One that lies ahead is of a clock that was set back since.
  const isOver = hour_began_at === null || hour_began_at <= now - hourMs || hour_began_at > now;
  return isOver ? { hour_began_at: now, hour_count: 0 } : { hour_began_at, hour_count };
}

/** The hold is written before the notice is sent: it is told once, or, when the program is killed between the two, not at all. */
async function hold(
  db: Db,
  alert: AlertsTable,
  hour: Hour,
  eventId: string,
  now: number,
): Promise<DueDelivery> {
  const until = hour.hour_began_at + hourMs;
  await updateAlert(db, alert.id, { ...hour, not_before: until });
  const time = new Date(until).toISOString().slice(11, 16);
  const notice = `More than ${mostInHour} alerts in an hour: the others are held until ${time} UTC and follow then, the oldest first. Of more than ${mostWaiting} that wait the oldest are given up.`;
  return { alert, rows: [], startedAt: now, claimedUntil: now, eventIds: [eventId], notice };
}
