// Tests whose DNS queries were not answered, and when they are looked at again.

import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { DnsRetriesTable } from "../tables.ts";

export async function readDnsRetry(scope: Scope, testId: string): Promise<DnsRetriesTable | undefined> {
  return await scope.selectFrom("dns_retries").selectAll().where("test_id", "=", testId).executeTakeFirst();
}

/** The oldest ones first. */
export async function listDueDnsRetries(db: Db, now: number, limit: number): Promise<DnsRetriesTable[]> {
  return await db
    .selectFrom("dns_retries")
    .selectAll()
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("test_id")
    .limit(limit)
    .execute();
}

export async function insertDnsRetry(scope: Scope, row: Omit<DnsRetriesTable, "workspace_id">): Promise<void> {
  await scope
    .insertInto("dns_retries", row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateDnsRetry(
  scope: Scope,
  testId: string,
  change: Partial<Pick<DnsRetriesTable, "due_at" | "tries" | "was_dead" | "updated_at">>,
): Promise<void> {
  await scope.updateTable("dns_retries").set(change).where("test_id", "=", testId).execute();
}
