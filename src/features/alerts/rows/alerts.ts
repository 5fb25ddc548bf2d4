import { sql, type Updateable } from "kysely";
import { countRows } from "../../../platform/database/engine/page.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { AlertEventsTable, AlertsTable } from "../../domains/tables.ts";
import type { AlertEventType } from "../rules/alert-event.ts";

/** Oldest first. */
export async function listAlerts(scope: Scope): Promise<AlertsTable[]> {
  return await scope.selectFrom("alerts").selectAll().orderBy("id").execute();
}

export async function readAlert(scope: Scope, id: string): Promise<AlertsTable | undefined> {
  return await scope.selectFrom("alerts").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countAlerts(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("alerts"));
}

export async function insertAlert(scope: Scope, row: Omit<AlertsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("alerts", row).execute();
}

export async function updateAlert(scope: Scope, id: string, columns: Updateable<Schema["alerts"]>): Promise<void> {
  await scope.updateTable("alerts").set(columns).where("id", "=", id).execute();
}

/** Also removes its deliveries. False if there is no such webhook. */
export async function removeAlert(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("alerts").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

// The outbox of alerts: what happened, and which webhooks still have to get it.

export type ListeningAlert = Pick<AlertsTable, "id" | "threshold_score">;

/** Alerts that are turned on and subscribed to such events. An email address must have confirmed. */
export async function listListening(scope: Scope, type: AlertEventType): Promise<ListeningAlert[]> {
  const alerts = await scope
    .selectFrom("alerts")
    .select(["id", "threshold_score", "events"])
    .where("enabled", "=", 1)
    .where((is) =>
      is.or([
        is("address_id", "is", null),
        is.exists(
          is
            .selectFrom("alert_addresses")
            .select("alert_addresses.id")
            .whereRef("alert_addresses.id", "=", "alerts.address_id")
            .where("alert_addresses.state", "=", "confirmed"),
        ),
      ]),
    )
    .orderBy("id")
    .execute();
  return alerts.filter(({ events }) => (JSON.parse(events) as AlertEventType[]).includes(type));
}

/** Which analyzed tests any alert that is turned on wants. */
export type AlertInterest = {
  /** The highest threshold. Null: there is none. */
  readonly below: number | null;
  /** 1: all of them. */
  readonly inAll: number | null;
};

export async function readAlertInterest(db: Db, workspaceId: string): Promise<AlertInterest> {
  const { rows } = await selectInterest(db, { workspaceId });
  return rows[0] ?? { below: null, inAll: null };
}

const selectInterest = prepare<{ workspaceId: string }, AlertInterest>((db, { workspaceId }) =>
  db
    .selectFrom("alerts")
    .select((row) => row.fn.max("threshold_score").as("below"))
    .select(sql<number | null>`max(case when events like '%"test.analyzed"%' then 1 else 0 end)`.as("inAll"))
    .where("workspace_id", "=", workspaceId)
    .where("enabled", "=", 1),
);

export function isOfInterest({ below, inAll }: AlertInterest, composite: number | null): boolean {
  return inAll === 1 || (composite !== null && below !== null && below > composite);
}

export async function insertAlertEvent(
  scope: Scope,
  event: Omit<AlertEventsTable, "workspace_id">,
  deliveries: readonly { readonly id: string; readonly alertId: string; readonly dueAt: number }[],
): Promise<void> {
  await scope.insertInto("alert_events", event).execute();
  for (const { id, alertId, dueAt } of deliveries)
    await scope
      .insertInto("deliveries", {
        id,
        alert_id: alertId,
        event_id: event.id,
        created_at: event.created_at,
        status: "pending",
        tries: 0,
        last_tried_at: null,
        delivered_at: null,
        http_status: null,
        problem: null,
        duration_ms: null,
        told_with: null,
        due_at: dueAt,
        reply: null,
        claimed_by: null,
        claimed_until: null,
        attempts: 0,
      })
      .execute();
}
