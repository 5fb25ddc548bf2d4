// Who is connected, and how much each may. IPv6 is counted by /64, because one customer is commonly given that many
// addresses; IPv4 by address.

import { toClientNetwork } from "../addresses.ts";

export type Clients = {
  readonly enter: (address: string) => Entrance;
  /** Counts a message; false when the address has sent its share of this minute. */
  readonly mayDeliver: (address: string) => boolean;
};

export type Entrance = { readonly ok: true; readonly leave: () => void } | RefusedEntrance;
type RefusedEntrance = { readonly ok: false; readonly why: "tooMany" | "tooManyFromYou" };

/** A connection's place among those that are in. */
export type ClientSlot = {
  readonly address: () => string;
  /** It is another client than was thought: null, or why there is no place for that one. */
  readonly moveTo: (address: string) => RefusedEntrance["why"] | null;
  readonly leave: () => void;
};

export function createPlace(
  enter: Clients["enter"],
  firstAddress: string,
  firstLeave: () => void,
): ClientSlot {
  let address = firstAddress;
  let leave = firstLeave;
  return {
    address: () => address,
    moveTo: (next) => {
      if (next === address) return null;
      leave();
      const entry = enter(next);
      address = next;
      leave = entry.ok ? entry.leave : () => {};
      return entry.ok ? null : entry.why;
    },
    leave: () => leave(),
  };
}

export type ClientLimits = {
  readonly maxClients: number;
  readonly maxClientsPerAddress: number;
  /** 0: as many as they like. */
  readonly maxMessagesPerMinute: number;
  /** A proxy that speaks for many: what counts per address does not count for it. */
  readonly isExempt: (address: string) => boolean;
  readonly now: () => number;
};

export function createClients(limits: ClientLimits): Clients {
  const { maxClients, maxClientsPerAddress, maxMessagesPerMinute, isExempt, now } = limits;
  const connections = new Map<string, number>();
  const takeShare = createShares(maxMessagesPerMinute, now);
  let total = 0;

  function count(group: string | null, change: 1 | -1): void {
    total += change;
    if (group === null) return;
    const left = (connections.get(group) ?? 0) + change;
    if (left > 0) connections.set(group, left);
    else connections.delete(group);
  }

  return {
    enter: (address) => {
      const group = isExempt(address) ? null : toClientNetwork(address);
      if (total >= maxClients) return { ok: false, why: "tooMany" };
      if (group !== null && (connections.get(group) ?? 0) >= maxClientsPerAddress)
        return { ok: false, why: "tooManyFromYou" };
      count(group, 1);
      let isIn = true;
      const leave = () => {
        if (isIn) count(group, -1);
        isIn = false;
      };
      return { ok: true, leave };
    },
    mayDeliver: (address) =>
      maxMessagesPerMinute === 0 || isExempt(address) || takeShare(toClientNetwork(address)),
  };
}

type Bucket = { readonly tokens: number; readonly at: number };

const minuteMs = 60_000;
/** Past it the one that was silent longest is forgotten, full or not: memory matters more than a stranger's rate. */
const maxBuckets = 20_000;

/** A token bucket a client: its share of a minute at once, then as it refills. */
function createShares(perMinute: number, now: () => number): (group: string) => boolean {
  // In the order of their last use.
  const buckets = new Map<string, Bucket>();

  function forgetIdle(at: number): void {
    for (const [group, bucket] of buckets) {
      // Whoever was silent for a minute has a full bucket, as a newcomer has.
      if (bucket.at > at - minuteMs && buckets.size <= maxBuckets) return;
      buckets.delete(group);
    }
  }

  return (group) => {
    const at = now();
    const { tokens, at: before } = buckets.get(group) ?? { tokens: perMinute, at };
    // A clock that was set back takes nothing away.
    const refilled = Math.min(perMinute, tokens + (Math.max(0, at - before) * perMinute) / minuteMs);
    const isAllowed = refilled >= 1;
    buckets.delete(group);
    buckets.set(group, { tokens: isAllowed ? refilled - 1 : refilled, at });
    forgetIdle(at);
    return isAllowed;
  };
}
