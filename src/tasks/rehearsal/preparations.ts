// Which clients' next connection is special. Only in memory: after a restart the message comes again on an ordinary
// connection, and its client is prepared again.

import { toClientNetwork } from "../../addresses.ts";
import type { Special } from "../../rehearsal/attempt.ts";

export type Preparation = {
  readonly workspaceId: string;
  readonly rehearsalId: string;
  /** As sent in RCPT. Only mail to it is accepted on the connection. */
  readonly address: string;
  readonly special: Special;
};

export type Preparations = {
  readonly add: (client: string, preparation: Preparation) => void;
  /** For a connection of this client that has said EHLO. */
  readonly take: (client: string) => Preparation | null;
  /** The connection was for other mail. */
  readonly putBack: (client: string, preparation: Preparation) => void;
};

type Waiting = { readonly preparation: Preparation; readonly until: number; misses: number };

/** Longer than the longest pause of usual queues: 67 minutes in Postfix, an hour in Exim after the first two. */
const waitsMs = 7_200_000;
const mostClients = 1_000;
const mostOfOne = 8;
/** Other mail of the same client is deferred each time, so not too often. */
const mostMisses = 3;

export function createPreparations(now: () => number): Preparations {
  const waiting = new Map<string, Waiting[]>();

  function forgetOld(): void {
    const at = now();
    for (const [client, list] of waiting) {
      const left = list.filter(({ until }) => until > at);
      if (left.length === 0) waiting.delete(client);
      else waiting.set(client, left);
    }
  }

  function put(client: string, one: Waiting): void {
    const network = toClientNetwork(client);
    if (!waiting.has(network) && waiting.size >= mostClients) forgetOld();
    const list = (waiting.get(network) ?? []).filter(
      ({ preparation }) => preparation.rehearsalId !== one.preparation.rehearsalId,
    );
    if (list.length >= mostOfOne || (list.length === 0 && waiting.size >= mostClients)) return;
    waiting.set(network, [...list, one]);
  }

  let taken = new WeakMap<Preparation, Waiting>();
  return {
    add: (client, preparation) => put(client, { preparation, until: now() + waitsMs, misses: 0 }),
    take: (client) => {
      if (waiting.size === 0) return null;
      const network = toClientNetwork(client);
      const list = (waiting.get(network) ?? []).filter(({ until }) => until > now());
      const [first, ...others] = list;
      if (others.length > 0) waiting.set(network, others);
      else waiting.delete(network);
      if (first === undefined) return null;
      taken = taken.set(first.preparation, first);
      return first.preparation;
    },
    putBack: (client, preparation) => {
      const one = taken.get(preparation);
      if (one === undefined || one.misses + 1 >= mostMisses) return;
      put(client, { ...one, misses: one.misses + 1 });
    },
  };
}
