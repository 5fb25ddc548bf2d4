// What the payment provider knows about a workspace.

import type { Db } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import type { BillingAccountsTable } from "./tables.ts";

type BillingAccount = Omit<BillingAccountsTable, "workspace_id">;

export async function readBillingAccount(scope: Scope): Promise<BillingAccountsTable | undefined> {
  return await scope.selectFrom("billing_accounts").selectAll().executeTakeFirst();
}

export async function writeBillingAccount(scope: Scope, account: BillingAccount): Promise<void> {
  await scope
    .insertInto("billing_accounts", account)
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet(account))
    .execute();
}

/** In any workspace: this is how an event of the payment provider finds its workspace. */
export async function findWorkspaceOfSubscription(db: Db, subscriptionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("billing_accounts")
    .select("workspace_id")
    .where("subscription_id", "=", subscriptionId)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** False if the event was processed before. */
export async function noteBillingEvent(db: Db, id: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("billing_events")
    .values({ id, obeyed_at: now })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function removeBillingEventsBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom("billing_events").where("obeyed_at", "<", before).execute();
}
