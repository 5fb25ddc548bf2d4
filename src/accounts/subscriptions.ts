// What a subscription at the payment provider means for the workspace, by the provider's own word for its state.

/** A failed payment is tried again for a while; until the provider gives up, the plan stays. */
const paid: ReadonlySet<string> = new Set(["active", "trialing", "past_due"]);
const over: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);

type Subscription = {
  /** Null: there is none. */
  readonly status: string | null;
  /** 1: it ends by itself, nothing more is charged. */
  readonly ends: number;
};

/** "unsaid": the first payment is still under way, the plan stays what it is. */
export function whatItGives(status: string): "plan" | "nothing" | "unsaid" {
  if (status === "incomplete") return "unsaid";
  return paid.has(status) ? "plan" : "nothing";
}

/** It never comes back: a new one is another subscription. */
export function isOver({ status }: Pick<Subscription, "status">): boolean {
  return status === null || over.has(status);
}

export function isCharged(subscription: Subscription): boolean {
  return !isOver(subscription) && subscription.ends === 0;
}
