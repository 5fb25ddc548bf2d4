// A note for the person who can fix something, ready to paste into a chat or an email: the issues in the order to fix
// them, and the records to publish. Plain text, because we don't know where it will be read.

import type { Owner } from "../../../analyzer/checks/check.ts";
import { endBeforeRecord, replaceQuoted } from "../../../analyzer/reports/fix-records.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";

/** Who the note is for: "Copy a note for your DNS admin". */
export const noteReaders: Readonly<Record<Owner, string>> = {
  content: "your content author",
  "email-service": "your email service admin",
  dns: "your DNS admin",
  "mail-server": "your mail server admin",
};

const places: Readonly<Record<Owner, string>> = {
  content: "in the email itself",
  "email-service": "in the email service's settings",
  dns: "in DNS",
  "mail-server": "on the mail server",
};

type NoteRecord = {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly replaces: readonly string[];
};

export type NoteFinding = {
  readonly title: string;
  readonly summary: string;
  readonly fix: string | null;
  readonly records: readonly NoteRecord[];
  /** What the fix cures, and how the score rises (words/cure-words.ts). */
  readonly cures?: string | null;
};

type NoteTerms = {
  readonly owner: Owner;
  /** The sender's; null if the message has none. */
  readonly domain: string | null;
  /** In the order to fix them. */
  readonly findings: readonly NoteFinding[];
  /** The report's; null if unknown. */
  readonly link: string | null;
};

const maxFindings = 10;
const maxText = 1_000;
/** Ten records can be long, and a note for people should not be. */
const maxNote = 12_000;

export function toNote({ owner, domain, findings, link }: NoteTerms): string {
  const shown = findings.slice(0, maxFindings);
  const isOne = findings.length === 1;
  const what = isOne ? "1 issue" : `${findings.length} issues`;
  const sender = domain === null ? "our email" : `email from ${plain(domain)}`;
  const head = `A test of ${sender} found ${what} to fix ${places[owner]}.${isOne ? "" : " Please start with the first one."}`;
  const told = new Set<string>();
  const issues = shown.map((finding, index) => toIssue(finding, isOne ? "" : `${index + 1}. `, told));
  const rest = findings.length - shown.length;
  const foot = [
    ...(rest > 0 ? [`${rest} more ${rest === 1 ? "issue is" : "issues are"} in the report.`] : []),
    ...(link === null ? [] : [`Report: ${link}`]),
  ];
  const text = [head, ...issues, ...(foot.length > 0 ? [foot.join("\n")] : [])].join("\n\n");
  return text.length > maxNote ? `${text.slice(0, maxNote)}…` : text;
}

/** One record may fix several issues. It is written once. */
function toIssue(
  { title, summary, fix, records, cures = null }: NoteFinding,
  number: string,
  told: Set<string>,
): string {
  const fresh = records.filter(({ name, type, value }) => !told.has(`${name} ${type} ${value}`));
  for (const { name, type, value } of fresh) told.add(`${name} ${type} ${value}`);
  const isTold = records.length > 0 && fresh.length === 0;
  return [
    `${number}${plain(title)}`,
    plain(summary),
    ...(cures === null ? [] : [plain(cures)]),
    ...(fix === null ? [] : [`Fix: ${plain(toFixWords(fix, records))}`]),
    ...(isTold ? ["The record above fixes this too."] : fresh.flatMap(toRecordLines)),
  ].join("\n");
}

function toRecordLines({ name, type, value, replaces }: NoteRecord): string[] {
  return [
    `  Name: ${toVisible(name)}`,
    `  Type: ${type}`,
    `  Value: ${toVisible(value)}`,
    ...replaces.map((text) => `  Replaces: ${plain(text)}`),
  ];
}

function plain(text: string): string {
  const visible = toVisible(text).replaceAll("`", "");
  return visible.length > maxText ? `${visible.slice(0, maxText)}…` : visible;
}

// The text of a fix with its records shown separately. A record is shown once, and not in the middle of a sentence as
// well.

const textRecord = /^v=(?:spf1|DMARC1|DKIM1|BIMI1|STSv1|TLSRPTv1)(?:[ ;]|$)/i;
const hostRecord = /^[\w.-]+\. (?:A|AAAA|MX) \S/;

/** Without the records quoted in it, if complete records are shown next to it. */
export function toFixWords(fix: string, records: readonly Pick<NoteRecord, "value">[]): string {
  if (records.length === 0) return fix;
  const shown = replaceQuoted(fix, (quoted, words) =>
    quoted !== "v=spf1" && (textRecord.test(quoted) || hostRecord.test(quoted)) ? endBefore(words) : null,
  );
  return /[.!?)]$/.test(shown) ? shown : `${shown}.`;
}

function endBefore(words: string): string {
  if (/: ?$/.test(words)) return endBeforeRecord(words);
  return `${words.replace(/`[^`]{1,300}` TXT $/, "")}this record`;
}
