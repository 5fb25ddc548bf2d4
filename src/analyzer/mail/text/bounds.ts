// Limits on how much of a message is read. All of it is stored. Content past a limit is reported as cut, so that no
// verdict rests on unread content.

export const mimeBounds = {
  /** Gmail accepts half of it (header limits). */
  headerBytes: 1_048_576,
  /** Gmail accepts 5,000. */
  headerFields: 10_000,
  /**
   * The most that is decoded of one header field. Gmail accepts 32 KB, and only To, Cc and References may be longer.
   */
  fieldBytes: 131_072,
  /** Each part's own headers. */
  partHeaderBytes: 65_536,
  /** The headers of all parts together. A thousand ordinary parts have 200 KB. */
  allPartHeaderBytes: 1_048_576,
  /** mailparser has the same limit. The largest real digests have some hundreds. */
  parts: 1_000,
  /** Exchange rejects more than 10. */
  nesting: 50,
  /** Lines that begin with two hyphens and may be delimiters: 100 for each part that is read. */
  delimiters: 100_000,
  /** RFC 2046 §5.1.1 allows 70. */
  boundaryLength: 200,
  /** Content-Type and similar fields, before parsing. */
  parameterBytes: 16_384,
  /** Gmail clips at 102 KB, and real mail never has ten times that. */
  htmlBytes: 1_048_576,
  textBytes: 1_048_576,
  /** Addresses of one header field that are listed. All are counted. */
  mailboxes: 1_000,
  /** Problems that are listed. All are counted. */
  faults: 200,
  /** Attachments that are opened to detect their type. Gmail rejects far fewer. */
  attachments: 200,
  /** Files of an archive that are listed. All are counted. */
  archiveEntries: 1_000,
  /** The part of a gzip file's content that is read to detect its kind. */
  inflatedBytes: 1_048_576,
} as const;

/** What was left out, and the limit that was exceeded. */
export type Cut = {
  readonly what: keyof typeof mimeBounds;
  readonly bound: number;
  /** The actual number, if it was counted. */
  readonly actual: number | null;
};

// Removes NUL and unpaired surrogates. Strangers send both, and no database stores them in text.

/** Pass `mayHoldNul` as false to skip the search of a long text. */
export function toStorable(text: string, mayHoldNul = true): string {
  const formed = text.toWellFormed();
  return mayHoldNul && formed.includes("\0") ? formed.replaceAll("\0", "\ufffd") : formed;
}

/** Also cuts a longer text, visibly. */
export function toStorableCut(text: string, maxLength: number): string {
  return toStorable(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
}

/** Without angle brackets, and cut, because PostgreSQL can't index entries over 2,704 bytes. */
export function toMessageIdKey(messageId: string): string {
  const bare = messageId.trim().replace(/^<(.*)>$/s, "$1");
  return toStorable(bare.slice(0, 800));
}
