// What the SMTP session of a message showed: evidence stored with the raw message.

import { isSendingAddress } from "../../addresses.ts";
import { type Door, hasOwnSession, type ToldDoor } from "./doors.ts";

export type SmtpSession = {
  /** How the message came in. */
  readonly door: Door;
  /** The client, even if a proxy is in between. Null for a message without a session; SPF can't be checked then. */
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  /** The client's name from XCLIENT. */
  readonly clientName: string | null;
  /** The source of the client's address, if it isn't the connection itself. */
  readonly via: { readonly how: "proxy-v1" | "proxy-v2" | "xclient"; readonly address: string } | null;
  /** As the client said it. Null if it never greeted. */
  readonly helo: string | null;
  /** The protocol word of a Received header: SMTP, ESMTP, ESMTPS … */
  readonly protocol: string;
  readonly tls: {
    readonly version: string;
    readonly cipher: string;
    /** The name that the client requested (SNI). */
    readonly serverName: string | null;
  } | null;
  /** As sent: an A-label stays one. Empty for the null return path. Null if there was none. */
  readonly mailFrom: string | null;
  /** What followed the path, as sent: `SIZE=1234`, `BODY=8BITMIME`. */
  readonly mailParameters: readonly string[];
  readonly rcptTo: readonly string[];
  /** One list for each recipient. */
  readonly rcptParameters: readonly (readonly string[])[];
  /** The client sent a command before our answer to the previous one. */
  readonly pipelining: boolean;
  /** It sent data before our greeting (RFC 5321 §3.1). */
  readonly earlyTalk: boolean;
  /** What followed a command whose answer the client had to wait for (RFC 2920 §3.1, RFC 3207 §4). */
  readonly unawaited: readonly Unawaited[];
  readonly smtpUtf8: boolean;
  readonly connectedAt: number | null;
  readonly dataStartedAt: number | null;
  readonly dataEndedAt: number | null;
  /** Commands and replies in order. The message itself is left out, except where it began and ended. */
  readonly transcript: readonly SessionStep[];
  /** When it was received, according to the person who handed in a message without a session. */
  readonly saidReceivedAt?: number;
  /** The server names of receivers whose recorded verdicts that person trusts. */
  readonly trusted?: readonly string[];
  /** This server sent it to its own listener: it never left the machine. */
  readonly looped?: true;
  /** Sent from the sample gallery: its client address is made up, and DNS is the gallery's own zone. */
  readonly laboratory?: {
    /** The public key in that zone, in base64. */
    readonly key: string;
  };
};

export type Unawaited = {
  readonly behind: "STARTTLS" | "DATA";
  /** The command. Null if it was the message or a handshake. */
  readonly sent: string | null;
};

export type SessionStep = { readonly at: number; readonly from: "client" | "server"; readonly line: string };

/** What a person or a service says about the session that brought a message. */
export type SessionClaims = {
  readonly clientAddress: string | null;
  readonly helo: string | null;
  readonly mailFrom: string | null;
  readonly rcptTo: readonly string[];
  readonly receivedAt?: number;
  readonly trusted?: readonly string[];
  /** Absent: an upload. */
  readonly door?: ToldDoor;
};

/** The session of a message that didn't arrive by SMTP. */
export function claimedSession(claims: SessionClaims): SmtpSession {
  return {
    door: claims.door ?? { kind: "upload" },
    ...(claims.receivedAt !== undefined && { saidReceivedAt: claims.receivedAt }),
    ...(claims.trusted && claims.trusted.length > 0 && { trusted: claims.trusted }),
    clientAddress: claims.clientAddress,
    clientPort: null,
    clientName: null,
    via: null,
    helo: claims.helo,
    protocol: "none",
    tls: null,
    mailFrom: claims.mailFrom,
    mailParameters: [],
    rcptTo: claims.rcptTo,
    rcptParameters: claims.rcptTo.map(() => []),
    pipelining: false,
    earlyTalk: false,
    unawaited: [],
    smtpUtf8: false,
    connectedAt: null,
    dataStartedAt: null,
    dataEndedAt: null,
    transcript: [],
  };
}

