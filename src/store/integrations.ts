// Connections to other services: what all kinds of them have in common.

import type { Updateable } from "kysely";
import type { IntegrationProvider } from "../integrations/integration.ts";
import type { IntegrationsTable } from "./integration-schema.ts";
import type { Db, Schema } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** Oldest first. */
export async function listIntegrations(scope: Scope): Promise<IntegrationsTable[]> {
  return await scope.selectFrom("integrations").selectAll().orderBy("id").execute();
}

export async function readIntegration(scope: Scope, id: string): Promise<IntegrationsTable | undefined> {
  return await scope.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findIntegrationOf(
  scope: Scope,
  provider: IntegrationProvider,
  account: string,
): Promise<IntegrationsTable | undefined> {
  return await scope
    .selectFrom("integrations")
    .selectAll()
    .where("provider", "=", provider)
    .where("account", "=", account)
    .executeTakeFirst();
}

export async function countIntegrations(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("integrations")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function insertIntegration(
  scope: Scope,
  row: Omit<IntegrationsTable, "workspace_id">,
): Promise<void> {
  await scope.insertInto("integrations", row).execute();
}

export async function updateIntegration(
  scope: Scope,
  id: string,
  columns: Updateable<Schema["integrations"]>,
): Promise<void> {
  await scope.updateTable("integrations").set(columns).where("id", "=", id).execute();
}

/** With its folders. False when there is no such connection. */
export async function removeIntegration(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope
    .deleteFrom("integrations")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Of whichever workspace. */
export async function findIntegration(db: Db, id: string): Promise<IntegrationsTable | undefined> {
  return await db.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Of every workspace. */
export async function listSecretsOf(
  db: Db,
  provider: IntegrationProvider,
): Promise<Pick<IntegrationsTable, "id" | "secret">[]> {
  return await db
    .selectFrom("integrations")
    .select(["id", "secret"])
    .where("provider", "=", provider)
    .execute();
}
