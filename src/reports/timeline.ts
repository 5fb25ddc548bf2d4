// The way of a message in time: its hops, the steps of our own session, and what else tells when it was made.

import { toDuration } from "../checks/duration.ts";
import type { Hop, Received } from "../mail/delivery-path.ts";
import type { StampWarning } from "../mail/received.ts";
import type { StampTls } from "../mail/received-tls.ts";
import type { SmtpSession } from "../mail/session.ts";
import { type SessionMoment, toSessionMoments } from "./session-moments.ts";

export type TimelineHop = {
  readonly from: string | null;
  readonly ip: string | null;
  /** private and local hops lie inside the sender's own network. */
  readonly reach: "public" | "private" | "local" | null;
  readonly by: string | null;
  readonly with: string | null;
  readonly tls: StampTls | null;
  readonly at: number | null;
  readonly delayMs: number | null;
  /** False: somebody's claim. */
  readonly trusted: boolean;
  readonly warnings: readonly string[];
};

/** A time that the message itself tells: its Date, or the `t=` of a signature. */
export type TimelineMark = {
  readonly what: "date" | "dkim" | "arc";
  readonly by: string | null;
  readonly at: number;
};

export type Timeline = {
  readonly hops: readonly TimelineHop[];
  readonly smtp: readonly SessionMoment[];
  /** Earliest first. */
  readonly marks: readonly TimelineMark[];
  /** From Date, or the first hop where Date is missing or later than the arrival, to the end of DATA; null without a session. */
  readonly totalMs: number | null;
};

/** Clocks may differ by as much. */
const toleranceMs = 60_000;
const maxMarks = 50;

export function toTimeline(told: {
  readonly received: Received;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly marks: readonly TimelineMark[];
}): Timeline {
  const { received, session } = told;
  const arrivedAt = session.dataEndedAt ?? told.receivedAt;
  const hasSession = session.source === "smtp";
  return {
    hops: received.hops.map((hop) => toTimelineHop(hop, arrivedAt)),
    smtp: hasSession ? toSessionMoments(session) : [],
    marks: told.marks.slice(0, maxMarks).sort((left, right) => left.at - right.at),
    totalMs: hasSession ? sinceBegin(received, told.marks, arrivedAt) : null,
  };
}

function toTimelineHop(hop: Hop, arrivedAt: number): TimelineHop {
  const { from, ip, reach, by, with: protocol, tls, at, delayMs, trusted } = hop;
  const warnings = [...hop.warnings.map((warning) => says[warning]), ...clockWarnings(hop, arrivedAt)];
  return { from, ip, reach, by, with: protocol, tls, at, delayMs, trusted, warnings };
}

const says: Readonly<Record<StampWarning, string>> = {
  cut: "The line is too long; only its beginning was read.",
  "no-date": "The line bears no date.",
  "date-unreadable": "The date of the line cannot be read.",
  "zone-unknown": "The time zone of the line is not known, so its time was not used.",
};

function clockWarnings({ at, skewMs }: Hop, arrivedAt: number): string[] {
  const future = at !== null && at > arrivedAt + toleranceMs ? ["The time lies after the arrival here."] : [];
  if (Math.abs(skewMs) <= toleranceMs) return future;
  const direction = skewMs > 0 ? "ahead" : "behind";
  return [...future, `The clock is ${direction} by at least ${toDuration(Math.abs(skewMs))}.`];
}

function sinceBegin(received: Received, marks: readonly TimelineMark[], arrivedAt: number): number | null {
  const date = marks.find(({ what }) => what === "date")?.at;
  if (date !== undefined && date <= arrivedAt + toleranceMs) return Math.max(0, arrivedAt - date);
  const first = received.hops.find(({ at, skewMs, trusted }) => at !== null && skewMs === 0 && !trusted);
  return first?.at == null ? null : Math.max(0, arrivedAt - first.at);
}
