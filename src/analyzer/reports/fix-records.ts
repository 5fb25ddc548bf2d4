// Makes the text of a fix quote the same record that is proposed with it, so that copying either gives the same result.

/** What a record changes beyond the text of a fix. `terms`: already covered if the text quotes all of them. */
export type RecordNote = { readonly says: string; readonly terms: readonly string[] };

const kinds = [/^v=spf1 ./i, /^v=DMARC1(?:[ ;]|$)/i];

/** Replaces each complete record in the text with the proposed one of its kind. Additional changes come last. */
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

/** The proposed record of its kind, or the text itself if there is none or if it is not a complete record. */
export function toQuoted(text: string, records: readonly Pick<ProposedRecord, "value">[]): string {
  const kind = kinds.find((each) => each.test(text));
  return (kind && records.find(({ value }) => kind.test(value))?.value) ?? text;
}

/** Introduces a record and is meaningless without it. */
const introduction = / ?(?:Corrected record|The whole record|For example|As it should read): ?$/;

/** What remains before a record that is not shown there. */
export function endBeforeRecord(words: string): string {
  return words.replace(introduction, "").replace(/: ?$/, "");
}

/** Leaves out an SPF record that failed its trial, if the text covers the case without it. */
export function withoutQuotedSpf(fix: string): string {
  return replaceQuoted(fix, (quoted, words) =>
    /^v=spf1 ./i.test(quoted) && /: ?$/.test(words) ? endBeforeRecord(words) : null,
  );
}

/** `replace`: gets the text before a quoted part and returns its replacement, or null to keep it. */
export function replaceQuoted(fix: string, replace: (quoted: string, words: string) => string | null): string {
  let words = "";
  const parts = fix.split("`");
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (isQuoted) words = replace(part, words) ?? `${words}\`${part}\``;
    else words += index % 2 === 1 ? `\`${part}` : part;
  }
  return words;
}

// A complete record to publish, as proposed by a fix.

export type ProposedRecord = {
  /** Fully qualified, without the trailing dot. */
  readonly name: string;
  readonly type: "A" | "AAAA" | "MX" | "PTR" | "TXT";
  /** The record's text, not split into strings. */
  readonly value: string;
  /** The current records that it replaces. */
  readonly replaces: readonly string[];
};
