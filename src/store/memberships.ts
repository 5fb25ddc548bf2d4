import type { Role } from "../accounts/roles.ts";
import type { Db, MembershipsTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** False when the user is a member already, in whatever role. */
export async function insertMembership(
  scope: Scope,
  membership: Omit<MembershipsTable, "workspace_id">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("memberships", membership)
    .onConflict((conflict) => conflict.columns(["workspace_id", "user_id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** What a user may name, and as what. */
export async function listRolesOf(db: Db, userId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await db
    .selectFrom("memberships")
    .select(["workspace_id", "role"])
    .where("user_id", "=", userId)
    .execute();
  return new Map(rows.map(({ workspace_id, role }) => [workspace_id, role]));
}

export async function hasOwner(scope: Scope): Promise<boolean> {
  const row = await scope
    .selectFrom("memberships")
    .select("user_id")
    .where("role", "=", "owner")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
