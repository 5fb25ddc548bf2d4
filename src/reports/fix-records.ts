// The words of a fix quote the record that is proposed beside them, and no other: whoever pastes from the words or from the
// record publishes the same.

/** What a record changes beyond the words of a fix. `terms`: where these words quote all of them, it is known. */
export type RecordNote = { readonly says: string; readonly terms: readonly string[] };

const kinds = [/^v=spf1 ./i, /^v=DMARC1(?:[ ;]|$)/i];

/** Each whole record that the words quote becomes the proposed one of its kind; what that changes besides comes last. */
export function quoteProposed(
  fix: string,
  records: readonly Pick<ProposedRecord, "value">[],
  notes: readonly RecordNote[],
): string {
  const words = replaceQuoted(fix, (quoted, before) => `${before}\`${toQuoted(quoted, records)}\``);
  const news = notes.filter(({ terms }) => !terms.every((term) => fix.includes(`\`${term}\``)));
  if (news.length === 0) return words;
  const end = /[.!?]$/.test(words) ? "" : ".";
  return `${words}${end} ${news.map(({ says }) => says).join(" ")}`;
}

/** The proposed record of its kind; the text itself where there is none, or where it is no whole record. */
export function toQuoted(text: string, records: readonly Pick<ProposedRecord, "value">[]): string {
  const kind = kinds.find((each) => each.test(text));
  return (kind && records.find(({ value }) => kind.test(value))?.value) ?? text;
}

/** What introduces a record and says nothing without it. */
const introduction = / ?(?:Corrected record|The whole record|For example|As it should read): ?$/;

/** What is left before a record that is not shown there. */
export function endBeforeRecord(words: string): string {
  return words.replace(introduction, "").replace(/: ?$/, "");
}

/** Without an SPF record that failed its trial, where the words say what to do without it. */
export function withoutQuotedSpf(fix: string): string {
  return replaceQuoted(fix, (quoted, words) =>
    /^v=spf1 ./i.test(quoted) && /: ?$/.test(words) ? endBeforeRecord(words) : null,
  );
}

/** `replace`: the words up to a quoted text → with what comes in its place; null where it stays. */
export function replaceQuoted(
  fix: string,
  replace: (quoted: string, words: string) => string | null,
): string {
  let words = "";
  const parts = fix.split("`");
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (isQuoted) words = replace(part, words) ?? `${words}\`${part}\``;
    else words += index % 2 === 1 ? `\`${part}` : part;
  }
  return words;
}

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
