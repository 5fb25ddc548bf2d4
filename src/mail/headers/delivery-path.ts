// The path of a message, oldest hop first: what the Received lines claim, and behind them our own session, which alone
// is certain.

import type { SmtpSession } from "../session/session.ts";
import { toStorableCut } from "../text/bounds.ts";
import type { HeaderSection } from "./fields.ts";
import { parseReceived, type ReceivedStamp, reachOf } from "./received.ts";

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

// Which clocks on a message's path are wrong, and how long it truly took between those that are right. A fast clock
// would otherwise look like a wait before it, and like a journey back in time behind it.
// The clocks taken for right are the longest run of stamps that never goes back and ends with our own arrival, which
// alone is certain; the others are wrong.

type HopTime = {
  /** Since the hop before it whose clock is right; null for the first of them, and where the clock is wrong or silent. */
  readonly delayMs: number | null;
  /** How far the clock is off at least: ahead when positive. */
  readonly skewMs: number;
};

/** Clocks differ by seconds, and stamps are made at the beginning or the end of a hand-over. */
const toleranceMs = 60_000;

/** Oldest first; null for a hop that bears no time. `arrivedAt`: no stamp can be later. */
export function judgeHopTimes(stamps: readonly (number | null)[], arrivedAt: number): HopTime[] {
  const right = findRightClocks(stamps, arrivedAt);
  let before: number | null = null;
  return stamps.map((at, index) => {
    if (at === null) return { delayMs: null, skewMs: 0 };
    if (!right.has(index)) {
      const after = nextRight(stamps, right, index) ?? arrivedAt;
      return { delayMs: null, skewMs: skewOf(at, before, after) };
    }
    const delayMs = before === null ? null : Math.max(0, at - before);
    before = before === null ? at : Math.max(before, at);
    return { delayMs, skewMs: 0 };
  });
}

function skewOf(at: number, before: number | null, after: number): number {
  if (at > after) return at - after;
  return before !== null && at < before ? at - before : 0;
}

function nextRight(stamps: readonly (number | null)[], right: ReadonlySet<number>, index: number) {
  return stamps.find((_, candidate) => candidate > index && right.has(candidate));
}

/**
 * Of several runs of one length the one without waits, because a wrong clock is likelier than a wait that nothing else
 * shows. Quadratic: hops are bounded.
 */
function findRightClocks(stamps: readonly (number | null)[], arrivedAt: number): ReadonlySet<number> {
  const all = [...stamps, arrivedAt];
  const runs: Run[] = [];
  for (const at of all) {
    const before = at === null ? [] : runs.filter((run) => run.at !== null && run.at <= at + toleranceMs);
    const best = before.reduce<Run | null>((one, other) => (isBetter(other, one) ? other : one), null);
    runs.push({ at, length: (best?.length ?? 0) + 1, before: best });
  }
  const right = new Set<number>();
  for (let run = runs.at(-1)?.before ?? null; run !== null; run = run.before) right.add(runs.indexOf(run));
  return right;
}

/** The longest run that ends with a stamp. */
type Run = { readonly at: number | null; readonly length: number; readonly before: Run | null };

function isBetter(run: Run, than: Run | null): boolean {
  if (than === null || run.length !== than.length) return run.length > (than?.length ?? 0);
  return (run.at ?? 0) >= (than.at ?? 0);
}
