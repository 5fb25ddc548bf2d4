// A message taken apart for the recognisers: its parts with their header fields, in one bounded pass. Not with the MIME parser,
// because a notice must be told from a test before anything expensive is done with a hostile message.

import { maxHeaderBytes } from "./parse.ts";
import { decodeCharset, decodeTransfer, decodeWords, htmlToText, maxTextBytes } from "./text-decoding.ts";

export type Fields = {
  /** The first of that name, unfolded, encoded words decoded. */
  readonly first: (name: string) => string | null;
  readonly all: (name: string) => readonly string[];
};

export type Part = {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly fileName: string | null;
  readonly fields: Fields;
  /** As transferred. */
  readonly body: Uint8Array;
  /** Of a multipart its parts, of an embedded message that message. */
  readonly parts: readonly Part[];
};

const maxParts = 100;
const maxDepth = 10;
/** Lines that begin with two hyphens and are looked at as delimiters. */
const maxDelimiters = 100_000;
const maxHeaderSearchBytes = 1_048_576;
const maxEmbeddedBytes = 1_048_576;
const maxBoundaryLength = 200;

type Budget = { parts: number; delimiters: number };

export function readParts(raw: Uint8Array): Part {
  return readEntity(asBuffer(raw), 0, { parts: maxParts, delimiters: maxDelimiters });
}

/** RFC 6522 §3. */
export function isReportOf({ type, parameters }: Part, reportType: string): boolean {
  return type === "multipart/report" && parameters.get("report-type")?.toLowerCase() === reportType;
}

/** The part and what is in it, but not what is in embedded messages. */
export function ownParts(part: Part): Part[] {
  return isEmbedded(part) ? [part] : [part, ...part.parts.flatMap(ownParts)];
}

export function isEmbedded(part: Part): boolean {
  return /^message\/(rfc822|global|partial|news)$/.test(part.type);
}

export function bodyOf(part: Part, maxBytes: number): Uint8Array {
  const encoding = part.fields.first("content-transfer-encoding") ?? "";
  return decodeTransfer(part.body, encoding.trim().toLowerCase(), maxBytes);
}

export function textOf(part: Part): string {
  const text = decodeCharset(bodyOf(part, maxTextBytes), part.parameters.get("charset") ?? null);
  return part.type === "text/html" ? htmlToText(text) : text;
}

function readEntity(bytes: Buffer, depth: number, budget: Budget, fallback = "text/plain"): Part {
  budget.parts--;
  const { section, body } = splitEntity(bytes);
  const fields = readFields(section);
  const contentType = fields.first("content-type") ?? fallback;
  const type = /^\s*([\w.+-]{1,100}\/[\w.+-]{1,100})/.exec(contentType)?.[1]?.toLowerCase() ?? fallback;
  const parameters = readParameters(contentType);
  const fileName =
    readParameters(fields.first("content-disposition") ?? "").get("filename") ??
    parameters.get("name") ??
    null;
  const part = { type, parameters, fileName, fields, body, parts: [] };
  return { ...part, parts: depth < maxDepth && budget.parts > 0 ? readInner(part, depth, budget) : [] };
}

function readInner(part: Part, depth: number, budget: Budget): Part[] {
  if (isEmbedded(part)) return [readEntity(asBuffer(bodyOf(part, maxEmbeddedBytes)), depth + 1, budget)];
  if (!part.type.startsWith("multipart/")) return [];
  const body = asBuffer(part.body);
  const declared = part.parameters.get("boundary") ?? "";
  const pieces = splitMultipart(body, declared, budget);
  // Gateways rewrite the header field and forget the body, so a first line that can only be a delimiter counts as one.
  const found = pieces.length > 0 ? pieces : splitMultipart(body, guessBoundary(body), budget);
  const fallback = part.type === "multipart/digest" ? "message/rfc822" : "text/plain";
  return found.map((piece) => readEntity(piece, depth + 1, budget, fallback));
}

