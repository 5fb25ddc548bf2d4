// Links that are gone once used: taking one removes its row, so that of two who open it at once one finds it.

import type { InvitationsTable, PasswordResetsTable } from "../schema/people.ts";
import type { Db } from "../schema/schema.ts";

export type InvitationRow = InvitationsTable & { readonly workspace_id: string; readonly email: string };

/** The one that stands from now on: those before it open nothing more. */
export async function replaceSetUpLink(
  db: Db,
  link: Pick<InvitationsTable, "id" | "hash" | "created_at" | "expires_at">,
): Promise<void> {
  await db.deleteFrom("invitations").where("workspace_id", "is", null).execute();
  const row = { ...link, workspace_id: null, email: null, role: "owner", created_by: null } as const;
  await db.insertInto("invitations").values(row).execute();
}

export async function hasSetUpLink(db: Db, hash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("invitations")
    .select("id")
    .where("hash", "=", hash)
    .where("workspace_id", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** All of them, for where one is right none may be left; false when this one was not there. */
export async function takeSetUpLinks(db: Db, hash: string, now: number): Promise<boolean> {
  if (!(await hasSetUpLink(db, hash, now))) return false;
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("workspace_id", "is", null)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Of whatever workspace: its link says which. */
export async function findInvitation(db: Db, hash: string, now: number): Promise<InvitationRow | undefined> {
  const row = await db
    .selectFrom("invitations")
    .selectAll()
    .where("hash", "=", hash)
    .where("workspace_id", "is not", null)
    .where("email", "is not", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row as InvitationRow | undefined;
}

/** False when it is gone. */
export async function takeInvitation(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** A user's one reset link: another before it opens nothing more. */
export async function replacePasswordReset(db: Db, reset: PasswordResetsTable): Promise<void> {
  await db
    .insertInto("password_resets")
    .values(reset)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ ...reset }))
    .execute();
}

export async function findPasswordReset(
  db: Db,
  hash: string,
  now: number,
): Promise<PasswordResetsTable | undefined> {
  return await db
    .selectFrom("password_resets")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** False when it is gone. */
export async function takePasswordReset(db: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("password_resets")
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
