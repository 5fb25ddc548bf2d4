// Who is asking for a new access token just now. One at a time for an integration, in all processes: a refresh token that
// rotates is good once, and a second use of it ends the whole consent (RFC 9700 §4.14.2).

import type { IntegrationsTable } from "./integration-schema.ts";
import { findIntegration } from "./integrations.ts";
import type { Db, Schema } from "./schema.ts";
import { type Scope, wholeOf } from "./scope.ts";

export type RefreshLease = {
  readonly integrationId: string;
  /** One name a try. */
  readonly holder: string;
  readonly now: number;
  readonly until: number;
};

/** The row as it is now that nobody else changes its tokens; undefined while somebody does, or when it is gone. */
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

/** Ends it, and writes what came of it, unless somebody took over. */
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

/** Of an integration of the workspace's: what comes of it is passed over. Before its row is changed, as in finishRefresh. */
export async function callOffRefresh(scope: Scope, integrationId: string): Promise<void> {
  await wholeOf(scope).deleteFrom("token_refreshes").where("integration_id", "=", integrationId).execute();
}
