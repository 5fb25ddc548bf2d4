// Which workspaces were created from which (src/decisions.md, "Plans"). Together they count toward a limit, also those that
// were deleted in this month, because each began with a fresh allowance.

import type { Db } from "../../../platform/database/schema.ts";
import { type Scope, unscoped } from "../../../platform/database/scope.ts";

/** The workspace that its first ancestor was. It is its own if no person created it. */
export async function readOrigin(scope: Scope): Promise<string> {
  const row = await unscoped(scope)
    .selectFrom("workspace_origins")
    .select("origin_id")
    .where("created_id", "=", scope.workspaceId)
    .executeTakeFirst();
  return row?.origin_id ?? scope.workspaceId;
}

/** On PostgreSQL too, later writes about workspaces of this origin wait until this one commits. */
export async function lockOrigin(scope: Scope, now: number): Promise<string> {
  const originId = await readOrigin(scope);
  const db = unscoped(scope);
  await db
    .insertInto("workspace_origins")
    .values({ created_id: originId, origin_id: originId, created_at: now, removed_at: null })
    .onConflict((conflict) =>
      conflict.column("created_id").doUpdateSet((column) => ({ origin_id: column.ref("workspace_origins.origin_id") })),
    )
    .execute();
  return originId;
}

export async function insertOrigin(
  db: Db,
  { createdId, originId, now }: { readonly createdId: string; readonly originId: string; readonly now: number },
): Promise<void> {
  const row = { created_id: createdId, origin_id: originId, created_at: now, removed_at: null };
  await db.insertInto("workspace_origins").values(row).execute();
}

export async function markOriginRemoved(scope: Scope, now: number): Promise<void> {
  await unscoped(scope)
    .updateTable("workspace_origins")
    .set({ removed_at: now })
    .where("created_id", "=", scope.workspaceId)
    .execute();
}

/** How many have the workspace's origin. A workspace that no person created counts for itself. */
export async function countFromOrigin(scope: Scope, now: number): Promise<number> {
  const originId = await readOrigin(scope);
  const { total } = await unscoped(scope)
    .selectFrom("workspace_origins")
    .select((count) => count.fn.countAll<number>().as("total"))
    .where("origin_id", "=", originId)
    .where((is) => is.or([is("removed_at", "is", null), is("removed_at", ">=", toMonthBegin(now))]))
    .executeTakeFirstOrThrow();
  return Math.max(total, 1);
}

export async function removeOldOrigins(db: Db, now: number): Promise<void> {
  await db.deleteFrom("workspace_origins").where("removed_at", "<", toMonthBegin(now)).execute();
}

/** In UTC, like the limit of tests. */
function toMonthBegin(now: number): number {
  const day = new Date(now);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
}
