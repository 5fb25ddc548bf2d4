// The path of a message, oldest hop first: what the Received lines claim, and behind them our own session, which alone
// is certain.

import type { HeaderSection } from "./header-fields.ts";
import { judgeHopTimes } from "./hop-clocks.ts";
import { parseReceived, type ReceivedStamp, reachOf } from "./received.ts";
import type { SmtpSession } from "./session.ts";
import { toStorableCut } from "./storable.ts";

export type Hop = ReceivedStamp & {
  /** Gmail writes X-Received between its own servers. */
  readonly header: "received" | "x-received" | null;
  /**
   * Since the hop before it. The message waited at that one: its server stamps what it takes and sends it on later.
   * Null without a hop before, without a readable time, and where the clock is wrong.
   */
  readonly delayMs: number | null;
  /** How far the clock of `by` is off at least: ahead when positive, behind when negative. */
  readonly skewMs: number;
  readonly trusted: boolean;
};

export type Received = {
  readonly hops: readonly Hop[];
  /** Received lines of the message, read or not: ours is not among them. */
  readonly lineCount: number;
};

/** Receivers take 50 for a loop; the lines nearest to us are kept. */
const maxLines = 100;

export function tracePath(path: {
  readonly section: HeaderSection;
  readonly session: SmtpSession;
  /** Our own name. */
  readonly receiver: string;
  readonly receivedAt: number;
}): Received {
  const { session, receiver, receivedAt } = path;
  const fields = path.section.fields.filter(({ key }) => key === "received" || key === "x-received");
  const claimed = fields
    .slice(0, maxLines)
    .reverse()
    .map(({ key, value }) => ({ ...parseReceived(value), header: toHeader(key), trusted: false }));
  const own = session.source === "smtp" ? [toOwnHop(session, receiver, receivedAt)] : [];
  const hops = [...claimed, ...own];
  const times = judgeHopTimes(
    hops.map(({ at }) => at),
    session.dataEndedAt ?? receivedAt,
  );
  return {
    hops: hops.map((hop, index) => ({ ...hop, ...(times[index] ?? { delayMs: null, skewMs: 0 }) })),
    lineCount: fields.filter(({ key }) => key === "received").length,
  };
}

function toHeader(key: string): "received" | "x-received" {
  return key === "received" ? key : "x-received";
}

/** Its recipients stand in the session; a path is shown to more people than they are. */
function toOwnHop(session: SmtpSession, receiver: string, receivedAt: number) {
  const { clientAddress, clientName, helo, protocol, tls } = session;
  const shownHelo = helo === null ? null : toStorableCut(helo, 255);
  return {
    header: null,
    from: shownHelo,
    helo: shownHelo,
    name: clientName === null ? null : toStorableCut(clientName, 255),
    ip: clientAddress,
    reach: clientAddress === null ? null : reachOf(clientAddress),
    by: receiver,
    with: protocol,
    tls: { used: tls !== null, version: tls?.version ?? null, cipher: tls?.cipher ?? null },
    id: null,
    for: null,
    at: session.dataEndedAt ?? receivedAt,
    warnings: [],
    trusted: true,
  };
}
