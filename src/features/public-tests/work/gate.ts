// Who gets an address now. Counted in memory for each process, because it matters only while requests flood in.

import { toClientNetwork } from "../../../analyzer/addresses.ts";

/** For everyone together. Twice as many messages as one analysis thread handles while the owners' own tests go first. */
const mostPerMinute = 300;
/** From so many a minute on, a browser works a little for an address, and until there are half as many. */
const busyPerMinute = 60;
/** Messages that one client may deliver to these addresses in an hour. A large provider sends for many visitors. */
const deliveriesPerHour = 120;
/** More networks are forgotten, the one that was idle longest first. */
const mostNetworks = 20_000;

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
  const all = createWindow(minuteMs, now);
  /**
   * Whether they got an address or not: a flood must not end the proof that keeps it out. Without those of a network that
   * has had its share, so that one visitor alone can't turn it on for all.
   */
  const asked = createWindow(minuteMs, now);
  let wasBusy = false;
  return {
    enter: (client, mostPerHour) => {
      const ms = networks.of(toClientNetwork(client)).enter(mostPerHour);
      if (ms > 0) return { ms };
      asked.enter(mostCounted);
      return null;
    },
    enterAll: () => {
      const ms = all.enter(mostPerMinute);
      return ms > 0 ? { ms } : null;
    },
    isBusy: () => {
      const count = asked.count();
      wasBusy = count > (wasBusy ? busyPerMinute / 2 : busyPerMinute);
      return wasBusy;
    },
    mayDeliver: (client) => clients.of(toClientNetwork(client)).enter(deliveriesPerHour) === 0,
  };
}

/** More would be busy no differently. */
const mostCounted = 10_000;

type Window = {
  readonly count: () => number;
  /** Counts one more, and returns 0. If there were as many already, returns when the first of them leaves. */
  readonly enter: (most: number) => number;
};

function createWindow(lengthMs: number, now: () => number): Window {
  let times: number[] = [];
  const count = () => {
    const at = now();
    // Times in the future come from a clock that was set back since.
    times = times.filter((time) => time > at - lengthMs && time <= at);
    return times.length;
  };
  return {
    count,
    enter: (most) => {
      if (count() < most) {
        times.push(now());
        return 0;
      }
      return Math.max(1, (times[times.length - most] ?? now()) + lengthMs - now());
    },
  };
}

function createWindows(lengthMs: number, now: () => number): { readonly of: (network: string) => Window } {
  const windows = new Map<string, Window>();
  return {
    of: (network) => {
      const window = windows.get(network) ?? createWindow(lengthMs, now);
      // In order of their last use.
      windows.delete(network);
      windows.set(network, window);
      if (windows.size > mostNetworks) windows.delete(windows.keys().next().value ?? "");
      return window;
    },
  };
}
