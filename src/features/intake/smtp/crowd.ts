// Clients that take up places and send nothing. When all places are taken, the one that was silent for longest makes way
// for a new client. Before that, clients that haven't even said EHLO get less time.

/** The part of a connection that matters here. */
export type SilentConnection = {
  /** Since when it has been without a message. Null: it has one now. */
  readonly silentSince: () => number | null;
  /** As in EHLO or HELO. Empty or false: it has said neither. */
  readonly hostNameAppearsAs: string | false;
  /** Ends it, and frees its place at once. */
  readonly giveWay: () => void;
  readonly abort: () => void;
};

export const turnAwayWithinMs = 1_000;
/** A client that sends mail says so within this time. */
const patientMs = 10_000;

/** When all places are taken, the connection that was without a message for longest loses its place. */
export function makeWay(connections: ReadonlySet<SilentConnection>, now: number): boolean {
  let longest: { readonly connection: SilentConnection; readonly since: number } | null = null;
  for (const connection of connections) {
    const since = connection.silentSince();
    if (since !== null && since <= now - patientMs && since < (longest?.since ?? now)) longest = { connection, since };
  }
  if (longest === null) return false;
  endSilent(longest.connection);
  return true;
}

/** Above this share of the places. */
const crowdedAt = 0.8;
/** RFC 5321 §4.5.3.2 allows 5 minutes, which clients get otherwise. Real ones say EHLO at once. */
const beforeHelloMs = 30_000;
const sweepEveryMs = 5_000;

/** Looks only while places are short. */
export function createImpatience(
  maxClients: number,
  now: () => number,
): (connections: ReadonlySet<SilentConnection>) => void {
  let timer: NodeJS.Timeout | undefined;
  const sweep = (connections: ReadonlySet<SilentConnection>) => {
    if (connections.size <= crowdedAt * maxClients) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    for (const connection of connections) {
      const since = connection.hostNameAppearsAs ? null : connection.silentSince();
      if (since !== null && since <= now() - beforeHelloMs) endSilent(connection);
    }
  };
  return (connections) => {
    if (connections.size <= crowdedAt * maxClients) return;
    sweep(connections);
    timer ??= setInterval(sweep, sweepEveryMs, connections).unref();
  };
}

function endSilent(connection: SilentConnection): void {
  connection.giveWay();
  // One that doesn't close its end would keep the socket, without being counted.
  setTimeout(() => connection.abort(), turnAwayWithinMs).unref();
}
