// The path of a message, oldest hop first: what the Received lines claim, then our own session, which alone is certain.

import { hasOwnSession } from "../session/doors.ts";
import type { SmtpSession } from "../session/session.ts";
import { toStorableCut } from "../text/bounds.ts";
import type { HeaderSection } from "./fields.ts";
import { parseReceived, type ReceivedStamp, reachOf } from "./received.ts";

export type Hop = ReceivedStamp & {
  /** Gmail writes X-Received between its own servers. */
  readonly header: "received" | "x-received" | null;
  /**
   * Since the previous hop. The message waited there, because that server stamps mail when it accepts it and sends it
   * on later. Null without a previous hop, without a readable time, or if a clock is wrong.
   */
  readonly delayMs: number | null;
  /** The least amount by which the clock of `by` is off: ahead when positive, behind when negative. */
  readonly skewMs: number;
  readonly trusted: boolean;
};

export type Received = {
  readonly hops: readonly Hop[];
  /** Received lines of the message, readable or not. Ours isn't among them. */
  readonly lineCount: number;
};

/** Receivers treat 50 as a loop. The lines nearest to us are kept. */
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
  const own = hasOwnSession(session) ? [toOwnHop(session, receiver, receivedAt)] : [];
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

/** Leaves out the session's recipients, because a path is shown to more people than they are. */
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

// Finds which clocks on a message's path are wrong, and how long the hops between correct ones really took. A fast
// clock would otherwise look like a wait before it and like time running backward after it. The clocks taken as correct
// are the longest run of timestamps that never goes backward and ends with our own arrival, which alone is certain.

type HopTime = {
  /**
   * Since the previous hop with a correct clock. Null for the first of them, and where the clock is wrong or missing.
   */
  readonly delayMs: number | null;
  /** The least amount by which the clock is off, ahead when positive. */
  readonly skewMs: number;
};

/** Clocks differ by seconds, and servers stamp at the beginning or the end of a transfer. */
const toleranceMs = 60_000;

/** Oldest first. Null for a hop without a time. No timestamp can be later than `arrivedAt`. */
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
 * Among runs of equal length the one without waits wins, because a wrong clock is likelier than a wait without other
 * evidence. Quadratic, but hops are bounded.
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

/** The longest run that ends with a given timestamp. */
type Run = { readonly at: number | null; readonly length: number; readonly before: Run | null };

function isBetter(run: Run, than: Run | null): boolean {
  if (than === null || run.length !== than.length) return run.length > (than?.length ?? 0);
  return (run.at ?? 0) >= (than.at ?? 0);
}
