// Sessions that began at an issuer, and what ends with an identity.

import { hashSecret } from "../../platform/contract/secrets.ts";
import type { Db } from "../../platform/database/schema.ts";
import { inWorkspace } from "../../platform/database/scope.ts";
import { removeMembership } from "../people/rows/memberships.ts";
import type { IdentitiesTable, SessionLoginsTable } from "../people/tables.ts";

/** Longer than a login may take, and longer than a logout token is valid. */
const usedForMs = 660_000;

/** False: it was used before. */
export async function useOnce(db: Db, secret: string, now: number): Promise<boolean> {
  await db
    .deleteFrom("meta")
    .where("key", "like", "oidc:%")
    .where("value", "<", `${now - usedForMs}`)
    .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("meta")
    .values({ key: `oidc:${hashSecret(secret)}`, value: `${now}` })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Also removes the memberships that it gave, and ends the sessions that began with it. */
export async function removeIdentity(db: Db, id: string): Promise<void> {
  await removeGranted(db, id);
  await removeSessionsOfIdentity(db, id);
  await db.deleteFrom("identities").where("id", "=", id).execute();
}

async function removeGranted(db: Db, identityId: string): Promise<void> {
  const rows = await db
    .selectFrom("granted_memberships")
    .select(["workspace_id", "user_id"])
    .where("identity_id", "=", identityId)
    .execute();
  for (const { workspace_id, user_id } of rows) await removeMembership(inWorkspace(db, workspace_id), user_id);
}

export type SessionLogin = SessionLoginsTable & Pick<IdentitiesTable, "issuer" | "subject" | "user_id">;

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
