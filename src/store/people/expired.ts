// What is over: nobody can use it any more, so it need not be kept.

import type { Db } from "../schema/schema.ts";

/** Strangers make them: past this many the oldest are forgotten, however fresh. */
const maxLoginFailures = 100_000;

export type Over = {
  readonly now: number;
  /** Failed log-ins whose last is older count no more. */
  readonly failuresBefore: number;
};

export async function removeExpired(db: Db, { now, failuresBefore }: Over): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("invitations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
  await db.deleteFrom("shares").where("expires_at", "<=", now).execute();
  await db.deleteFrom("oauth_states").where("expires_at", "<=", now).execute();
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
