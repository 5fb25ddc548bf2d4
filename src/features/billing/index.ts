// Payment for plans.

import { Refusal } from "../../platform/errors.ts";
import { defineFeature } from "../../platform/server.ts";
import { billingRoutes } from "./routes.ts";
import { readBillingAccount, removeBillingEventsBefore } from "./rows.ts";
import { isCharged } from "./rules/subscriptions.ts";
import { openPayments, type Payments, paymentsOf } from "./work/payments.ts";

declare module "../../platform/server.ts" {
  interface Server {
    /** Null if there is no payment provider. */
    readonly payments: Payments | null;
  }
}

/** Stripe retries an event for three days automatically, and up to thirty on request. */
const eventsKeptMs = 60 * 86_400_000;

export const billing = defineFeature({
  name: "billing",
  says: "Lets a workspace pay for more than its plan allows.",
  routes: billingRoutes,
  open: (server) => ({
    payments: openPayments(server.config, server.system),
    needs: { payments: () => void paymentsOf(server) },
  }),
  // The portal is where members can cancel it.
  beforeDeletion: async (workspace, { payments }) => {
    const account = await readBillingAccount(workspace);
    if (payments && account && isCharged(account))
      throw new Refusal("conflict", "This workspace has a paid plan. Cancel it in the billing portal first.");
  },
  tidy: async ({ store, system }) => {
    await store.write((db) => removeBillingEventsBefore(db, system.now() - eventsKeptMs));
  },
});
