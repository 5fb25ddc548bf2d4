// Failed logins wait here until their minute is over, and then become one entry for each account and address.

import type { AuditFailuresTable } from "../schema/audit.ts";
import type { Db } from "../schema/schema.ts";

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

/** Takes some of those whose minute is over. Each is taken once. */
export async function takeFailures(db: Db, now: number, limit: number): Promise<AuditFailuresTable[]> {
  const rows = await db
    .selectFrom("audit_failures")
    .selectAll()
    .where("over_at", "<=", now)
    .orderBy("over_at")
    .orderBy("account")
    .orderBy("address")
    .limit(limit)
    .execute();
  const taken: AuditFailuresTable[] = [];
  for (const { over_at, account, address } of rows) {
    const row = await db
      .deleteFrom("audit_failures")
      .where("over_at", "=", over_at)
      .where("account", "=", account)
      .where("address", "=", address)
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) taken.push(row);
  }
  return taken;
}
