/** Limits that no client that delivers mail comes near, so they are no settings. */
export type SmtpLimits = {
  /** However many messages a connection delivers. */
  readonly sessionMs: number;
  /** The header section of a message. It usually has a few kilobytes. */
  readonly headerBytes: number;
  /** RFC 5321 §4.5.3.1.4 asks for 512, and extensions add to it. Lines in a message may have any length. */
  readonly commandBytes: number;
  /** On one connection without an accepted message. */
  readonly commands: number;
  /** Rejected commands on a connection that has not delivered a message. It is then closed. */
  readonly errors: number;
  /** How often slow clients are looked for. */
  readonly lookEveryMs: number;
};

export const smtpLimits: SmtpLimits = {
  sessionMs: 3_600_000,
  headerBytes: 1_048_576,
  commandBytes: 4_096,
  commands: 2_000,
  errors: 100,
  lookEveryMs: 5_000,
};
