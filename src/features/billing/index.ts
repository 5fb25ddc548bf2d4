// Plans, their limits, and payment.

import { defineFeature } from "../../platform/server.ts";
import type { Plans } from "../people/rules/plans.ts";
import { billingRoutes } from "./routes.ts";
import { removeBillingEventsBefore } from "./rows.ts";
import { openPayments, type Payments, paymentsOf } from "./work/payments.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly plans: Plans;
    /** Null if there is no payment provider. */
    readonly payments: Payments | null;
  }
}

/** Stripe retries an event for three days automatically, and up to thirty on request. */
const eventsKeptMs = 60 * 86_400_000;

export const billing = defineFeature({
  name: "billing",
  says: "Limits what a workspace may use, and lets it pay for more.",
  routes: billingRoutes,
  open: (server) => ({
    payments: openPayments(server.config, server.system),
    needs: { payments: () => void paymentsOf(server) },
  }),
  tidy: async ({ store, system }) => {
    await store.write((db) => removeBillingEventsBefore(db, system.now() - eventsKeptMs));
  },
});
