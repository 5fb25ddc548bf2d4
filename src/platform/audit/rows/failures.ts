// Failed logins wait here until their minute is over, and then become one entry for each account and address.

import type { Db } from "../../database/schema.ts";
import type { AuditFailuresTable } from "./tables.ts";

export async function addFailure(db: Db, failure: FailureKey): Promise<void> {
  await db
    .insertInto("audit_failures")
    .values({ ...failure, times: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["over_at", "account", "address"])
        .doUpdateSet((row) => ({ times: row("audit_failures.times", "+", 1) })),
    )
    .execute();
}

export type FailureKey = Omit<AuditFailuresTable, "times">;

/** The oldest whose minute is over. */
export async function listFailures(db: Db, now: number, limit: number): Promise<FailureKey[]> {
  return await db
    .selectFrom("audit_failures")
    .select(["over_at", "account", "address"])
    .where("over_at", "<=", now)
    .orderBy("over_at")
    .orderBy("account")
    .orderBy("address")
    .limit(limit)
    .execute();
}

/** Each is taken once. Undefined: another process took it. */
export async function takeFailure(
  db: Db,
  { over_at, account, address }: FailureKey,
): Promise<AuditFailuresTable | undefined> {
  return await db
    .deleteFrom("audit_failures")
    .where("over_at", "=", over_at)
    .where("account", "=", account)
    .where("address", "=", address)
    .returningAll()
    .executeTakeFirst();
}
