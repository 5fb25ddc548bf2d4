// Serializes a session as the text that is stored with its message: JSON without absent fields, and the transcript as
// lines. Half the size of plain JSON, so that a short message and its session fit into one database page.

import { type Door, type DoorKind, hasOwnSession } from "./doors.ts";
import type { SessionStep, SmtpSession } from "./session.ts";

/** The values of fields that were left out. */
const absent = {
  clientAddress: null,
  clientPort: null,
  clientName: null,
  via: null,
  helo: null,
  protocol: "ESMTP",
  tls: null,
  mailFrom: null,
  mailParameters: [],
  rcptTo: [],
  rcptParameters: [],
  pipelining: false,
  earlyTalk: false,
  unawaited: [],
  smtpUtf8: false,
  connectedAt: null,
  dataStartedAt: null,
  dataEndedAt: null,
} as const satisfies Omit<SmtpSession, "transcript" | "door">;

/** The doors whose name is left out. `claimed`: the session isn't ours. */
export const unnamedDoors = { smtp: "smtp", claimed: "upload" } as const satisfies Readonly<Record<string, DoorKind>>;

type SessionJson = Partial<Omit<SmtpSession, "transcript" | "door">> & {
  /** Absent: `smtp`. */
  readonly source?: keyof typeof unnamedDoors;
  readonly door?: Door;
  readonly transcript?: string;
};

/** Handwritten because it runs before each message's 250. JSON leaves out undefined fields. */
export function toSessionText(session: SmtpSession): string {
  const { door, protocol, pipelining, earlyTalk, smtpUtf8, rcptParameters, transcript } = session;
  const source = hasOwnSession(session) ? "smtp" : "claimed";
  return JSON.stringify({
    source: source === "smtp" ? undefined : source,
    clientAddress: orLeftOut(session.clientAddress),
    clientPort: orLeftOut(session.clientPort),
    clientName: orLeftOut(session.clientName),
    via: orLeftOut(session.via),
    helo: orLeftOut(session.helo),
    protocol: protocol === absent.protocol ? undefined : protocol,
    tls: orLeftOut(session.tls),
    mailFrom: orLeftOut(session.mailFrom),
    mailParameters: listOrLeftOut(session.mailParameters),
    rcptTo: listOrLeftOut(session.rcptTo),
    rcptParameters: rcptParameters.some(({ length }) => length > 0) ? rcptParameters : undefined,
    pipelining: pipelining || undefined,
    earlyTalk: earlyTalk || undefined,
    unawaited: listOrLeftOut(session.unawaited),
    smtpUtf8: smtpUtf8 || undefined,
    connectedAt: orLeftOut(session.connectedAt),
    dataStartedAt: orLeftOut(session.dataStartedAt),
    dataEndedAt: orLeftOut(session.dataEndedAt),
    saidReceivedAt: session.saidReceivedAt,
    trusted: session.trusted,
    door: door.kind === unnamedDoors[source] ? undefined : door,
    looped: session.looped,
    laboratory: session.laboratory,
    transcript: transcript.length > 0 ? toLines(transcript, session.connectedAt ?? 0) : undefined,
  } satisfies { readonly [K in keyof SmtpSession | "source"]: unknown });
}

export function parseSessionText(text: string): SmtpSession {
  const { source = "smtp", transcript, ...facts } = JSON.parse(text) as SessionJson;
  const rcptTo = facts.rcptTo ?? absent.rcptTo;
  return {
    ...absent,
    door: { kind: unnamedDoors[source] },
    ...facts,
    rcptParameters: facts.rcptParameters ?? rcptTo.map(() => []),
    transcript: transcript === undefined ? [] : parseLines(transcript, facts.connectedAt ?? 0),
  };
}

function orLeftOut<T>(value: T | null): T | undefined {
  return value === null ? undefined : value;
}

function listOrLeftOut<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** `C12 MAIL FROM:<…>`: who, milliseconds since the previous line, what. A command contains no line feed. */
function toLines(steps: readonly SessionStep[], begunAt: number): string {
  let text = "";
  let before = begunAt;
  for (const { at, from, line } of steps) {
    if (text !== "") text += "\n";
    text += `${from === "client" ? "C" : "S"}${at - before} ${line}`;
    before = at;
  }
  return text;
}

function parseLines(text: string, begunAt: number): SessionStep[] {
  let at = begunAt;
  return text.split("\n").map((written) => {
    const end = written.indexOf(" ");
    at += Number(written.slice(1, end));
    return { at, from: written.startsWith("C") ? "client" : "server", line: written.slice(end + 1) };
  });
}
