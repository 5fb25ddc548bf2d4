// Who gets an address now. Counted in memory for each process, because it matters only while requests flood in.

import { toClientNetwork } from "../../../analyzer/addresses.ts";
import { createWindows } from "../../../platform/http/rate-limit.ts";

/** For everyone together. Twice as many messages as one analysis thread handles while the owners' own tests go first. */
const mostPerMinute = 300;
/** From so many a minute on, a browser works a little for an address, and until there are half as many. */
const busyPerMinute = 60;
/** Messages that one client may deliver to these addresses in an hour. A large provider sends for many visitors. */
const deliveriesPerHour = 120;

const minuteMs = 60_000;
const hourMs = 3_600_000;

type Wait = { readonly ms: number };

type Gate = {
  /** Counts a request. Null: come in. Otherwise, when this network may come again. */
  readonly enter: (client: string, mostPerHour: number) => Wait | null;
  /** Counts an address. Null: there is one. */
  readonly enterAll: () => Wait | null;
  /** Whether a proof of work is asked for. */
  readonly isBusy: () => boolean;
  /** One more message of this client. False: too many. */
  readonly mayDeliver: (client: string) => boolean;
};

export function createGate(now: () => number): Gate {
  const networks = createWindows(hourMs, now);
  const clients = createWindows(hourMs, now);
  /**
   * Who asked counts whether they got an address or not: a flood must not end the proof that keeps it out. Without those of a network that
   * has had its share, so that one visitor alone can't turn it on for all.
   */
  const together = createWindows(minuteMs, now);
  let wasBusy = false;
  return {
    enter: (client, mostPerHour) => {
      const ms = networks.enter(toClientNetwork(client), mostPerHour);
      if (ms > 0) return { ms };
      together.enter("asked", mostCounted);
      return null;
    },
    enterAll: () => {
      const ms = together.enter("given", mostPerMinute);
      return ms > 0 ? { ms } : null;
    },
    isBusy: () => {
      const count = together.count("asked");
      wasBusy = count > (wasBusy ? busyPerMinute / 2 : busyPerMinute);
      return wasBusy;
    },
    mayDeliver: (client) => clients.enter(toClientNetwork(client), deliveriesPerHour) === 0,
  };
}

/** More would be busy no differently. */
const mostCounted = 10_000;
