import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { SharesTable } from "../../people/tables.ts";

/** Shares that haven't expired, oldest first. */
export async function listShares(scope: Scope, testId: string, now: number): Promise<SharesTable[]> {
  return await scope
    .selectFrom("shares")
    .selectAll()
    .where("test_id", "=", testId)
    .where("expires_at", ">", now)
    .orderBy("id")
    .execute();
}

export async function insertShare(scope: Scope, row: Omit<SharesTable, "workspace_id">): Promise<void> {
  await scope.insertInto("shares", row).execute();
}

/** False if there is no such share. */
export async function removeShare(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("shares").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** In any workspace: the link determines it. */
export async function findShare(db: Db, hash: string, now: number): Promise<SharesTable | undefined> {
  return await db
    .selectFrom("shares")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}
