import { type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import { auditedWorkspace } from "../people/audited.ts";
import { countUse } from "../people/rows/use.ts";
import { ceilings } from "../people/rules/plans.ts";
import { readPlan } from "../people/work/ceilings.ts";
import { openPortal, readBilling, receivePaymentEvent, startCheckout, toPlan, type UseAnswer } from "./contract.ts";
import { readBillingAccount } from "./rows.ts";
import { isOver } from "./rules/subscriptions.ts";
import * as tasks from "./work/billing.ts";
import { paymentsOf } from "./work/payments.ts";

const largestEventBytes = 1_048_576;

export const billingRoutes: readonly Route[] = [
  route(readBilling, async ({ store: { read } }, { system, plans, payments }) => {
    const now = system.now();
    const [plan, account, use] = await Promise.all([
      readPlan(read, plans),
      readBillingAccount(read),
      Promise.all(ceilings.map(async (ceiling) => [ceiling, await countUse(read, ceiling, now)] as const)),
    ]);
    const isRunning = account !== undefined && !isOver(account);
    return {
      plan: toPlan(plan, payments !== null),
      use: Object.fromEntries(use) as UseAnswer,
      configured: payments !== null,
      subscription: isRunning ? { status: account.status ?? "", ends: account.ends === 1 } : null,
      plans: plans.list.map((each) => toPlan(each, payments !== null)),
    };
  }),

  route(startCheckout, async ({ store, caller, body }, dependencies) => {
    const { plans } = dependencies;
    const buyer = { userId: caller.userId, returnUrl: toReturnUrl(dependencies) };
    return { url: await tasks.startCheckout(store, paymentsOf(dependencies), plans, body.plan, buyer) };
  }).recording({ action: "plan.checkout", keep: ["plan"], effect: "none" }),

  route(openPortal, async ({ store }, dependencies) => {
    const returnUrl = toReturnUrl(dependencies);
    return { url: await tasks.openPortal(store, paymentsOf(dependencies), { returnUrl }) };
  }).recording({ action: "plan.portal", effect: "none" }),

  route(receivePaymentEvent, async ({ body }, dependencies) => {
    const { store, system, plans } = dependencies;
    const payments = paymentsOf(dependencies);
    const raw = await body.read(largestEventBytes);
    const event = await payments.readEvent(raw, body.header("stripe-signature"));
    if (event) await tasks.obeyPayment(store, system, plans, event);
    return { received: true } as const;
  }).recording({ action: "plan.change", object: auditedWorkspace, log: "both", effect: "maybe" }),
];

/** The web app's page that shows the plan. */
function toReturnUrl({ baseUrl }: Pick<Server, "baseUrl">): string {
  return `${baseUrl()}/settings/plan`;
}