function splitEntity(bytes: Buffer): { section: Buffer; body: Buffer } {
  if (bytes[0] === 10 || (bytes[0] === 13 && bytes[1] === 10))
    return { section: bytes.subarray(0, 0), body: bytes.subarray(bytes[0] === 10 ? 1 : 2) };
  const window = bytes.subarray(0, maxHeaderSearchBytes);
  const ends = ["\r\n\r\n", "\n\n"]
    .map((mark) => ({ at: window.indexOf(mark), length: mark.length }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  const [end] = ends;
  if (!end) return { section: window.subarray(0, maxHeaderBytes), body: bytes.subarray(window.length) };
  return {
    section: bytes.subarray(0, Math.min(end.at, maxHeaderBytes)),
    body: bytes.subarray(end.at + end.length),
  };
}

/** RFC 2046 §5.1.1. The epilogue and what stands before the first delimiter are no parts. */
function splitMultipart(body: Buffer, boundary: string, budget: Budget): Buffer[] {
  if (boundary === "" || boundary.length > maxBoundaryLength) return [];
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const pieces: Buffer[] = [];
  let began = -1;
  let at = startsWith(body, delimiter, 0) ? 0 : nextLine(body, 0);
  while (at >= 0 && budget.delimiters-- > 0 && pieces.length < budget.parts) {
    if (startsWith(body, delimiter, at)) {
      if (began >= 0) pieces.push(body.subarray(began, lineEndBefore(body, at)));
      began = afterLine(body, at);
      if (startsWith(body, Buffer.from("--"), at + delimiter.length)) return pieces;
    }
    at = nextLine(body, at);
  }
  // Cut off before its end: what there is of the last part counts.
  if (began >= 0) pieces.push(body.subarray(began));
  return pieces;
}

function nextLine(body: Buffer, from: number): number {
  const at = body.indexOf("\n--", from);
  return at < 0 ? -1 : at + 1;
}

function startsWith(body: Buffer, mark: Buffer, at: number): boolean {
  const end = at + mark.length;
  return end <= body.length && body.compare(mark, 0, mark.length, at, end) === 0;
}

function afterLine(body: Buffer, at: number): number {
  const end = body.indexOf(10, at);
  return end < 0 ? body.length : end + 1;
}

/** The line end before a delimiter belongs to the delimiter. */
function lineEndBefore(body: Buffer, at: number): number {
  const end = body[at - 1] === 10 ? at - 1 : at;
  return body[end - 1] === 13 ? end - 1 : end;
}

function guessBoundary(body: Buffer): string {
  const beginning = `\n${body.subarray(0, 8_192).toString("latin1")}`;
  return /\n--([^\r\n]{1,200})\r?\ncontent-/i.exec(beginning)?.[1]?.trimEnd() ?? "";
}

export function readFields(section: Uint8Array): Fields {
  const text = decodeCharset(section.subarray(0, maxHeaderBytes), null);
  const values = new Map<string, string[]>();
  for (const line of text.replace(/\r?\n[ \t]/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!/^[!-9;-~]{1,100}$/.test(name)) continue;
    const list = values.get(name);
    if (list) list.push(line.slice(colon + 1).trim());
    else values.set(name, [line.slice(colon + 1).trim()]);
  }
  const all = (name: string) => (values.get(name) ?? []).map(decodeWords);
  return { all, first: (name) => all(name)[0] ?? null };
}

/** RFC 2045 §5.1, and RFC 2231 as far as file names need it. */
function readParameters(value: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /;\s{0,100}([\w-]{1,60})(?:\*\d{0,2}\*?)?\s{0,20}=\s{0,20}("(?:[^"\\]|\\.)*"|[^;\s]*)/g;
  for (const [whole, name = "", quoted = ""] of value.slice(0, 8_192).matchAll(pattern)) {
    const text = quoted.startsWith('"') ? quoted.slice(1, -1).replace(/\\(.)/g, "$1") : quoted;
    const isEncoded = /\*\s{0,20}=/.test(whole);
    const key = name.toLowerCase();
    // Continuations come in order.
    parameters.set(key, (parameters.get(key) ?? "") + (isEncoded ? decodePercent(text) : text));
  }
  return parameters;
}

function decodePercent(text: string): string {
  const encoded = text.replace(/^[\w.-]{0,40}'[\w-]{0,20}'/, "");
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeCharset(Buffer.from(bytes, "latin1"), null);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
