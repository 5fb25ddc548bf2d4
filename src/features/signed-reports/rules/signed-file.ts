// The bytes of a signed report. Each line is either fixed, or signed, or hashed in what is signed, so that no byte can
// change. A line is a unit that sed and openssl can take out (src/handbook/signed-reports.md).
//
//   {"format":"assay-signed-report/1",
//   "statement":{…},            signed, with its line feed
//   "signature":"…",
//   "sections":[
//   ["summary","<salt>",{…}],   hashed from the salt on, with a line feed
//   ["report","<salt>",{…}]
//   ]}
//
// An HTML file has the page first, then these lines in a comment. A section that is left out keeps its hash, so the
// signature still holds, and the salt keeps its content from being guessed.

import { createHash } from "node:crypto";
import type { ReportSigner } from "./signing-key.ts";
import { isSignedBy, toPublicKey } from "./signing-key.ts";
import { parseStatement, type SectionName, type Statement, sectionNames, signedFormat } from "./statement.ts";

/** `salt`: hides the content from those who only have the hash. */
export type Section = { readonly name: SectionName; readonly salt: string; readonly content: unknown };

type Unsigned = Omit<Statement, "format" | "key" | "sections">;

type SignedLines = {
  readonly statement: string;
  readonly signature: string;
  readonly sections: readonly SectionLine[];
};
type SectionLine = { readonly name: SectionName; readonly rest: string };

export function signSections(unsigned: Unsigned, sections: readonly Section[], signer: ReportSigner): SignedLines {
  const lines = sections.map(({ name, salt, content }) => ({ name, rest: `"${salt}",${toLine(content)}` }));
  const statement = toLine({
    format: signedFormat,
    key: { id: signer.id, x: signer.x },
    ...unsigned,
    sections: Object.fromEntries(lines.map(({ name, rest }) => [name, hashLine(rest)])),
  });
  return { statement, signature: signer.sign(Buffer.from(`${statement}\n`)), sections: lines };
}

/** One line that can be in an HTML comment. */
function toLine(value: unknown): string {
  return JSON.stringify(value).replace(/[<>]/g, (sign) => (sign === "<" ? "\\u003c" : "\\u003e"));
}

function hashLine(line: string): string {
  return createHash("sha256").update(line).update("\n").digest("hex");
}

export function keepSections({ sections, ...signed }: SignedLines, kept: readonly SectionName[]): SignedLines {
  return { ...signed, sections: sections.filter(({ name }) => kept.includes(name)) };
}

const opening = `{"format":"${signedFormat}",\n`;
const closing = "]}\n";
const pageEnd = "<!--assay-signed-report\n";
const commentEnd = "-->\n";

export function toJsonFile({ statement, signature, sections }: SignedLines): string {
  const lines = sections.map(({ name, rest }) => `["${name}",${rest}]`).join(",\n");
  return `${opening}"statement":${statement},\n"signature":"${signature}",\n"sections":[\n${lines}${lines === "" ? "" : "\n"}${closing}`;
}

export function toHtmlFile(page: string, signed: SignedLines): string {
  return `${page}${pageEnd}${toJsonFile(signed)}${commentEnd}`;
}

/** In hexadecimal. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

// Reading it back, from anyone.

export const maxSignedBytes = 100_000_000;

export type SignedReport = {
  readonly statement: Statement;
  /** Sections that the file has. */
  readonly present: readonly SectionName[];
  /** Sections that the statement names and the file lacks. */
  readonly leftOut: readonly SectionName[];
  /** As JSON text. Undefined if it was left out. */
  readonly read: (name: SectionName) => string | undefined;
  /** A JSON file with only these sections. The signature still holds. */
  readonly redact: (kept: readonly SectionName[]) => Uint8Array;
};

export type SignedReading =
  | { readonly ok: true; readonly report: SignedReport }
  /** `statement`: if its own signature is valid, so what it says can be trusted as far as its key. */
  | { readonly ok: false; readonly why: string; readonly statement: Statement | null };

