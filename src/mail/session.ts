// What was heard in the SMTP session that a message came in: evidence, kept beside the raw message.

export type SmtpSession = {
  readonly clientAddress: string;
  readonly clientPort: number;
  /** As the client said it; null when it never greeted. */
  readonly helo: string | null;
  /** The protocol word of a Received header: SMTP, ESMTP, ESMTPS … */
  readonly protocol: string;
  readonly tls: { readonly version: string; readonly cipher: string } | null;
  /** Empty for the null reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  readonly dataStartedAt: number;
  readonly dataEndedAt: number;
};
