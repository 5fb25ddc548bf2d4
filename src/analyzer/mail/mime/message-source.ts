// Converts what a person hands in (a file, a pasted text) to the bytes of one message, or says why it isn't one. Mail
// that arrives by SMTP skips this, because everything that a sender sends is judged.

import { toVisible } from "../../visible-text.ts";
import { readHeaderSection } from "../headers/fields.ts";

type MessageSource =
  | { readonly ok: true; readonly raw: Uint8Array }
  /** Complete sentences for the person who handed it in. */
  | { readonly ok: false; readonly problem: string };

const howTo =
  "In Gmail: ⋮ → Show original. In Outlook: … → View → View message source. In Apple Mail: View → Message → Raw Source.";

const outlookFile = Buffer.from("d0cf11e0a1b11ae1", "hex");
const zipFile = Buffer.from("PK\u0003\u0004", "latin1");
const byteOrderMark = Buffer.from("efbbbf", "hex");
const littleEndianMark = Buffer.from("fffe", "hex");
const bigEndianMark = Buffer.from("feff", "hex");
const envelopeLine = Buffer.from("From ", "latin1");

/** Any message that software sent or stored has one of these in its headers. */
const usualFields = new Set([
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "sender",
  "reply-to",
  "message-id",
  "received",
  "return-path",
  "delivered-to",
  "mime-version",
  "content-type",
  "dkim-signature",
  "list-unsubscribe",
]);
/** Later fields are ignored. */
const maxFields = 200;

export function readMessageSource(given: Uint8Array): MessageSource {
  const bytes = withoutLead(toBytes(Buffer.from(given.buffer, given.byteOffset, given.byteLength)));
  if (startsWith(bytes, outlookFile))
    return no("This is an Outlook .msg file, not a message source. Save the message as .eml, or paste its source.");
  if (startsWith(bytes, zipFile)) return no("This is a ZIP archive. Unpack it and upload one .eml file.");
  const raw = startsWith(bytes, envelopeLine) ? firstOfMbox(bytes) : bytes;
  const { fields, badLines } = readHeaderSection(raw, maxFields);
  const isUsual = fields.some(({ key }) => usualFields.has(key));
  const [stray] = badLines;
  if (isUsual && stray?.offset !== 0) return { ok: true, raw };
  if (isUsual && stray !== undefined)
    return no(
      `A message source begins with header lines such as "From:" or "Received:", but this begins with "${toShown(stray.text)}". Remove the text above the headers, or copy the source again. ${howTo}`,
    );
  return no(
    `This does not look like a message source, because it has no header lines such as "From:" or "Subject:". ${howTo}`,
  );
}

const maxShown = 60;

function toShown(line: string): string {
  const [first = ""] = Buffer.from(line, "latin1").toString("utf8").split(/\r?\n/, 1);
  return toVisible(first.trim().slice(0, maxShown));
}

function no(problem: string): MessageSource {
  return { ok: false, problem };
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.length >= beginning.length && beginning.equals(bytes.subarray(0, beginning.length));
}

/** Windows editors save pasted text as UTF-16. */
function toBytes(given: Buffer): Buffer {
  if (startsWith(given, littleEndianMark)) return Buffer.from(given.toString("utf16le", 2));
  if (!startsWith(given, bigEndianMark)) return given;
  const swapped = Buffer.from(given.subarray(2, given.length - (given.length % 2))).swap16();
  return Buffer.from(swapped.toString("utf16le"));
}

/** Editors add a byte order mark, and pasting leaves empty lines. Either would end the headers at once. */
function withoutLead(bytes: Buffer): Buffer {
  let begin = startsWith(bytes, byteOrderMark) ? byteOrderMark.length : 0;
  while (bytes[begin] === CR || bytes[begin] === LF) begin += 1;
  return bytes.subarray(begin);
}

const LF = 10;
const CR = 13;

/** `From ann@a.example Mon Jun  3 10:00:00 2024`, with or without a zone. Ordinary sentences begin with "From " too. */
const envelopeShape =
  /^From [^\r\n]{1,320}? (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d(?::\d\d)?(?: [+-]\d{4}| [A-Z]{1,5})? \d{4}(?: [+-]\d{4}| [A-Z]{1,5})?\s*$/;
const maxEnvelopeLine = 450;

/** The first message of a mbox file (RFC 4155), without the line before it. */
function firstOfMbox(bytes: Buffer): Buffer {
  const begin = bytes.indexOf(LF) + 1;
  if (begin === 0 || !isEnvelopeLine(bytes, 0)) return bytes.subarray(begin);
  let isQuoting = true;
  let end = bytes.length;
  for (let at = bytes.indexOf(lineFrom, begin); at >= 0; at = bytes.indexOf(lineFrom, at + 1)) {
    if (isAfterEmptyLine(bytes, at) && isEnvelopeLine(bytes, at + 1)) {
      end = bytes[at - 1] === CR ? at - 1 : at;
      break;
    }
    isQuoting = false;
  }
  const message = bytes.subarray(begin, end);
  return isQuoting ? unquoted(message) : message;
}

const lineFrom = Buffer.from("\nFrom ");

/** `lf`: the line end before. */
export function isAfterEmptyLine(bytes: Buffer, lf: number): boolean {
  return bytes[lf - 1] === LF || (bytes[lf - 1] === CR && bytes[lf - 2] === LF);
}

export function isEnvelopeLine(bytes: Buffer, at: number): boolean {
  const [line = ""] = bytes.toString("latin1", at, at + maxEnvelopeLine).split("\n", 1);
  return envelopeShape.test(line);
}

/**
 * Mbox files write `>From ` for `From ` at the beginning of a line. Formats that store a message's length don't; then
 * the sender wrote the sign.
 */
function unquoted(message: Buffer): Buffer {
  const { fields, bodyOffset } = readHeaderSection(message, maxFields);
  if (fields.some(({ key }) => key === "content-length")) return message;
  const quoted = Buffer.from("\n>From ");
  const pieces: Buffer[] = [];
  let begin = 0;
  for (let at = message.indexOf(quoted, bodyOffset - 1); at >= 0; at = message.indexOf(quoted, begin)) {
    pieces.push(message.subarray(begin, at + 1));
    begin = at + 2;
  }
  return begin === 0 ? message : Buffer.concat([...pieces, message.subarray(begin)]);
}
