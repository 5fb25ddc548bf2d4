// Clients that take up places and send little. A message must arrive at a minimum rate, which is higher when places are
// short. When all are taken, a client without a message or else the one with the slowest message makes way for a new one.

/** The part of a connection that matters here. */
export type SlowConnection = {
  /** Null: it waits for us. */
  readonly pace: () => Pace | null;
  /** How many connections its client and its client's network have. */
  readonly presence: () => number;
  /** As in EHLO or HELO. Empty or false: it has said neither. */
  readonly hostNameAppearsAs: string | false;
  /** Ends it, and frees its place at once. */
  readonly giveWay: () => void;
  readonly abort: () => void;
};

export type Pace = {
  /** When its message began, or the last one ended. */
  readonly since: number;
  /** How much of its message has arrived. Null: it has none. */
  readonly bytes: number | null;
};

export const turnAwayWithinMs = 1_000;
/** A client that sends mail says so within this time. */
const patientMs = 10_000;
/** With a client that has more connections than the new one, so that it can't take each free place by returning at once. */
const impatientMs = 1_000;
/** In bytes per millisecond. A faster message soon ends, so it never makes way. */
const fastRate = 10;

/** When all places are taken, one that is used least is freed for a client that has this presence. */
export function makeWay(connections: Set<SlowConnection>, presence: number, now: number): boolean {
  let least: SlowConnection | null = null;
  let leastRate = fastRate;
  for (const connection of connections) {
    const pace = connection.pace();
    if (pace === null) continue;
    const age = now - pace.since;
    if (age < (connection.presence() > presence ? impatientMs : patientMs)) continue;
    // Without a message, it is worse than the slowest, the more so the longer it lasts.
    const rate = pace.bytes === null ? -age : pace.bytes / age;
    if (rate < leastRate) [least, leastRate] = [connection, rate];
  }
  if (least !== null) endSlow(least, connections);
  return least !== null;
}

/** Above this share of the places. */
const crowdedAt = 0.8;
/** RFC 5321 §4.5.3.2 allows 5 minutes, which clients get otherwise. Real ones say EHLO at once. */
const beforeHelloMs = 30_000;
/** After the grace, on average since MAIL. Three minutes are RFC 5321's for a part of DATA, and enough to type commands. */
const leastPace = { graceMs: 180_000, bytesPerSecond: 100 };
const leastPaceInCrowd = { graceMs: 20_000, bytesPerSecond: 500 };

/** Looks only while there are connections. */
export function createImpatience(
  maxClients: number,
  now: () => number,
  lookEveryMs: number,
): (connections: Set<SlowConnection>) => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (connections: Set<SlowConnection>) => {
    const isCrowded = connections.size > crowdedAt * maxClients;
    for (const connection of connections) if (isTooSlow(connection, isCrowded, now())) endSlow(connection, connections);
    if (connections.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return (connections) => {
    timer ??= setInterval(look, lookEveryMs, connections).unref();
  };
}

function isTooSlow(connection: SlowConnection, isCrowded: boolean, now: number): boolean {
  const pace = connection.pace();
  if (pace === null) return false;
  const age = now - pace.since;
  if (pace.bytes === null) return isCrowded && !connection.hostNameAppearsAs && age >= beforeHelloMs;
  const { graceMs, bytesPerSecond } = isCrowded ? leastPaceInCrowd : leastPace;
  return age > graceMs + (pace.bytes / bytesPerSecond) * 1_000;
}

function endSlow(connection: SlowConnection, connections: Set<SlowConnection>): void {
  connections.delete(connection);
  connection.giveWay();
  // One that doesn't close its end would keep the socket, without being counted.
  setTimeout(() => connection.abort(), turnAwayWithinMs).unref();
}

const minuteMs = 60_000;

/** Tells of each new client whether every one was refused for a minute, and at least one a minute came. */
export function createRefusals(now: () => number): (isRefused: boolean) => boolean {
  let since: number | null = null;
  let lastAt = 0;
  return (isRefused) => {
    const at = now();
    since = !isRefused ? null : since === null || at - lastAt > minuteMs ? at : since;
    lastAt = at;
    return since !== null && at - since >= minuteMs;
  };
}
