// What an endpoint needs that this server may lack: said before a body is looked at (decisions §10).

import type { Endpoint } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import type { Payments } from "../tasks/billing/payments.ts";
import type { Dependencies } from "./dependencies.ts";

export function checkNeeds({ needs }: Endpoint, dependencies: Dependencies): void {
  if (needs === "payments") paymentsOf(dependencies);
}

export function paymentsOf({ payments }: Pick<Dependencies, "payments">): Payments {
  if (payments === null)
    throw new Refusal(
      "billing_not_configured",
      "This server has no payment provider: ASSAY_STRIPE_SECRET_KEY is not set.",
    );
  return payments;
}
