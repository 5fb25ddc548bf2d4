// The queue of all deliveries on the server. It is polled by webhook, not by delivery, so that a poll costs the same
// however many deliveries wait for one webhook.

import { sql } from "kysely";
import { parseJsonObject } from "../../../analyzer/json.ts";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { claimDue, type Lease } from "../../../platform/work/claims.ts";
import type { AlertsTable, DeliveriesTable } from "../../domains/tables.ts";
import type { AlertEvent, KeptEvent } from "../rules/alert-event.ts";

export type WaitingAlert = Pick<
  AlertsTable,
  "id" | "workspace_id" | "enabled" | "disabled_because" | "failing_since" | "not_before"
> &
  Pick<DeliveriesTable, "due_at">;

/**
 * Webhooks with due deliveries that aren't paused, and webhooks turned off with deliveries waiting. Failing ones come
 * last; the others are ordered by their longest wait.
 */
export async function listWaitingAlerts(db: Db, now: number, limit: number): Promise<WaitingAlert[]> {
  // Steps from one webhook with waiting deliveries to the next, each one step in an index.
  const { rows } = await sql<WaitingAlert>`
    with recursive waiting (alert_id) as (
      select min(alert_id) from deliveries where due_at is not null
      union all
      select (select min(later.alert_id) from deliveries later
        where later.due_at is not null and later.alert_id > waiting.alert_id)
      from waiting where waiting.alert_id is not null
    ), first_due as (
      select alerts.*, (select min(d.due_at) from deliveries d
        where d.alert_id = alerts.id and d.due_at is not null
          and (d.due_at <= ${now} or alerts.enabled = 0)
          and (d.claimed_until is null or d.claimed_until <= ${now})) as due_at
      from waiting join alerts on alerts.id = waiting.alert_id
    )
    select id, workspace_id, enabled, disabled_because, failing_since, not_before, due_at from first_due
    where due_at is not null and (enabled = 0 or not_before is null or not_before <= ${now})
    order by case when failing_since is null then 0 else 1 end, due_at, id
    limit ${limit}`.execute(db);
  return rows;
}

/** Since when a delivery waits that nothing holds. */
export async function readOldestWait(db: Db, now: number): Promise<number | undefined> {
  const waiting = (await listWaitingAlerts(db, now, 1_000)).filter(({ enabled }) => enabled === 1);
  const times = waiting.map(({ due_at, not_before }) => Math.max(due_at ?? now, not_before ?? 0));
  return times.sort((one, other) => one - other)[0];
}

/**
 * Undefined if it was removed, turned off or paused. On PostgreSQL no other process takes it before this transaction
 * ends.
 */
export async function lockAlert(db: Db, id: string, now: number): Promise<AlertsTable | undefined> {
  return await db
    .selectFrom("alerts")
    .selectAll()
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .where((is) => is.or([is("not_before", "is", null), is("not_before", "<=", now)]))
    .$if(isPostgres(db), (query) => query.forUpdate())
    .executeTakeFirst();
}

