// What a workspace pays for. Only the provider's signed events change its plan, never the browser's return URL. Events
// may repeat or arrive out of order. Each is applied once, older ones are ignored, and an ended subscription stays
// ended. Of two events in the same second, the later to arrive wins.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { readMember } from "../../people/rows/memberships.ts";
import { changePlan, lockIfThere, readPlanName } from "../../people/rows/workspaces.ts";
import type { Plan, Plans } from "../../people/rules/plans.ts";
import { findWorkspaceOfSubscription, noteBillingEvent, readBillingAccount, writeBillingAccount } from "../rows.ts";
import { isOver, whatItGives } from "../rules/subscriptions.ts";
import type { BillingAccountsTable } from "../tables.ts";
import type { PaymentEvent, Payments } from "./payments.ts";

export type Buyer = {
  /** Null: the server's operator. */
  readonly userId: string | null;
  /** Where the hosted page redirects back to. */
  readonly returnUrl: string;
};

export async function startCheckout(
  { workspaceId, read }: Pick<WorkspaceStore, "workspaceId" | "read">,
  payments: Payments,
  plans: Plans,
  wanted: string,
  { userId, returnUrl }: Buyer,
): Promise<string> {
  const { name, stripePriceId } = pickForSale(plans, wanted);
  const account = await readBillingAccount(read);
  if (account && !isOver(account))
    throw new Refusal("conflict", "This workspace already has a paid plan. Change it in the billing portal.");
  const member = userId === null ? undefined : await readMember(read, userId);
  return await payments.createCheckout({
    workspaceId,
    plan: name,
    priceId: stripePriceId,
    customerId: account?.customer_id ?? null,
    email: member?.email ?? null,
    returnUrl,
  });
}

export async function openPortal(
  { read }: Pick<WorkspaceStore, "read">,
  payments: Payments,
  { returnUrl }: Pick<Buyer, "returnUrl">,
): Promise<string> {
  const account = await readBillingAccount(read);
  if (!account) throw new Refusal("conflict", "This workspace has no paid plan yet. Choose a plan first.");
  return await payments.createPortal(account.customer_id, returnUrl);
}

function pickForSale({ list }: Plans, wanted: string): Plan & { readonly stripePriceId: string } {
  const forSale = list.flatMap((plan) => {
    const { stripePriceId } = plan;
    return stripePriceId === null ? [] : [{ ...plan, stripePriceId }];
  });
  const picked = forSale.find(({ name }) => name === wanted);
  if (picked) return picked;
  const names = forSale.map(({ name }) => name).join(", ") || "none";
  throw new Refusal("invalid_request", `"plan" must be one of the plans for sale: ${names}.`, { field: "plan" });
}

export async function obeyPayment(
  store: Pick<Store, "write">,
  system: Pick<System, "now" | "log">,
  plans: Plans,
  event: PaymentEvent,
): Promise<void> {
  const { log } = system;
  const outcome = await store.write((db) => obey(db, system.now(), plans, event));
  const fields = { event: event.id, subscription: event.subscriptionId, status: event.status };
  if (outcome.what === "changed") log.info("plan changed", { ...fields, ...outcome.fields });
  if (outcome.what === "unknown-plan") log.error("plan paid that is not in ASSAY_PLANS", fields);
}

type Outcome =
  | { readonly what: "changed"; readonly fields: Readonly<Record<string, string>> }
  | { readonly what: "unknown-plan" | "nothing" };

async function obey(db: Db, now: number, plans: Plans, event: PaymentEvent): Promise<Outcome> {
  if (!(await noteBillingEvent(db, event.id, now))) return { what: "nothing" };
  const workspaceId = event.workspaceId ?? (await findWorkspaceOfSubscription(db, event.subscriptionId));
  // From another installation with the same Stripe account, or for a deleted workspace.
  if (workspaceId === undefined) return { what: "nothing" };
  const scope = inWorkspace(db, workspaceId);
  if (!(await lockIfThere(scope))) return { what: "nothing" };
  if (!isNews(event, await readBillingAccount(scope))) return { what: "nothing" };
  await writeBillingAccount(scope, {
    customer_id: event.customerId,
    subscription_id: event.subscriptionId,
    status: event.status,
    ends: event.ends ? 1 : 0,
    event_at: event.at,
  });
  const gives = whatItGives(event.status);
  if (gives === "unsaid") return { what: "nothing" };
  const plan = gives === "plan" ? findBought(plans, event) : plans.fallback;
  if (plan === undefined) return { what: "unknown-plan" };
  const before = (await readPlanName(scope)) ?? "";
  if (before === plan.name) return { what: "nothing" };
  await changePlan(scope, plan.name);
  recordChange({
    by: { type: "system", id: null, name: null, email: null },
    workspaceId,
    objectId: workspaceId,
    details: { before: { plan: before }, after: { plan: plan.name } },
  });
  return { what: "changed", fields: { workspace: workspaceId, from: before, to: plan.name } };
}

function isNews(event: PaymentEvent, known: BillingAccountsTable | undefined): boolean {
  if (known === undefined || known.subscription_id === null) return true;
  const isSame = known.subscription_id === event.subscriptionId;
  // For another subscription, only a start counts. An old one may end long after.
  if (!isSame) return whatItGives(event.status) === "plan" && event.at >= known.event_at;
  return !isOver(known) && event.at >= known.event_at;
}

function findBought({ list }: Plans, { bought }: PaymentEvent): Plan | undefined {
  if ("plan" in bought) return list.find(({ name }) => name === bought.plan);
  return list.find(({ stripePriceId }) => stripePriceId !== null && bought.priceIds.includes(stripePriceId));
}
