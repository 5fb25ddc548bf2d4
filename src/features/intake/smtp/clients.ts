// Counts connections and messages per client. IPv6 is counted per /64, because one customer usually gets that many addresses.
// IPv4 is counted per address, and connections also per /24.

import { toClientNetwork } from "../../../analyzer/addresses.ts";

export type Clients = {
  readonly enter: (address: string) => Entrance;
  /** Counts a message. False: the address has used up its limit for this minute. */
  readonly mayDeliver: (address: string) => boolean;
};

/** `presence`: how many connections the client and its network have now, with this one, added up. */
export type Entrance = Admission | RefusedEntrance;
export type Admission = { readonly ok: true; readonly leave: () => void; readonly presence: () => number };
type RefusedEntrance = {
  readonly ok: false;
  readonly why: "tooMany" | "tooManyFromYou";
  readonly presence: () => number;
};

/** The place of an open connection. */
export type ClientSlot = {
  readonly address: () => string;
  /** The client turns out to be another one. Returns null, or the reason why there is no place for it. */
  readonly moveTo: (address: string) => RefusedEntrance["why"] | null;
  readonly presence: () => number;
  readonly leave: () => void;
};

export function createPlace(enter: Clients["enter"], firstAddress: string, first: Admission): ClientSlot {
  let address = firstAddress;
  let entry: Entrance = first;
  const leave = () => {
    if (entry.ok) entry.leave();
  };
  return {
    address: () => address,
    moveTo: (next) => {
      if (next === address) return null;
      leave();
      entry = enter(next);
      address = next;
      return entry.ok ? null : entry.why;
    },
    presence: () => entry.presence(),
    leave,
  };
}

export type ClientLimits = {
  readonly maxClients: number;
  readonly maxClientsPerAddress: number;
  /** From an IPv4 /24. */
  readonly maxClientsPerNetwork: number;
  /** 0: no limit. */
  readonly maxMessagesPerMinute: number;
  /** A proxy that speaks for many clients. Limits per address do not apply to it. */
  readonly isExempt: (address: string) => boolean;
  /** May send any number of messages, and its network may have any number of connections. */
  readonly mayHurry?: (address: string) => boolean;
  readonly now: () => number;
};

export function createClients(limits: ClientLimits): Clients {
  const { maxClients, maxClientsPerAddress, maxClientsPerNetwork, maxMessagesPerMinute, isExempt, mayHurry, now } =
    limits;
  const connections = new Map<string, number>();
  const takeShare = createShares(maxMessagesPerMinute, now);
  let total = 0;

  const read = (group: string) => connections.get(group) ?? 0;

  function count(groups: readonly string[], change: 1 | -1): void {
    total += change;
    for (const group of groups) {
      const left = read(group) + change;
      if (left > 0) connections.set(group, left);
      else connections.delete(group);
    }
  }

  /** The client, then its wider network. */
  function toGroups(address: string): readonly string[] {
    if (isExempt(address)) return [];
    const client = toClientNetwork(address);
    const network = mayHurry?.(address) ? null : /^(?:\d+\.){3}/.exec(client);
    return network === null ? [client] : [client, network[0]];
  }

  return {
    enter: (address) => {
      const groups = toGroups(address);
      const presence = () => groups.reduce((sum, group) => sum + read(group), 0);
      const withThis = () => presence() + groups.length;
      const [ofClient = 0, ofNetwork = 0] = groups.map(read);
      // First, because others make way only for a client that may come in.
      if (ofClient >= maxClientsPerAddress || ofNetwork >= maxClientsPerNetwork)
        return { ok: false, why: "tooManyFromYou", presence: withThis };
      if (total >= maxClients) return { ok: false, why: "tooMany", presence: withThis };
      count(groups, 1);
      let isIn = true;
      const leave = () => {
        if (isIn) count(groups, -1);
        isIn = false;
      };
      return { ok: true, leave, presence };
    },
    mayDeliver: (address) =>
      maxMessagesPerMinute === 0 ||
      isExempt(address) ||
      mayHurry?.(address) === true ||
      takeShare(toClientNetwork(address)),
  };
}

type Bucket = { readonly tokens: number; readonly at: number };

const minuteMs = 60_000;
/** Above this number, the address that was silent longest is forgotten. Bounded memory matters more than a client's rate. */
const maxBuckets = 20_000;

/** A token bucket per client. It holds the messages of one minute and refills over time. */
function createShares(perMinute: number, now: () => number): (group: string) => boolean {
  // In order of last use.
  const buckets = new Map<string, Bucket>();

  function forgetIdle(at: number): void {
    for (const [group, bucket] of buckets) {
      // After a minute of silence the bucket is full, the same as for a new client.
      if (bucket.at > at - minuteMs && buckets.size <= maxBuckets) return;
      buckets.delete(group);
    }
  }

  return (group) => {
    const at = now();
    const { tokens, at: before } = buckets.get(group) ?? { tokens: perMinute, at };
    // Setting the clock back does not take tokens away.
    const refilled = Math.min(perMinute, tokens + (Math.max(0, at - before) * perMinute) / minuteMs);
    const isAllowed = refilled >= 1;
    buckets.delete(group);
    buckets.set(group, { tokens: isAllowed ? refilled - 1 : refilled, at });
    forgetIdle(at);
    return isAllowed;
  };
}