/** Never throws, whatever the bytes are. */
export function readSignedFile(bytes: Uint8Array): SignedReading {
  if (bytes.length > maxSignedBytes) return failed("The file is larger than any signed report.");
  // One character a byte, so that each byte counts, whatever charset it claims.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const parts = splitPage(text);
  if (parts === null) return failed("The file contains no signed report, or its outer structure was changed.");
  const lines = splitLines(parts.envelope);
  if (lines === null) return failed("The structure of the signed data was changed.");
  const statement = parseStatement(toUtf8(lines.statement));
  if (statement === null) return failed("The signed statement was changed, or has an unknown format.");
  const { key, sections: hashes } = statement;
  if (key.id !== toPublicKey(key.x).id || !isSignedBy(key, toBytes(`${lines.statement}\n`), lines.signature))
    return failed("The signature does not match: the statement or the signature was changed.");
  for (const { name, rest } of lines.sections)
    if (
      hashes[name] !==
      createHash("sha256")
        .update(toBytes(`${rest}\n`))
        .digest("hex")
    )
      return failed(`The section “${name}” was changed.`, statement);
  const read = (name: SectionName) => {
    const line = lines.sections.find((one) => one.name === name);
    return line && toContent(line.rest);
  };
  if (parts.page !== null && read("page") !== `"${sha256Of(toBytes(parts.page))}"`)
    return failed("The page that you see was changed.", statement);
  const present = lines.sections.map(({ name }) => name);
  const leftOut = sectionNames.filter((name) => hashes[name] !== undefined && !present.includes(name));
  const redact = (kept: readonly SectionName[]) => toBytes(toJsonFile(keepSections(lines, kept)));
  return { ok: true, report: { statement, present, leftOut, read, redact } };
}

function failed(why: string, statement: Statement | null = null): SignedReading {
  return { ok: false, why, statement };
}

/** Our pages escape text, so they can't contain the mark. In a forged page its first place counts. */
function splitPage(text: string): { readonly page: string | null; readonly envelope: string } | null {
  if (text.startsWith(opening)) return { page: null, envelope: text };
  const at = text.indexOf(pageEnd);
  if (at < 0 || !text.endsWith(commentEnd)) return null;
  return { page: text.slice(0, at), envelope: text.slice(at + pageEnd.length, -commentEnd.length) };
}

/** The statement, the signature, the line that begins the sections, and each section. */
const mostLines = 3 + sectionNames.length;

function splitLines(envelope: string): SignedLines | null {
  if (!envelope.startsWith(opening) || !envelope.endsWith(`\n${closing}`)) return null;
  // One line more than any file has, because a hostile file may consist of line feeds.
  const lines = envelope.slice(opening.length, -closing.length - 1).split("\n", mostLines + 1);
  if (lines.length > mostLines) return null;
  const [first = "", second = "", third, ...rest] = lines;
  const statement = between(first, '"statement":', ",");
  const signature = between(second, '"signature":"', '",');
  if (statement === null || signature === null || third !== '"sections":[') return null;
  const sections = rest.map((line, index) => toSectionLine(line, index === rest.length - 1));
  const names = sections.map((section) => (section === null ? -1 : sectionNames.indexOf(section.name)));
  // In order, so each at most once.
  const isOrdered = names.every((place, index) => place >= 0 && place > (names[index - 1] ?? -1));
  return isOrdered ? { statement, signature, sections: sections.filter((one) => one !== null) } : null;
}

function between(line: string, start: string, end: string): string | null {
  return line.startsWith(start) && line.endsWith(end) && line.length >= start.length + end.length
    ? line.slice(start.length, -end.length)
    : null;
}

function toSectionLine(line: string, isLast: boolean): SectionLine | null {
  const name = sectionNames.find((one) => line.startsWith(`["${one}",`));
  const rest = name === undefined ? null : between(line, `["${name}",`, isLast ? "]" : "],");
  return name === undefined || rest === null ? null : { name, rest };
}

/** After the salt, which ends at the second quotation mark. */
function toContent(rest: string): string {
  return toUtf8(rest.slice(rest.indexOf('",') + 2));
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function toUtf8(text: string): string {
  return toBytes(text).toString("utf8");
}
