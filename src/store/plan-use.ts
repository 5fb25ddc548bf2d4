// How much a workspace has of each thing that its plan may bound (decisions §10).

import type { Ceiling } from "../accounts/plans.ts";
import { countAlerts } from "./alerts.ts";
import { countMonitored } from "./domains.ts";
import type { Scope } from "./scope.ts";
import { countSeedInboxes } from "./seed-inboxes.ts";
import { countReceived, toMonth } from "./test-counts.ts";

type Count = (scope: Scope, now: number) => Promise<number>;

const counts: Readonly<Record<Ceiling, Count>> = {
  testsPerMonth: (scope, now) => countReceived(scope, toMonth(now)),
  domains: countMonitored,
  alerts: countAlerts,
  seedInboxes: countSeedInboxes,
  tokens: countTokens,
  members: countMembers,
};

export async function countUse(scope: Scope, ceiling: Ceiling, now: number): Promise<number> {
  return await counts[ceiling](scope, now);
}

/** An expired token opens nothing. */
async function countTokens(scope: Scope, now: number): Promise<number> {
  const row = await scope
    .selectFrom("api_tokens")
    .select((count) => count.fn.countAll<number>().as("total"))
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** With who is invited: else an invitation could not be accepted. */
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
