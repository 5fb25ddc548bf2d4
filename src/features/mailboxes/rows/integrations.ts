// Connections to other services: what all kinds have in common.

import type { Updateable } from "kysely";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import { type Scope, unscoped } from "../../../platform/database/scope.ts";
import type { IntegrationProvider } from "../rules/list.ts";
import type { IntegrationsTable, OauthStatesTable } from "../tables.ts";

/** Oldest first. */
export async function listIntegrations(scope: Scope): Promise<IntegrationsTable[]> {
  return await scope.selectFrom("integrations").selectAll().orderBy("id").execute();
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
  return await countRows(scope.selectFrom("integrations"));
}

export async function insertIntegration(scope: Scope, row: Omit<IntegrationsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("integrations", row).execute();
}

export async function updateIntegration(
  scope: Scope,
  id: string,
  columns: Updateable<Schema["integrations"]>,
): Promise<void> {
  await scope.updateTable("integrations").set(columns).where("id", "=", id).execute();
}

/** Also removes its folders. With `connectedAt`, only if it wasn't connected again since. Returns what it removed. */
export async function removeIntegration(
  scope: Scope,
  id: string,
  connectedAt?: number,
): Promise<IntegrationsTable | undefined> {
  const removal = scope.deleteFrom("integrations").where("id", "=", id).returningAll();
  return await (connectedAt === undefined
    ? removal
    : removal.where("connected_at", "=", connectedAt)
  ).executeTakeFirst();
}

/** In any workspace. */
export async function findIntegration(db: Db, id: string): Promise<IntegrationsTable | undefined> {
  return await db.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirst();
}

/** In every workspace. */
export async function listSecretsOf(
  db: Db,
  provider: IntegrationProvider,
): Promise<Pick<IntegrationsTable, "id" | "secret">[]> {
  return await db.selectFrom("integrations").select(["id", "secret"]).where("provider", "=", provider).execute();
}

/** The user's newest ones in the workspace are kept, so that starting over and over can't fill the table. */
const maxStates = 20;

export async function insertOauthState(scope: Scope, row: Omit<OauthStatesTable, "workspace_id">): Promise<void> {
  await scope.insertInto("oauth_states", row).execute();
  const older = await scope
    .selectFrom("oauth_states")
    .select("hash")
    .where("user_id", row.user_id === null ? "is" : "=", row.user_id)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(100)
    .offset(maxStates)
    .execute();
  if (older.length === 0) return;
  const hashes = older.map(({ hash }) => hash).filter((hash) => hash !== row.hash);
  await scope.deleteFrom("oauth_states").where("hash", "in", hashes).execute();
}

/** The state is used up, whatever happens next. */
export async function takeOauthState(db: Db, hash: string): Promise<OauthStatesTable | undefined> {
  return await db.deleteFrom("oauth_states").where("hash", "=", hash).returningAll().executeTakeFirst();
}

export async function removeExpiredStates(db: Db, now: number): Promise<void> {
  await db.deleteFrom("oauth_states").where("expires_at", "<=", now).execute();
}

// Marks who is requesting a new access token. Only one request at a time for an integration, in all processes: a
// rotating refresh token works once, and a second use revokes the whole consent (RFC 9700 §4.14.2).

type RefreshLease = {
  readonly integrationId: string;
  /** Unique to each attempt. */
  readonly holder: string;
  readonly now: number;
  readonly until: number;
};

/**
 * The current row, once no other process can change its tokens. Undefined while another process does, or if it was
 * removed.
 */
export async function takeRefresh(db: Db, lease: RefreshLease): Promise<IntegrationsTable | undefined> {
  const { integrationId, holder, now, until } = lease;
  if ((await findIntegration(db, integrationId)) === undefined) return undefined;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("token_refreshes")
    .values({ integration_id: integrationId, holder, held_until: until })
    .onConflict((conflict) =>
      conflict
        .column("integration_id")
        .doUpdateSet({ holder, held_until: until })
        .where("token_refreshes.held_until", "<=", now),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? await findIntegration(db, integrationId) : undefined;
}

/** Ends it and writes the result, unless another process took over. */
export async function finishRefresh(
  db: Db,
  { integrationId, holder }: Pick<RefreshLease, "integrationId" | "holder">,
  outcome: Partial<Schema["integrations"]>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("token_refreshes")
    .where("integration_id", "=", integrationId)
    .where("holder", "=", holder)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  if (Object.keys(outcome).length > 0)
    await db.updateTable("integrations").set(outcome).where("id", "=", integrationId).execute();
  return true;
}

/**
 * For an integration of the workspace: the result of a refresh in progress is discarded. Call it before changing the
 * row, as in finishRefresh.
 */
export async function callOffRefresh(scope: Scope, integrationId: string): Promise<void> {
  await unscoped(scope).deleteFrom("token_refreshes").where("integration_id", "=", integrationId).execute();
}
