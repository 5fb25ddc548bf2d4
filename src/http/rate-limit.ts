// How often one client may ask: the times of its last requests are kept, so that in any window of that length there are
// no more, wherever it begins. In this process alone: where several share a database, each counts for itself.

import { toClientNetwork } from "../addresses.ts";
import { Refusal } from "../errors.ts";

type RateLimitOptions = {
  readonly requests: number;
  readonly windowMs: number;
  readonly now: () => number;
};

/** Past it the client that was silent longest is forgotten: memory matters more than a stranger's rate. */
const maxClients = 20_000;

/** Counts a request of this address, or refuses it. A refused one does not count. */
export function createRateLimit({ requests, windowMs, now }: RateLimitOptions): (address: string) => void {
  // In the order of their last request.
  const timesOf = new Map<string, number[]>();

  function forgetSilent(at: number): void {
    for (const [client, times] of timesOf) {
      if ((times.at(-1) ?? 0) > at - windowMs && timesOf.size <= maxClients) return;
      timesOf.delete(client);
    }
  }

  return (address) => {
    const client = toClientNetwork(address);
    const at = now();
    // Times that lie ahead are of a clock that was set back since.
    const recent = (timesOf.get(client) ?? []).filter((time) => time > at - windowMs && time <= at);
    const isTooMany = recent.length >= requests;
    timesOf.delete(client);
    timesOf.set(client, isTooMany ? recent : [...recent, at]);
    forgetSilent(at);
    if (!isTooMany) return;
    const waitMs = (recent[0] ?? at) + windowMs - at;
    throw new Refusal(
      "rate_limited",
      `At most ${requests} of these requests are taken from one address within ${windowMs / 1_000} seconds.`,
      { retryAfterSeconds: Math.max(1, waitMs / 1_000) },
    );
  };
}