/** Receivers on the internet see another server than this client. */
export function isFromPrivate({ clientAddress, looped, laboratory }: SmtpSession): boolean {
  // The sample gallery assumes an IP address, so that samples are judged by it.
  if (laboratory !== undefined) return false;
  return looped === true || (clientAddress !== null && !isSendingAddress(clientAddress));
}

/**
 * The client hands the message to an outgoing server, as an app does on a private network or after a login. That server
 * may still sign the message.
 */
export function isSubmission(session: SmtpSession): boolean {
  return isFromPrivate(session) || session.transcript.some(isAcceptedLogin);
}

function isAcceptedLogin({ from, line }: SessionStep): boolean {
  return from === "server" && line.startsWith("235 ");
}

// How the client behaved according to the transcript: the evidence for the TLS and protocol checks.

export type SessionConduct = {
  /** It sent EHLO at least once. */
  readonly esmtp: boolean;
  /** The keywords that we offered in all answers to EHLO, in capitals. */
  readonly offered: readonly string[];
  /** BODY=8BITMIME (RFC 6152 §3). */
  readonly declares8Bit: boolean;
  /** SIZE= (RFC 1870 §6). */
  readonly declaredSizeBytes: number | null;
};

/** Null for a session that isn't ours. */
export function toConduct(session: SmtpSession): SessionConduct | null {
  if (!hasOwnSession(session)) return null;
  const parameters = session.mailParameters.map((parameter) => parameter.toUpperCase());
  const [size] = parameters.flatMap((parameter) => /^SIZE=(\d{1,15})$/.exec(parameter)?.[1] ?? []);
  return {
    esmtp: session.transcript.some(({ from, line }) => from === "client" && /^\s*ehlo\b/i.test(line)),
    offered: [...new Set(readOffers(session.transcript))],
    declares8Bit: parameters.includes("BODY=8BITMIME"),
    declaredSizeBytes: size === undefined ? null : Number(size),
  };
}

/** RFC 5321 §4.1.1.1: one keyword a line after the line with our name. */
function readOffers(transcript: SmtpSession["transcript"]): string[] {
  const offers: string[] = [];
  let isBehindName = false;
  for (const { from, line } of transcript) {
    const [, separator, keyword] = /^250([- ])([A-Za-z0-9-]+)/.exec(line) ?? [];
    if (from === "client" || separator === undefined) {
      isBehindName = false;
      continue;
    }
    if (isBehindName) offers.push((keyword ?? "").toUpperCase());
    isBehindName = separator === "-";
  }
  return offers;
}

// The part of a session that one workspace may see if others got the message too: only its own recipients. Commands
// that named others, and the replies to them, are left out of the transcript. An unreadable command counts as
// another's, because leaving out too much does no harm.

export function sessionOfRecipients(session: SmtpSession, own: readonly string[]): SmtpSession {
  const ownAddresses = new Set(own.map((address) => address.toLowerCase()));
  const isOwn = (address: string) => ownAddresses.has(address.toLowerCase());
  const isKept = (_: unknown, index: number) => isOwn(session.rcptTo[index] ?? "");
  return {
    ...session,
    rcptTo: session.rcptTo.filter(isKept),
    rcptParameters: session.rcptParameters.filter(isKept),
    transcript: withoutRecipients(session.transcript, (address) => !isOwn(address)),
  };
}

/** RFC 2920 §3.1: replies come in command order, one for each command. Only a reply's last line has no hyphen. */
function withoutRecipients(transcript: readonly SessionStep[], isForeign: (address: string) => boolean): SessionStep[] {
  const isLeftOut: boolean[] = [];
  let answered = 0;
  return transcript.filter(({ from, line }) => {
    if (from === "client") {
      const leaveOut = /^\s*rcpt\b/i.test(line) && isForeign(recipientOf(line));
      isLeftOut.push(leaveOut);
      return !leaveOut;
    }
    const leaveOut = isLeftOut[answered] ?? false;
    if (!/^\d{3}-/.test(line) && answered < isLeftOut.length) answered += 1;
    return !leaveOut;
  });
}

/** The address between the brackets, without a source route (RFC 5321 §4.1.1.3). Empty if there is none. */
function recipientOf(line: string): string {
  const [, path = ""] = /^rcpt\s+to:\s*<((?:"(?:[^"\\]|\\.)*"|[^">])*)>/i.exec(line) ?? [];
  return path.replace(/^@[^:"]*:/, "");
}
