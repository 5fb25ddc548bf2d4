// Failed logins wait here until their minute is over, and then become one entry for each account and address.

import type { Db } from "../../database/schema.ts";
import type { AuditFailuresTable } from "./tables.ts";

export async function addFailure(db: Db, failure: Omit<AuditFailuresTable, "times">): Promise<void> {
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

export async function hasFailures(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("audit_failures")
    .select("over_at")
    .where("over_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the oldest whose minute is over. Each is taken once. Undefined: none is left, or another process took it. */
export async function takeFailure(db: Db, now: number): Promise<AuditFailuresTable | undefined> {
  const oldest = await db
    .selectFrom("audit_failures")
    .select(["over_at", "account", "address"])
    .where("over_at", "<=", now)
    .orderBy("over_at")
    .orderBy("account")
    .orderBy("address")
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return undefined;
  return await db
    .deleteFrom("audit_failures")
    .where("over_at", "=", oldest.over_at)
    .where("account", "=", oldest.account)
    .where("address", "=", oldest.address)
    .returningAll()
    .executeTakeFirst();
}
