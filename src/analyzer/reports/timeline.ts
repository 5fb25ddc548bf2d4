// The timeline of a message: its hops, the steps of our SMTP session, and other times in the message.

import { toDuration } from "../checks/duration.ts";
import type { Hop, Received } from "../mail/headers/delivery-path.ts";
import type { StampWarning } from "../mail/headers/received.ts";
import type { StampTls } from "../mail/headers/received-clauses.ts";
import { hasOwnSession } from "../mail/session/doors.ts";
import type { SessionStep, SmtpSession } from "../mail/session/session.ts";
import { toStorableCut } from "../mail/text/bounds.ts";

export type TimelineHop = {
  readonly from: string | null;
  readonly ip: string | null;
  /** private and local hops are inside the sender's own network. */
  readonly reach: "public" | "private" | "local" | null;
  readonly by: string | null;
  readonly with: string | null;
  readonly tls: StampTls | null;
  readonly at: number | null;
  readonly delayMs: number | null;
  /** False if the hop is only a claim. */
  readonly trusted: boolean;
  readonly warnings: readonly string[];
};

/** A time in the message itself: its Date, or `t=` of a signature. */
export type TimelineMark = { readonly what: "date" | "dkim" | "arc"; readonly by: string | null; readonly at: number };

export type Timeline = {
  readonly hops: readonly TimelineHop[];
  readonly smtp: readonly SessionMoment[];
  /** Earliest first. */
  readonly marks: readonly TimelineMark[];
  /**
   * From Date, or from the first hop if that was earlier, to the end of DATA. A Date after the arrival doesn't count.
   * Null without a session.
   */
  readonly totalMs: number | null;
};

/** Clocks may differ by this much. */
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
  const hasSession = hasOwnSession(session);
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
  cut: "The line is too long. Only its start was read.",
  "no-date": "The line has no date.",
  "date-unreadable": "The date in the line is unreadable.",
  "zone-unknown": "The time zone in the line is unknown, so its time was not used.",
};

function clockWarnings({ at, skewMs }: Hop, arrivedAt: number): string[] {
  const future =
    at !== null && at > arrivedAt + toleranceMs ? ["The time is later than the arrival at this server."] : [];
  if (Math.abs(skewMs) <= toleranceMs) return future;
  const direction = skewMs > 0 ? "ahead" : "behind";
  return [...future, `The clock is ${direction} by at least ${toDuration(Math.abs(skewMs))}.`];
}

function sinceBegin(received: Received, marks: readonly TimelineMark[], arrivedAt: number): number | null {
  const date = marks.find(({ what }) => what === "date")?.at;
  const first = received.hops.find(({ at, skewMs, trusted }) => at !== null && skewMs === 0 && !trusted);
  const isPossible = date !== undefined && date <= arrivedAt + toleranceMs;
  const begins = [...(isPossible ? [date] : []), ...(first?.at == null ? [] : [first.at])];
  return begins.length === 0 ? null : Math.max(0, arrivedAt - Math.min(...begins));
}

// The steps of our SMTP session: what the client sent, and how long our answer took.

type SessionMoment = {
  readonly step: "connect" | "helo" | "starttls" | "mail" | "rcpt" | "data" | "other" | "end";
  readonly at: number;
  /** Until the last line of our answer, or for DATA until the end of the message. Null if the answer is unknown. */
  readonly durationMs: number | null;
  /** Repeated commands in a row, usually RCPT, count as one step. */
  readonly count: number;
  /** The first of these commands. */
  readonly said: string | null;
  /** The last line of the last answer. */
  readonly reply: string | null;
};

/** A message takes about ten steps. More are cut in the middle. */
const maxMoments = 100;
const maxLineLength = 500;

function toSessionMoments(session: SmtpSession): SessionMoment[] {
  const { connectedAt, dataEndedAt, transcript } = session;
  const { greeting, commands } = pairReplies(transcript);
  const moments = [
    ...(connectedAt === null ? [] : [toConnect(connectedAt, greeting)]),
    ...foldAlike(commands.map(toMoment)).map((moment, index, { length }) =>
      index === length - 1 ? withMessage(moment, dataEndedAt) : moment,
    ),
    ...(dataEndedAt === null ? [] : [toEnd(dataEndedAt)]),
  ];
  if (moments.length <= maxMoments) return moments;
  return [...moments.slice(0, maxMoments / 2), ...moments.slice(-maxMoments / 2)];
}

/** The message follows our answer to DATA, the last command in the transcript. */
function withMessage(moment: SessionMoment, dataEndedAt: number | null): SessionMoment {
  if (moment.step !== "data" || dataEndedAt === null) return moment;
  return { ...moment, durationMs: Math.max(0, dataEndedAt - moment.at) };
}

type Exchange = { readonly command: SessionStep; reply: SessionStep | null };

/** RFC 2920 §3.1: replies come in the order of the commands, one each. Only the last line of a reply has no hyphen. */
function pairReplies(transcript: readonly SessionStep[]) {
  const commands: Exchange[] = [];
  let answered = 0;
  let greeting: SessionStep | null = null;
  for (const step of transcript) {
    if (step.from === "client") {
      commands.push({ command: step, reply: null });
      continue;
    }
    if (/^\d{3}-/.test(step.line)) continue;
    const exchange = commands[answered];
    if (exchange) {
      exchange.reply = step;
      answered += 1;
    } else if (commands.length === 0) greeting ??= step;
  }
  return { greeting, commands };
}

function toMoment({ command, reply }: Exchange): SessionMoment {
  return {
    step: stepOf(command.line),
    at: command.at,
    durationMs: reply === null ? null : Math.max(0, reply.at - command.at),
    count: 1,
    said: toStorableCut(command.line, maxLineLength),
    reply: reply === null ? null : toStorableCut(reply.line, maxLineLength),
  };
}

function stepOf(line: string): SessionMoment["step"] {
  const verb = line.trimStart().slice(0, 9).split(/\s/, 1)[0]?.toLowerCase();
  if (verb === "ehlo" || verb === "helo") return "helo";
  return verb === "starttls" || verb === "mail" || verb === "rcpt" || verb === "data" ? verb : "other";
}

function foldAlike(moments: readonly SessionMoment[]): SessionMoment[] {
  const folded: SessionMoment[] = [];
  for (const moment of moments) {
    const last = folded.at(-1);
    if (last?.step !== moment.step) folded.push(moment);
    else folded[folded.length - 1] = joined(last, moment);
  }
  return folded;
}

function joined(first: SessionMoment, next: SessionMoment): SessionMoment {
  const durationMs = next.durationMs === null ? null : next.at + next.durationMs - first.at;
  return { ...first, durationMs, count: first.count + next.count, reply: next.reply };
}

function toConnect(at: number, greeting: SessionStep | null): SessionMoment {
  return {
    step: "connect",
    at,
    durationMs: greeting === null ? null : Math.max(0, greeting.at - at),
    count: 1,
    said: null,
    reply: greeting === null ? null : toStorableCut(greeting.line, maxLineLength),
  };
}

function toEnd(at: number): SessionMoment {
  return { step: "end", at, durationMs: 0, count: 1, said: null, reply: null };
}
