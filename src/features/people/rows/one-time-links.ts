// Links that work once: using one removes its row, so that only one of two simultaneous visitors succeeds.

import type { Db } from "../../../platform/database/schema.ts";
import type { InvitationsTable, PasswordResetsTable } from "../tables.ts";

export type InvitationRow = InvitationsTable & { readonly workspace_id: string; readonly email: string };

type NewSetUpLink = Pick<InvitationsTable, "id" | "hash" | "created_at" | "expires_at">;

/** Replaces earlier ones, which stop working. */
export async function replaceSetUpLink(db: Db, link: NewSetUpLink): Promise<void> {
  await removeSetUpLinks(db);
  await insertSetUpLink(db, link);
}

/** Keeps the newest of the earlier ones, which other processes printed. */
export async function addSetUpLink(db: Db, link: NewSetUpLink, kept: number): Promise<void> {
  const earlier = await db
    .selectFrom("invitations")
    .select("id")
    .where("workspace_id", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const older = earlier.slice(kept).map(({ id }) => id);
  if (older.length > 0) await db.deleteFrom("invitations").where("id", "in", older).execute();
  await insertSetUpLink(db, link);
}

async function insertSetUpLink(db: Db, link: NewSetUpLink): Promise<void> {
  const row = {
    ...link,
    workspace_id: null,
    email: null,
    role: "owner",
    created_by: null,
    created_with: null,
  } as const;
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

/** Removes all of them, because none may remain once one was used. False if this one didn't exist. */
export async function takeSetUpLinks(db: Db, hash: string, now: number): Promise<boolean> {
  if (!(await hasSetUpLink(db, hash, now))) return false;
  return await removeSetUpLinks(db);
}

/** False if there was none. */
export async function removeSetUpLinks(db: Db): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("workspace_id", "is", null)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** In any workspace: the link determines it. */
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

/** False if it is gone. */
export async function takeInvitation(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("invitations").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Undefined if it was accepted, replaced, or revoked. */
export async function findInvitationById(db: Db, id: string): Promise<InvitationRow | undefined> {
  const row = await db
    .selectFrom("invitations")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "is not", null)
    .executeTakeFirst();
  return row as InvitationRow | undefined;
}

/** A user's only reset link. Earlier ones stop working. */
export async function replacePasswordReset(db: Db, reset: PasswordResetsTable): Promise<void> {
  await db
    .insertInto("password_resets")
    .values(reset)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ ...reset }))
    .execute();
}

export async function findPasswordReset(db: Db, hash: string, now: number): Promise<PasswordResetsTable | undefined> {
  return await db
    .selectFrom("password_resets")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** False if it is gone. */
export async function takePasswordReset(db: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("password_resets").where("hash", "=", hash).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
