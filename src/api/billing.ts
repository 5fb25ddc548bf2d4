import { z } from "zod";
import { type Ceiling, ceilings, type Plan } from "../accounts/plans.ts";
import { defineEndpoint } from "./endpoint.ts";

const doc: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "Messages received this month (UTC), those deleted since included.",
  domains: "Monitored domains.",
  alerts: "Alert webhooks.",
  seedInboxes: "Seed inboxes.",
  tokens: "API tokens that have not expired.",
  members: "Members and open invitations.",
};

const perCeiling = <T extends z.ZodType>(schema: (doc: string) => T) =>
  Object.fromEntries(ceilings.map((ceiling) => [ceiling, schema(doc[ceiling])])) as Record<Ceiling, T>;

const plan = z
  .strictObject({
    name: z.string(),
    label: z.string(),
    ceilings: z
      .strictObject(perCeiling((what) => z.int().nullable().describe(what)))
      .describe("Null: no ceiling."),
    forSale: z.boolean().describe("Whether POST /api/billing/checkout takes it."),
  })
  .meta({ id: "Plan" });

const billing = z
  .strictObject({
    plan,
    use: z.strictObject(perCeiling((what) => z.int().describe(what))),
    configured: z.boolean().describe("Whether this server has a payment provider."),
    subscription: z
      .strictObject({
        status: z.string().describe("In the payment provider's word."),
        ends: z.boolean().describe("It ends by itself; nothing more is charged."),
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

const hostedPage = z.strictObject({ url: z.url().describe("A page of the payment provider's.") });

export const readBilling = defineEndpoint({
  method: "GET",
  path: "/api/billing",
  access: "member",
  summary: "The workspace's plan, what it has of each thing that a plan may bound, and the plans there are.",
  answer: billing,
});

export const startCheckout = defineEndpoint({
  method: "POST",
  path: "/api/billing/checkout",
  access: "owner",
  needs: "payments",
  summary: "Makes a hosted page on which a plan is paid. The plan changes once the payment provider says so.",
  body: z
    .strictObject({ plan: z.string().max(100).describe("Its name; one that is `forSale`.") })
    .meta({ examples: [{ plan: "team" }] }),
  answer: hostedPage,
  status: 200,
  errors: ["conflict", "overloaded"],
});

export const openPortal = defineEndpoint({
  method: "POST",
  path: "/api/billing/portal",
  access: "owner",
  needs: "payments",
  summary: "Makes a hosted page on which the paid plan is changed or ended.",
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
    "Where the payment provider tells of payments, signed in Stripe-Signature. What tells nothing of a plan is taken and left.",
  body: { mediaType: "application/json" },
  answer: z.strictObject({ received: z.literal(true) }),
  status: 200,
  errors: ["overloaded"],
});
