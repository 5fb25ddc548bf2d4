// How much of a message is read. All of it is kept; what lies beyond a bound is told as cut, so that a verdict never
// stands on what nobody looked at.

export const mimeBounds = {
  /** Gmail takes half of it (header limits). */
  headerBytes: 1_048_576,
  /** Gmail takes 5,000. */
  headerFields: 10_000,
  /** Of a header field no more is decoded: Gmail takes 32 KB, and only To, Cc and References may be longer. */
  fieldBytes: 131_072,
  /** Of a part's own header section. */
  partHeaderBytes: 65_536,
  /** Of all of them together: a thousand ordinary ones have 200 KB. */
  allPartHeaderBytes: 1_048_576,
  /** What mailparser reads too; the largest real digests have some hundreds. */
  parts: 1_000,
  /** Exchange refuses more than 10. */
  nesting: 50,
  /** Lines that begin with two hyphens and may part a multipart: 100 for each part that is read. */
  delimiters: 100_000,
  /** RFC 2046 §5.1.1 allows 70. */
  boundaryLength: 200,
  /** Of Content-Type and its like, before they are taken apart. */
  parameterBytes: 16_384,
  /** Gmail clips at 102 KB, and nothing that people send weighs ten times that. */
  htmlBytes: 1_048_576,
  textBytes: 1_048_576,
  /** Addresses of one header field that are listed; all are counted. */
  mailboxes: 1_000,
  /** Faults that are listed; all are counted. */
  faults: 200,
  /** Attachments that are opened to see their type; Gmail refuses long before. */
  attachments: 200,
  /** Files of an archive that are listed; all are counted. */
  archiveEntries: 1_000,
  /** Of a gzip file's content, to see what kind it is: the beginning tells. */
  inflatedBytes: 1_048_576,
} as const;

/** What was left out, and the bound that left it out. */
export type Cut = {
  readonly what: keyof typeof mimeBounds;
  readonly bound: number;
  /** How many there are, where they were counted. */
  readonly actual: number | null;
};

// No database keeps a NUL or half of a surrogate pair in a text; strangers send both.

/** `mayHoldNul` false: whoever knows spares the search of a long text. */
export function toStorable(text: string, mayHoldNul = true): string {
  const formed = text.toWellFormed();
  return mayHoldNul && formed.includes("\0") ? formed.replaceAll("\0", "\ufffd") : formed;
}

/** As above, and what is longer is cut, and shows it. */
export function toStorableCut(text: string, maxLength: number): string {
  return toStorable(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
}

/** Without angle brackets, and cut, because PostgreSQL indexes no entry over 2,704 bytes. */
export function toMessageIdKey(messageId: string): string {
  const bare = messageId.trim().replace(/^<(.*)>$/s, "$1");
  return toStorable(bare.slice(0, 800));
}
