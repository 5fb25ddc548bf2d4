import { z } from "zod";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { type Ceiling, ceilings, type Plan } from "../people/rules/plans.ts";

const doc: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "Messages received this month (UTC), including deleted ones.",
  domains: "Monitored domains.",
  alerts: "Alert webhooks.",
  seedInboxes: "Seed inboxes.",
  tokens: "API tokens that have not expired.",
  members: "Members and pending invitations.",
  workspaces: "Workspaces created from one another, including those deleted this month (UTC).",
};

const perCeiling = <T extends z.ZodType>(schema: (doc: string) => T) =>
  Object.fromEntries(ceilings.map((ceiling) => [ceiling, schema(doc[ceiling])])) as Record<Ceiling, T>;

const plan = z
  .strictObject({
    name: z.string(),
    label: z.string(),
    ceilings: z.strictObject(perCeiling((what) => z.int().nullable().describe(what))).describe("`null` if unlimited."),
    forSale: z.boolean().describe("Whether POST /api/billing/checkout accepts this plan."),
  })
  .meta({ id: "Plan" });

const billing = z
  .strictObject({
    plan,
    use: z.strictObject(perCeiling((what) => z.int().describe(what))),
    configured: z.boolean().describe("Whether this server has a payment provider."),
    subscription: z
      .strictObject({
        status: z.string().describe("Status reported by the payment provider."),
        ends: z.boolean().describe("Whether the subscription ends automatically, without further charges."),
      })
      .nullable(),
    plans: z.array(plan),
  })
  .meta({ id: "Billing" });

export type Billing = z.infer<typeof billing>;
export type PlanAnswer = z.infer<typeof plan>;
export type CeilingsAnswer = PlanAnswer["ceilings"];
export type UseAnswer = z.infer<typeof billing>["use"];

/** `isShop`: the server has a payment provider. */
export function toPlan({ name, label, ceilings: bounds, stripePriceId }: Plan, isShop: boolean): PlanAnswer {
  const each = ceilings.map((ceiling: Ceiling) => [ceiling, bounds[ceiling] ?? null]);
  return {
    name,
    label,
    ceilings: Object.fromEntries(each) as CeilingsAnswer,
    forSale: isShop && stripePriceId !== null,
  };
}

const hostedPage = z.strictObject({ url: z.url().describe("A page hosted by the payment provider.") });

export const readBilling = defineEndpoint({
  method: "GET",
  path: "/api/billing",
  token: "read",
  summary: "Returns the workspace's plan and current usage, and all available plans.",
  answer: billing,
});

export const startCheckout = defineEndpoint({
  method: "POST",
  path: "/api/billing/checkout",
  access: "owner",
  token: "full",
  needs: "payments",
  summary: "Creates a hosted checkout page. The plan changes when the payment provider confirms the payment.",
  body: z
    .strictObject({ plan: z.string().max(100).describe("Name of a plan that is `forSale`.") })
    .meta({ examples: [{ plan: "team" }] }),
  answer: hostedPage,
  status: 200,
  errors: ["conflict", "overloaded"],
});

export const openPortal = defineEndpoint({
  method: "POST",
  path: "/api/billing/portal",
  access: "owner",
  token: "full",
  needs: "payments",
  summary: "Creates a hosted page for changing or canceling the paid plan.",
  answer: hostedPage,
  status: 200,
  errors: ["conflict", "overloaded"],
});

export const receivePaymentEvent = defineEndpoint({
  method: "POST",
  path: "/api/billing/webhook",
  access: "public",
  needs: "payments",
  summary:
    "Receives payment events, signed in `Stripe-Signature`. Events that do not affect a plan are accepted and ignored.",
  body: { mediaType: "application/json" },
  answer: z.strictObject({ received: z.literal(true) }),
  status: 200,
  errors: ["overloaded"],
});
