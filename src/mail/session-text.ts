// A session as the text that is kept with its message: JSON without what is not there, and the transcript as lines of
// one text. Half the size of plain JSON, so that a short message and its session share a page of the database.

import type { SessionStep, SmtpSession } from "./session.ts";

/** What stands for a field that is left out. */
const absent = {
  source: "smtp",
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
  smtpUtf8: false,
  connectedAt: null,
  dataStartedAt: null,
  dataEndedAt: null,
} as const satisfies Omit<SmtpSession, "transcript">;

type Written = Partial<Omit<SmtpSession, "transcript">> & { readonly transcript?: string };

export function toSessionText({ transcript, ...facts }: SmtpSession): string {
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(facts)) {
    const usual = absent[name as keyof typeof absent];
    const isUsual = Array.isArray(value) ? value.every(isEmptyList) : value === usual;
    if (!isUsual) written[name] = value;
  }
  if (transcript.length > 0) written.transcript = toLines(transcript, facts.connectedAt ?? 0);
  return JSON.stringify(written);
}

export function parseSessionText(text: string): SmtpSession {
  const { transcript, ...facts } = JSON.parse(text) as Written;
  const rcptTo = facts.rcptTo ?? absent.rcptTo;
  return {
    ...absent,
    ...facts,
    rcptParameters: facts.rcptParameters ?? rcptTo.map(() => []),
    transcript: transcript === undefined ? [] : parseLines(transcript, facts.connectedAt ?? 0),
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** `C12 MAIL FROM:<…>`: who, how many milliseconds after the one before, what. A command holds no line feed. */
function toLines(steps: readonly SessionStep[], begunAt: number): string {
  let before = begunAt;
  const lines = steps.map(({ at, from, line }) => {
    const written = `${from === "client" ? "C" : "S"}${at - before} ${line}`;
    before = at;
    return written;
  });
  return lines.join("\n");
}

function parseLines(text: string, begunAt: number): SessionStep[] {
  let at = begunAt;
  return text.split("\n").map((written) => {
    const end = written.indexOf(" ");
    at += Number(written.slice(1, end));
    return { at, from: written.startsWith("C") ? "client" : "server", line: written.slice(end + 1) };
  });
}
