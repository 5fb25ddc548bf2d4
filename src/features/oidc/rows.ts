// People at issuers, the sessions that began there, and the memberships that they got from there.

import type { Db } from "../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../platform/database/scope.ts";
import { removeMembership } from "../people/rows/memberships.ts";
import type { IdentitiesTable, SessionLoginsTable } from "./tables.ts";

/** False if the person at the issuer already has an account. */
export async function insertIdentity(db: Db, identity: IdentitiesTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<IdentitiesTable | undefined> {
  return await db
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Oldest first. */
export async function listIdentities(db: Db, userId: string): Promise<IdentitiesTable[]> {
  return await db.selectFrom("identities").selectAll().where("user_id", "=", userId).orderBy("id").execute();
}

export async function updateIdentity(
  db: Db,
  id: string,
  change: Partial<Pick<IdentitiesTable, "email" | "last_login_at">>,
): Promise<void> {
  await db.updateTable("identities").set(change).where("id", "=", id).execute();
}

/** Also removes the memberships that it gave, and ends the sessions that began with it. */
export async function removeIdentity(db: Db, id: string): Promise<void> {
  await removeGranted(db, id);
  await removeSessionsOfIdentity(db, id);
  await db.deleteFrom("identities").where("id", "=", id).execute();
}

export async function insertGrant(scope: Scope, userId: string, identityId: string): Promise<void> {
  await scope.insertInto("granted_memberships", { user_id: userId, identity_id: identityId }).execute();
}

export async function listGrantedWorkspaces(db: Db, identityId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("granted_memberships")
    .select("workspace_id")
    .where("identity_id", "=", identityId)
    .orderBy("workspace_id")
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

async function removeGranted(db: Db, identityId: string): Promise<void> {
  const rows = await db
    .selectFrom("granted_memberships")
    .select(["workspace_id", "user_id"])
    .where("identity_id", "=", identityId)
    .execute();
  for (const { workspace_id, user_id } of rows) await removeMembership(inWorkspace(db, workspace_id), user_id);
}

/** The ID of the identity that gave the membership. Undefined if a person did. */
export async function findGrant(scope: Scope, userId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("granted_memberships")
    .select("identity_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.identity_id;
}

/** The membership stays, whatever the issuer says. */
export async function removeGrant(scope: Scope, userId: string): Promise<void> {
  await scope.deleteFrom("granted_memberships").where("user_id", "=", userId).execute();
}

export type SessionLogin = SessionLoginsTable & Pick<IdentitiesTable, "issuer" | "subject" | "user_id">;

export async function insertSessionLogin(db: Db, login: SessionLoginsTable): Promise<void> {
  await db.insertInto("session_logins").values(login).execute();
}

export async function findSessionLogin(db: Db, sessionId: string): Promise<SessionLogin | undefined> {
  return await db
    .selectFrom("session_logins")
    .innerJoin("identities", "identities.id", "session_logins.identity_id")
    .selectAll("session_logins")
    .select(["identities.issuer", "identities.subject", "identities.user_id"])
    .where("session_logins.id", "=", sessionId)
    .executeTakeFirst();
}

/** False if another process is asking, or the session has ended. */
export async function claimSessionCheck(
  db: Db,
  { id, checked_at }: Pick<SessionLoginsTable, "id" | "checked_at">,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("session_logins")
    .set({ checked_at: now })
    .where("id", "=", id)
    .where("checked_at", "=", checked_at)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function confirmSession(
  db: Db,
  id: string,
  change: Partial<Pick<SessionLoginsTable, "refresh_token" | "id_token" | "confirmed_at">>,
): Promise<void> {
  await db.updateTable("session_logins").set(change).where("id", "=", id).execute();
}

export async function removeSessionById(db: Db, id: string): Promise<void> {
  await db.deleteFrom("sessions").where("id", "=", id).execute();
}

export async function removeSessionsOfIdentity(db: Db, identityId: string): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("id", "in", db.selectFrom("session_logins").select("id").where("identity_id", "=", identityId))
    .execute();
}

type EndedLogin = {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  /** Without a `sid`: only sessions that began before this time. */
  readonly startedBefore: number;
};

/** What a logout token names: one login, or all of a person. Returns whose sessions it ended. */
export async function removeSessionsNamed(
  db: Db,
  { issuer, subject, sid, startedBefore }: EndedLogin,
): Promise<string[]> {
  const named = db
    .selectFrom("session_logins")
    .innerJoin("identities", "identities.id", "session_logins.identity_id")
    .select("session_logins.id")
    .where("identities.issuer", "=", issuer)
    .$if(subject !== null, (query) => query.where("identities.subject", "=", subject ?? ""))
    .$if(sid !== null, (query) => query.where("session_logins.sid", "=", sid ?? ""));
  const ended = await db
    .deleteFrom("sessions")
    .where("id", "in", named)
    .$if(sid === null, (query) => query.where("created_at", "<=", startedBefore))
    .returning("user_id")
    .execute();
  return ended.map(({ user_id }) => user_id);
}

/** Whether there are sessions that began at an issuer that no longer logs people in here. */
export async function hasSessionsOfOthers(db: Db, issuers: readonly string[]): Promise<boolean> {
  return (await selectOfOthers(db, issuers).limit(1).executeTakeFirst()) !== undefined;
}

export async function removeSessionsOfOthers(db: Db, issuers: readonly string[]): Promise<void> {
  await db.deleteFrom("sessions").where("id", "in", selectOfOthers(db, issuers)).execute();
}

function selectOfOthers(db: Db, issuers: readonly string[]) {
  return (
    db
      .selectFrom("session_logins")
      .innerJoin("identities", "identities.id", "session_logins.identity_id")
      .select("session_logins.id")
      // PostgreSQL accepts no empty list.
      .where("identities.issuer", "not in", issuers.length === 0 ? [""] : issuers)
  );
}

// Emergency accounts.

export async function insertEmergencyAccount(db: Db, userId: string, now: number): Promise<void> {
  await db
    .insertInto("emergency_accounts")
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
}

export async function removeEmergencyAccount(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("emergency_accounts")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function isEmergencyAccount(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("emergency_accounts")
    .select("user_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}
