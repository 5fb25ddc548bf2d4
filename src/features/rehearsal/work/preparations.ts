// Which clients' next connection is special. Only in memory: after a restart the message comes again on an ordinary
// connection, and its client is prepared again.

import { toClientNetwork } from "../../../analyzer/addresses.ts";
import type { Preparation, PreparedClient } from "../../intake/rules/answers.ts";

export type Preparations = {
  readonly add: (client: PreparedClient, preparation: Preparation) => void;
  /** For a connection of this client that has said EHLO. */
  readonly take: (client: PreparedClient) => Preparation | null;
  /** The connection was for other mail, which was deferred or not. */
  readonly putBack: (client: PreparedClient, preparation: Preparation, wasDeferred: boolean) => void;
  /** Null: the client's next connection can be special. */
  readonly quietUntil: (client: PreparedClient) => number | null;
};

type Waiting = {
  readonly preparation: Preparation;
  readonly helo: string;
  readonly until: number;
  readonly misses: number;
};

/** `quietUntil`: until then, no connection is special. */
type Network = { readonly list: readonly Waiting[]; readonly quietUntil: number };

/** Longer than the longest pause of usual queues: 67 minutes in Postfix, an hour in Exim after the first two. */
const waitsMs = 7_200_000;
const mostClients = 1_000;
const mostOfOne = 8;
/** Other mail of the same client is affected each time, so not too often. */
const mostMisses = 3;
/** Longer than the first pause of usual queues, so that other mail gets through when it comes again. */
const quietMs = 900_000;

export function createPreparations(now: () => number): Preparations {
  const networks = new Map<string, Network>();

  /** What still counts. */
  function read(network: string): Network {
    const { list, quietUntil } = networks.get(network) ?? { list: [], quietUntil: 0 };
    const at = now();
    return { list: list.filter(({ until }) => until > at), quietUntil };
  }

  function write(network: string, { list, quietUntil }: Network): void {
    if (list.length === 0 && quietUntil <= now()) networks.delete(network);
    else networks.set(network, { list, quietUntil });
  }

  function put(network: string, one: Waiting, quietUntil: number): void {
    if (!networks.has(network) && networks.size >= mostClients)
      for (const other of [...networks.keys()]) write(other, read(other));
    if (!networks.has(network) && networks.size >= mostClients) return;
    const list = read(network).list.filter(
      ({ preparation }) => preparation.rehearsalId !== one.preparation.rehearsalId,
    );
    write(network, { list: list.length >= mostOfOne ? list : [...list, one], quietUntil });
  }

  let taken = new WeakMap<Preparation, Waiting>();
  return {
    add: (client, preparation) => {
      const network = toClientNetwork(client.address);
      const one = { preparation, helo: toHelo(client), until: now() + waitsMs, misses: 0 };
      put(network, one, read(network).quietUntil);
    },
    take: (client) => {
      if (networks.size === 0) return null;
      const network = toClientNetwork(client.address);
      const { list, quietUntil } = read(network);
      const first = quietUntil > now() ? undefined : list.find(({ helo }) => helo === toHelo(client));
      write(network, { list: list.filter((one) => one !== first), quietUntil });
      if (first === undefined) return null;
      taken = taken.set(first.preparation, first);
      return first.preparation;
    },
    putBack: (client, preparation, wasDeferred) => {
      const one = taken.get(preparation);
      if (one === undefined) return;
      const network = toClientNetwork(client.address);
      const misses = one.misses + 1;
      const isOver = misses >= mostMisses;
      const before = read(network);
      const quietUntil = wasDeferred || isOver ? now() + quietMs : before.quietUntil;
      if (isOver) write(network, { ...before, quietUntil });
      else put(network, { ...one, misses }, quietUntil);
    },
    quietUntil: (client) => {
      const { quietUntil } = read(toClientNetwork(client.address));
      return quietUntil > now() ? quietUntil : null;
    },
  };
}

function toHelo({ helo }: PreparedClient): string {
  return (helo ?? "").toLowerCase();
}
