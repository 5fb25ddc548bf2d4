// What was heard in the SMTP session that a message came in: evidence, kept beside the raw message.

export type SmtpSession = {
  /** Null for a message that no session brought: without it nothing can be said of SPF. */
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  /** As the client said it; null when it never greeted. */
  readonly helo: string | null;
  /** The protocol word of a Received header: SMTP, ESMTP, ESMTPS … */
  readonly protocol: string;
  readonly tls: { readonly version: string; readonly cipher: string } | null;
  /** Empty for the null reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  readonly dataStartedAt: number | null;
  readonly dataEndedAt: number | null;
};
