// Checks plan limits (src/decisions.md, "Plans"). The check runs in the transaction that adds the item and locks the
// workspace, so two concurrent requests cannot exceed a limit together.

import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { countUse } from "../rows/use.ts";
import { lockWorkspace, readPlanName } from "../rows/workspaces.ts";
import { type Ceiling, hasCeiling, type Plan, type Plans, planOf } from "../rules/plans.ts";

type CeilingQuery = { readonly plans: Plans; readonly ceiling: Ceiling; readonly now: number };

/**
 * Throws if the limit is reached. Must run in the write that adds the item. Queries nothing if no plan has this limit.
 */
export async function requireRoom(scope: Scope, asked: CeilingQuery): Promise<void> {
  if (!hasCeiling(asked.plans, asked.ceiling)) return;
  await lockWorkspace(scope);
  const reached = await findReached(scope, asked);
  if (reached) throw planLimit(reached, asked.ceiling);
}

/** Like `requireRoom`, but only informs. Works in any transaction or none. */
export async function isFull(scope: Scope, asked: CeilingQuery): Promise<boolean> {
  return hasCeiling(asked.plans, asked.ceiling) && (await findReached(scope, asked)) !== undefined;
}

/** Returns the plan whose limit is reached. */
async function findReached(scope: Scope, { plans, ceiling, now }: CeilingQuery): Promise<Plan | undefined> {
  const plan = await readPlan(scope, plans);
  const most = plan.ceilings[ceiling];
  if (most === undefined) return undefined;
  return (await countUse(scope, ceiling, now)) >= most ? plan : undefined;
}

export async function readPlan(scope: Scope, plans: Plans): Promise<Plan> {
  return planOf(plans, (await readPlanName(scope)) ?? "");
}

const things: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "tests per month",
  domains: "monitored domains",
  alerts: "alert webhooks",
  seedInboxes: "seed inboxes",
  tokens: "API tokens",
  members: "members, including invitations",
  workspaces: "workspaces, including those deleted this month",
};

function planLimit({ label, ceilings }: Plan, ceiling: Ceiling): Refusal {
  return new Refusal(
    "plan_limit",
    `The ${label} plan's limit for ${things[ceiling]} has been reached (${ceiling}: ${ceilings[ceiling]}).`,
  );
}
