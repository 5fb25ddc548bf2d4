// A whole record to publish, as a fix proposes it.

export type ProposedRecord = {
  /** In full, without the closing dot. */
  readonly name: string;
  readonly type: "A" | "AAAA" | "MX" | "PTR" | "TXT";
  /** A text as one piece. */
  readonly value: string;
  /** The records there now that it takes the place of. */
  readonly replaces: readonly string[];
};