/** The due deliveries of one webhook, oldest first. */
export async function listDue(
  db: Db,
  alertId: string,
  now: number,
  limit: number,
): Promise<Pick<DeliveriesTable, "id" | "tries" | "attempts" | "event_id">[]> {
  return await db
    .selectFrom("deliveries")
    .select(["id", "tries", "attempts", "event_id"])
    .where("alert_id", "=", alertId)
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function claimDeliveries(db: Db, lease: Omit<Lease, "limit">, ids: readonly string[]) {
  return await claimDue(db, "deliveries", { ...lease, only: ids, limit: ids.length });
}

export async function updateAlert(
  db: Db,
  id: string,
  columns: Partial<Pick<AlertsTable, "not_before" | "hour_began_at" | "hour_count" | "failing_since">>,
): Promise<void> {
  await db.updateTable("alerts").set(columns).where("id", "=", id).execute();
}

/**
 * Whether the webhook still has the address that was read. Each change encrypts the address again, so comparing the
 * sealed text is enough.
 */
export async function isAtAddress(db: Db, { id, url }: Pick<AlertsTable, "id" | "url">): Promise<boolean> {
  const row = await db.selectFrom("alerts").select("id").where("id", "=", id).where("url", "=", url).executeTakeFirst();
  return row !== undefined;
}

/** Turned off automatically, with the reason. */
export async function switchOffAlert(db: Db, id: string, because: string): Promise<void> {
  await db
    .updateTable("alerts")
    .set({ enabled: 0, disabled_because: because })
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .execute();
}

/** Those that can be read, in the order of the IDs, each in its webhook's workspace. */
export async function readEvents(
  db: Db,
  { workspace_id, threshold_score }: Pick<AlertsTable, "workspace_id" | "threshold_score">,
  ids: readonly string[],
): Promise<KeptEvent[]> {
  const rows = await db
    .selectFrom("alert_events")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("id", "in", ids)
    .execute();
  const kept = rows.flatMap(({ id, type, created_at: createdAt, payload }) => {
    const event = { type, data: parseJsonObject(payload) } as AlertEvent;
    return event.data ? [{ id, createdAt, workspaceId: workspace_id, event, thresholdScore: threshold_score }] : [];
  });
  return kept.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

type ClaimedDeliveries = { readonly ids: readonly string[]; readonly owner: string; readonly until: number };

/** Ends the claim on those that are still ours. Returns how many. */
export async function finishDeliveries(
  db: Db,
  { ids, owner, until }: ClaimedDeliveries,
  columns: Partial<Omit<DeliveriesTable, "id">>,
): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set({ claimed_by: null, claimed_until: null, attempts: 0, ...columns })
    .where("id", "in", ids)
    .where("claimed_by", "=", owner)
    .where("claimed_until", "=", until)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Gives up some waiting deliveries of a webhook that is turned off. Returns which. */
export async function giveUpWaiting(
  db: Db,
  alertId: string,
  { problem, now, limit }: { readonly problem: string; readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .updateTable("deliveries")
    .set({ status: "dead", due_at: null, problem, claimed_by: null, claimed_until: null })
    .where("id", "in", (query) =>
      query
        .selectFrom("deliveries")
        .select("id")
        .where("alert_id", "=", alertId)
        .where("due_at", "is not", null)
        .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
        // It may have been turned on again meanwhile.
        .where((is) =>
          is.exists(is.selectFrom("alerts").select("id").where("id", "=", alertId).where("enabled", "=", 0)),
        )
        .orderBy("due_at")
        .limit(limit),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

// Cleanup of the outbox, in steps that let others write.

type Step = { readonly alertId: string; readonly kept: number; readonly limit: number };

/** For either table, in order of ID. */
export async function listIds(
  db: Db,
  table: "alerts" | "alert_events",
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.selectFrom(table).select("id").where("id", ">", after).orderBy("id").limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Removes a webhook's finished deliveries except the newest `kept`. Returns how many. */
export async function removeOldDeliveries(db: Db, { alertId, kept, limit }: Step): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("deliveries")
    .where("id", "in", (query) =>
      query
        .selectFrom("deliveries")
        .select("id")
        .where("alert_id", "=", alertId)
        .where("status", "<>", "pending")
        .orderBy("id", "desc")
        .limit(limit)
        .offset(kept),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Gives up the oldest waiting deliveries of a webhook beyond the newest `kept`. Returns how many. */
export async function giveUpOldest(
  db: Db,
  { alertId, kept, limit, problem }: Step & { readonly problem: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set({ status: "dead", due_at: null, problem })
    .where("id", "in", (query) =>
      query
        .selectFrom("deliveries")
        .select("id")
        .where("alert_id", "=", alertId)
        .where("status", "=", "pending")
        .where("claimed_by", "is", null)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(kept),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Removes those that no delivery refers to anymore. */
export async function removeUntoldEvents(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom("alert_events")
    .where("id", "in", ids)
    .where((is) =>
      is.not(
        is.exists(
          is.selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.event_id", "=", "alert_events.id"),
        ),
      ),
    )
    .execute();
}
