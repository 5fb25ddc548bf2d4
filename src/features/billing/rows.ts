import type { Db } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { countAlerts } from "../alerts/rows/alerts.ts";
import { countMonitored } from "../domains/rows/domains.ts";
import { countSeedInboxes } from "../intake/rows/seed-inboxes.ts";
import { countFromOrigin } from "../people/rows/workspace-origins.ts";
import type { Ceiling } from "../people/rules/plans.ts";
import type { BillingAccountsTable } from "../people/tables.ts";
import { countReceived, toMonth } from "../tests/rows/totals.ts";

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

// How many of each limited resource a workspace has (src/decisions.md, "Plans").

type Count = (scope: Scope, now: number) => Promise<number>;

const counts: Readonly<Record<Ceiling, Count>> = {
  testsPerMonth: (scope, now) => countReceived(scope, toMonth(now)),
  domains: (scope) => countMonitored(scope),
  alerts: countAlerts,
  seedInboxes: countSeedInboxes,
  tokens: countTokens,
  members: countMembers,
  workspaces: countFromOrigin,
};

export async function countUse(scope: Scope, ceiling: Ceiling, now: number): Promise<number> {
  return await counts[ceiling](scope, now);
}

/** Expired tokens don't count. */
async function countTokens(scope: Scope, now: number): Promise<number> {
  const row = await scope
    .selectFrom("api_tokens")
    .select((count) => count.fn.countAll<number>().as("total"))
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Includes open invitations, because otherwise an invitation could not be accepted. */
async function countMembers(scope: Scope, now: number): Promise<number> {
  const [members, invited] = await Promise.all([
    scope
      .selectFrom("memberships")
      .select((count) => count.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
    scope
      .selectFrom("invitations")
      .select((count) => count.fn.countAll<number>().as("total"))
      .where("expires_at", ">", now)
      .executeTakeFirstOrThrow(),
  ]);
  return members.total + invited.total;
}
