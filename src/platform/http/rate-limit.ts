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

type Windows = {
  /** Counts one more of this client, and returns 0. If there were as many already, returns when the first of them leaves. */
  readonly enter: (client: string, most: number) => number;
  readonly count: (client: string) => number;
};

/** What each client did in the last `windowMs`. What was refused doesn't count. */
export function createWindows(windowMs: number, now: () => number): Windows {
  // In order of their last request.
  const timesOf = new Map<string, number[]>();

  function forgetSilent(at: number): void {
    for (const [client, times] of timesOf) {
      if ((times.at(-1) ?? 0) > at - windowMs && timesOf.size <= maxClients) return;
      timesOf.delete(client);
    }
  }

  // Times in the future come from a clock that was set back since.
  const recentOf = (client: string, at: number) =>
    (timesOf.get(client) ?? []).filter((time) => time > at - windowMs && time <= at);

  return {
    count: (client) => recentOf(client, now()).length,
    enter: (client, most) => {
      const at = now();
      const recent = recentOf(client, at);
      const isTooMany = recent.length >= most;
      timesOf.delete(client);
      timesOf.set(client, isTooMany ? recent : [...recent, at]);
      forgetSilent(at);
      return isTooMany ? Math.max(1, (recent[recent.length - most] ?? at) + windowMs - at) : 0;
    },
  };
}

/** Counts a request of this address, or refuses it. Refused requests don't count. */
export function createRateLimit({
  requests,
  windowMs,
  now,
  whose = "from your address",
}: RateLimitOptions): (address: string) => void {
  const windows = createWindows(windowMs, now);
  return (address) => {
    const waitMs = windows.enter(toClientNetwork(address), requests);
    if (waitMs === 0) return;
    throw new Refusal(
      "rate_limited",
      `Too many requests ${whose}. At most ${requests} requests are allowed per ${windowMs / 1_000} seconds.`,
      { retryAfterSeconds: Math.max(1, waitMs / 1_000) },
    );
  };
}
