// How many of each limited resource a workspace has (src/decisions.md, "Plans").

import { countRows } from "../../../platform/database/engine/page.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { countAlerts } from "../../alerts/rows/alerts.ts";
import { countMonitored } from "../../domains/rows/domains.ts";
import { countSeedInboxes } from "../../intake/rows/seed-inboxes.ts";
import { countReceived, toMonth } from "../../tests/rows/totals.ts";
import type { Ceiling } from "../rules/plans.ts";
import { countFromOrigin } from "./workspace-origins.ts";

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
  return await countRows(
    scope.selectFrom("api_tokens").where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)])),
  );
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
