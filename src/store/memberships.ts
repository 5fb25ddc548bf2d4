import type { MembershipsTable } from "./schema.ts";
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
