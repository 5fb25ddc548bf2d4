// What is over: nobody can use it any more, so it need not be kept.

import type { Db } from "./schema.ts";

export type Over = {
  readonly now: number;
  /** Failed log-ins whose last is older count no more. */
  readonly failuresBefore: number;
  /** However fresh, no more failed log-ins than these: strangers make them. */
  readonly maxFailures: number;
};

export async function removeExpired(db: Db, { now, failuresBefore, maxFailures }: Over): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("invitations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
  await db.deleteFrom("login_failures").where("last_failed_at", "<", failuresBefore).execute();
  const tooMany = await db
    .selectFrom("login_failures")
    .select("last_failed_at")
    .orderBy("last_failed_at", "desc")
    .limit(1)
    .offset(maxFailures)
    .executeTakeFirst();
  if (tooMany)
    await db
      .deleteFrom("login_failures")
      .where("last_failed_at", "<=", tooMany.last_failed_at)
      .execute();
}
