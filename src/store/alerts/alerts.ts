import type { Updateable } from "kysely";
import type { Schema } from "../schema/schema.ts";
import type { AlertsTable } from "../schema/watch.ts";
import type { Scope } from "../scope.ts";

/** Oldest first. */
export async function listAlerts(scope: Scope): Promise<AlertsTable[]> {
  return await scope.selectFrom("alerts").selectAll().orderBy("id").execute();
}

export async function readAlert(scope: Scope, id: string): Promise<AlertsTable | undefined> {
  return await scope.selectFrom("alerts").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countAlerts(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("alerts")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function insertAlert(scope: Scope, row: Omit<AlertsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("alerts", row).execute();
}

export async function updateAlert(
  scope: Scope,
  id: string,
  columns: Updateable<Schema["alerts"]>,
): Promise<void> {
  await scope.updateTable("alerts").set(columns).where("id", "=", id).execute();
}

/** With its deliveries. False when there is no such webhook. */
export async function removeAlert(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("alerts").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
