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
