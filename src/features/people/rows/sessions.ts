import type { Db } from "../../../platform/database/schema.ts";
import type { SessionLoginsTable, SessionsTable } from "../tables.ts";

export async function insertSession(db: Db, session: SessionsTable): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

/** The session began at an issuer. */
export async function insertSessionLogin(db: Db, login: SessionLoginsTable): Promise<void> {
  await db.insertInto("session_logins").values(login).execute();
}

/** How a request is authenticated. A session that is expired or waits for a second factor counts as none. */
export async function findSession(db: Db, hash: string, now: number): Promise<SessionsTable | undefined> {
  return await selectSession(db, hash, now).where("pending", "is", null).executeTakeFirst();
}

/** One that waits for a second factor. */
export async function findPendingSession(db: Db, hash: string, now: number): Promise<SessionsTable | undefined> {
  return await selectSession(db, hash, now).where("pending", "is not", null).executeTakeFirst();
}

function selectSession(db: Db, hash: string, now: number) {
  return db.selectFrom("sessions").selectAll().where("hash", "=", hash).where("expires_at", ">", now);
}

/** False if it ended, or another request changed it since `before`. */
export async function updatePendingSession(
  db: Db,
  id: string,
  { before, pending }: { readonly before: string; readonly pending: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ pending })
    .where("id", "=", id)
    .where("pending", "=", before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The session's user has just shown a second factor in it. */
export async function updateSecondFactorAt(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable("sessions").set({ second_factor_at: at }).where("id", "=", id).execute();
}

/** The user has no second factor any more. A login at an issuer still counts as one with it. */
export async function forgetSecondFactor(db: Db, userId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ second_factor_at: null })
    .where("user_id", "=", userId)
    .where("id", "not in", db.selectFrom("session_logins").select("id"))
    .execute();
}

/** Whether it began at an issuer. */
export async function hasLoginElsewhere(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom("session_logins").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** Newest first. */
export async function listSessions(db: Db, userId: string, now: number): Promise<SessionsTable[]> {
  return await db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("pending", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export async function updateSessionSeen(
  db: Db,
  id: string,
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): Promise<void> {
  await db.updateTable("sessions").set({ last_seen_at: now, expires_at: expiresAt }).where("id", "=", id).execute();
}

/** False if the user has no such session. */
export async function removeSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Undefined if there is none. */
export async function removeSessionByHash(
  db: Db,
  hash: string,
): Promise<Pick<SessionsTable, "id" | "user_id"> | undefined> {
  return await db.deleteFrom("sessions").where("hash", "=", hash).returning(["id", "user_id"]).executeTakeFirst();
}

/** `but` is the ID of a session to keep. */
export async function removeSessionsOf(db: Db, userId: string, but: string | null = null): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .$if(but !== null, (others) => others.where("id", "!=", but ?? ""))
    .execute();
}

/** Keeps the newest `keep` of those that wait for a second factor, or of the others. */
export async function removeOldestSessions(
  db: Db,
  userId: string,
  { keep, pending }: { readonly keep: number; readonly pending: boolean },
): Promise<void> {
  const older = await db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", userId)
    .where("pending", pending ? "is not" : "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1_000)
    .offset(keep)
    .execute();
  if (older.length === 0) return;
  const ids = older.map(({ id }) => id);
  await db.deleteFrom("sessions").where("id", "in", ids).execute();
}

// Removes what has expired.

/** Strangers create them. Past this many the oldest are removed, however recent. */
const maxLoginFailures = 100_000;

type Over = {
  readonly now: number;
  /** Failed logins last tried before this time no longer count. */
  readonly failuresBefore: number;
};

export async function removeExpired(db: Db, { now, failuresBefore }: Over): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("invitations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
  await db.deleteFrom("shares").where("expires_at", "<=", now).execute();
  const newestTooMany = await db
    .selectFrom("login_failures")
    .select("last_failed_at")
    .orderBy("last_failed_at", "desc")
    .limit(1)
    .offset(maxLoginFailures)
    .executeTakeFirst();
  const before = Math.max(failuresBefore, (newestTooMany?.last_failed_at ?? -1) + 1);
  await db.deleteFrom("login_failures").where("last_failed_at", "<", before).execute();
}
