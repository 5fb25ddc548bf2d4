// The parsers that read what strangers write, each with what it makes of any bytes. A further one is a further line.

import { parseMailboxes } from "../../src/mail/address.ts";
import { readAttachments } from "../../src/mail/attachments.ts";
import { toEml } from "../../src/mail/eml.ts";
import { kindOf, lookInto } from "../../src/mail/file-kind.ts";
import { parseMailDate } from "../../src/mail/mail-date.ts";
import { parseParameters } from "../../src/mail/parameters.ts";
import { parseMessage, readMessage } from "../../src/mail/parse.ts";
import { recognise } from "../../src/mail/recognise.ts";

export type FuzzedParser = {
  readonly name: string;
  readonly parse: (bytes: Uint8Array) => unknown;
  /** Its result goes into a report, which no database keeps with a NUL or half of a surrogate pair in it. */
  readonly isKept?: boolean;
};

const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

export const fuzzedParsers: readonly FuzzedParser[] = [
  { name: "message", parse: parseMessage, isKept: true },
  { name: "raw", parse: (bytes) => readMessage(bytes).raw },
  { name: "attachments", parse: (bytes) => readAttachments(bytes, parseMessage(bytes)), isKept: true },
  { name: "eml", parse: readEml, isKept: true },
  { name: "file", parse: lookInto, isKept: true },
  { name: "file kind", parse: (bytes) => kindOf(Buffer.from(bytes)), isKept: true },
  { name: "mailboxes", parse: (bytes) => parseMailboxes(asText(bytes)), isKept: true },
  { name: "parameters", parse: (bytes) => parseParameters(asText(bytes)) },
  { name: "date", parse: (bytes) => parseMailDate(asText(bytes)) },
  { name: "recogniser", parse: (bytes) => recognise(bytes, { mailFrom: "", rcptTo: ["ann@shop.example"] }) },
];

function readEml(bytes: Uint8Array): unknown {
  const message = parseMessage(bytes);
  return toEml(bytes, message, readAttachments(bytes, message));
}

/** What is wrong with the result, in words; null: nothing. */
export function judge({ parse, isKept }: FuzzedParser, bytes: Uint8Array): string | null {
  const began = performance.now();
  let written: string;
  try {
    written = JSON.stringify(parse(bytes)) ?? "";
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : error}`;
  }
  const ms = performance.now() - began;
  if (ms > longestMs) return `took ${Math.round(ms)} ms`;
  if (written.length > leastRoom + bytes.length * timesInput) return `told ${written.length} characters`;
  return isKept && /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(written)
    ? "told what no database keeps"
    : null;
}

/** Far above what a thrown message costs on a busy machine; what loops for ever is past it too. */
const longestMs = 5_000;
const leastRoom = 200_000;
const timesInput = 100;
