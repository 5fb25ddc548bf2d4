// What was heard in the SMTP session that a message came in: evidence, kept beside the raw message.

export type SmtpSession = {
  /** claimed: no session of ours; whoever handed the message in said what stands here. */
  readonly source: "smtp" | "claimed";
  /** The client behind any proxy. Null for a message that no session brought: without it nothing can be said of SPF. */
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  /** What XCLIENT gave as the client's name. */
  readonly clientName: string | null;
  /** Who told us the client's address, when it was not the connection itself. */
  readonly via: { readonly how: "proxy-v1" | "proxy-v2" | "xclient"; readonly address: string } | null;
  /** As the client said it; null when it never greeted. */
  readonly helo: string | null;
  /** The protocol word of a Received header: SMTP, ESMTP, ESMTPS … */
  readonly protocol: string;
  readonly tls: {
    readonly version: string;
    readonly cipher: string;
    /** The name that the client asked for (SNI). */
    readonly serverName: string | null;
  } | null;
  /** As sent: an A-label stays one. Empty for the null reverse-path; null where nobody said one. */
  readonly mailFrom: string | null;
  /** What stood behind the path, as sent: `SIZE=1234`, `BODY=8BITMIME`. */
  readonly mailParameters: readonly string[];
  readonly rcptTo: readonly string[];
  /** One list a recipient. */
  readonly rcptParameters: readonly (readonly string[])[];
  /** The client sent a command before it had our answer to the one before. */
  readonly pipelining: boolean;
  /** It spoke before our greeting (RFC 5321 §3.1). */
  readonly earlyTalk: boolean;
  /** What came behind a command whose answer it had to wait for (RFC 2920 §3.1, RFC 3207 §4). */
  readonly unawaited: readonly Unawaited[];
  readonly smtpUtf8: boolean;
  readonly connectedAt: number | null;
  readonly dataStartedAt: number | null;
  readonly dataEndedAt: number | null;
  /** Commands and replies in their order; of the message only where it began and ended. */
  readonly transcript: readonly SessionStep[];
  /** When it was received, as the person said who handed in a message without a session. */
  readonly saidReceivedAt?: number;
  /** Receivers whose recorded verdicts that person trusts, by the names of their servers. */
  readonly trusted?: readonly string[];
  /** Sent by this very server to its own listener: it never left the machine. */
  readonly looped?: true;
  /** Sent by the laboratory: where it comes from is assumed, and DNS is the laboratory's own zone. */
  readonly laboratory?: {
    /** The public key in that zone, in base64. */
    readonly key: string;
  };
};

export type Unawaited = {
  readonly behind: "STARTTLS" | "DATA";
  /** The command that came; null where it was none, but the message or a handshake. */
  readonly sent: string | null;
};

export type SessionStep = {
  readonly at: number;
  readonly from: "client" | "server";
  readonly line: string;
};

/** The session of a message that came another way than by SMTP. */
export function claimedSession(claims: {
  readonly clientAddress: string | null;
  readonly helo: string | null;
  readonly mailFrom: string | null;
  readonly rcptTo: readonly string[];
  readonly receivedAt?: number;
  readonly trusted?: readonly string[];
}): SmtpSession {
  return {
    source: "claimed",
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

// How the client behaved, read off what was said: the evidence for checks of TLS and of protocol.

export type SessionConduct = {
  /** It greeted with EHLO, at least once. */
  readonly esmtp: boolean;
  /** What we offered it, keywords in capitals, of all our answers to EHLO. */
  readonly offered: readonly string[];
  /** BODY=8BITMIME (RFC 6152 §3). */
  readonly declares8Bit: boolean;
  /** SIZE= (RFC 1870 §6). */
  readonly declaredSizeBytes: number | null;
};

/** Null without a session of ours. */
export function toConduct(session: SmtpSession): SessionConduct | null {
  if (session.source !== "smtp") return null;
  const parameters = session.mailParameters.map((parameter) => parameter.toUpperCase());
  const [size] = parameters.flatMap((parameter) => /^SIZE=(\d{1,15})$/.exec(parameter)?.[1] ?? []);
  return {
    esmtp: session.transcript.some(({ from, line }) => from === "client" && /^\s*ehlo\b/i.test(line)),
    offered: [...new Set(readOffers(session.transcript))],
    declares8Bit: parameters.includes("BODY=8BITMIME"),
    declaredSizeBytes: size === undefined ? null : Number(size),
  };
}

/** RFC 5321 §4.1.1.1: behind the line with our name one keyword a line. */
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

// What one workspace may see of a session whose message others got too: only its own recipients. The commands that
// named others and the replies to them are left out of the transcript; a command that cannot be read counts as
// another's, because leaving out too much harms nobody.

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

/** RFC 2920 §3.1: replies come in the order of their commands, one each, of which only the last line has no hyphen. */
function withoutRecipients(
  transcript: readonly SessionStep[],
  isForeign: (address: string) => boolean,
): SessionStep[] {
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

/** The address between the brackets, without a source route (RFC 5321 §4.1.1.3); empty when there is none. */
function recipientOf(line: string): string {
  const [, path = ""] = /^rcpt\s+to:\s*<((?:"(?:[^"\\]|\\.)*"|[^">])*)>/i.exec(line) ?? [];
  return path.replace(/^@[^:"]*:/, "");
}
