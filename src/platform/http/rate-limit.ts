// Limits how often a client can make requests. The times of its last requests are kept, so the limit applies to every
// window of that length, wherever it starts. Per process: processes that share a database count separately.

import { toClientNetwork } from "../../analyzer/addresses.ts";
import { Refusal } from "../errors.ts";

type RateLimitOptions = {
  readonly requests: number;
  readonly windowMs: number;
  readonly now: () => number;
  /** Completes "Too many requests …". */
  readonly whose?: string;
};

/** Above this, the client that was idle longest is forgotten. Memory matters more than one client's rate. */
const maxClients = 20_000;

/** Counts a request of this address, or refuses it. Refused requests don't count. */
export function createRateLimit({
  requests,
  windowMs,
  now,
  whose = "from your address",
}: RateLimitOptions): (address: string) => void {
  // In order of their last request.
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
    // Times in the future come from a clock that was set back since.
    const recent = (timesOf.get(client) ?? []).filter((time) => time > at - windowMs && time <= at);
    const isTooMany = recent.length >= requests;
    timesOf.delete(client);
    timesOf.set(client, isTooMany ? recent : [...recent, at]);
    forgetSilent(at);
    if (!isTooMany) return;
    const waitMs = (recent[0] ?? at) + windowMs - at;
    throw new Refusal(
      "rate_limited",
      `Too many requests ${whose}. At most ${requests} requests are allowed per ${windowMs / 1_000} seconds.`,
      { retryAfterSeconds: Math.max(1, waitMs / 1_000) },
    );
  };
}
