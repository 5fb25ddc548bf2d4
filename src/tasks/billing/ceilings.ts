// Whether a workspace may have one more of a thing (src/decisions.md, "Plans"). Checked in the transaction that adds it,
// which waits for others of its kind, so that two at the same time can't exceed the ceiling together.

import { type Ceiling, hasCeiling, type Plan, type Plans, planOf } from "../../accounts/plans.ts";
import { Refusal } from "../../errors.ts";
import { countUse } from "../../store/people/billing.ts";
import { lockWorkspace, readPlanName } from "../../store/people/workspaces.ts";
import type { Scope } from "../../store/scope.ts";

type CeilingQuery = {
  readonly plans: Plans;
  readonly ceiling: Ceiling;
  readonly now: number;
};

/** Refuses one more; where no plan has this ceiling it asks nothing. Inside the write that adds the one more. */
export async function requireRoom(scope: Scope, asked: CeilingQuery): Promise<void> {
  if (!hasCeiling(asked.plans, asked.ceiling)) return;
  await lockWorkspace(scope);
  const reached = await findReached(scope, asked);
  if (reached) throw planLimit(reached, asked.ceiling);
}

/** As `requireRoom`, for who only wants to know; in any transaction or none. */
export async function isFull(scope: Scope, asked: CeilingQuery): Promise<boolean> {
  return hasCeiling(asked.plans, asked.ceiling) && (await findReached(scope, asked)) !== undefined;
}

/** The plan that leaves no room. */
async function findReached(scope: Scope, { plans, ceiling, now }: CeilingQuery): Promise<Plan | undefined> {
  const plan = planOf(plans, (await readPlanName(scope)) ?? "");
  const most = plan.ceilings[ceiling];
  if (most === undefined) return undefined;
  return (await countUse(scope, ceiling, now)) >= most ? plan : undefined;
}

const things: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "tests a month",
  domains: "monitored domains",
  alerts: "alert webhooks",
  seedInboxes: "seed inboxes",
  tokens: "API tokens",
  members: "members, invitations included",
};

function planLimit({ label, ceilings }: Plan, ceiling: Ceiling): Refusal {
  return new Refusal(
    "plan_limit",
    `The plan ${label} has a ceiling of ${ceilings[ceiling]} ${things[ceiling]} (${ceiling}), which is reached.`,
  );
}
