// What a subscription means for the workspace, based on the payment provider's status.

/** A failed payment is retried for a while. The plan stays until the provider gives up. */
const paid: ReadonlySet<string> = new Set(["active", "trialing", "past_due"]);
const over: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);

type Subscription = {
  /** Null: there is none. */
  readonly status: string | null;
  /** 1: it ends automatically, without further charges. */
  readonly ends: number;
};

/** "unsaid": the first payment is still in progress, so the plan doesn't change. */
export function whatItGives(status: string): "plan" | "nothing" | "unsaid" {
  if (status === "incomplete") return "unsaid";
  return paid.has(status) ? "plan" : "nothing";
}

/** It never becomes active again. A new one is a separate subscription. */
export function isOver({ status }: Pick<Subscription, "status">): boolean {
  return status === null || over.has(status);
}

export function isCharged(subscription: Subscription): boolean {
  return !isOver(subscription) && subscription.ends === 0;
}
