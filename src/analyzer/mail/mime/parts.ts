// The parts of a message as bounce recognition needs them. Same parser, but lower limits and more lenient: hostile
// messages must be cheap to classify, and gateways damage notices.

import { parameterOf, parseParameters } from "../headers/parameters.ts";
import { mimeBounds } from "../text/bounds.ts";
import { decodeCharset, decodeTransfer, decodeWords, htmlToText, maxTextBytes } from "../text/decoding.ts";
import {
  type Entity,
  encodingOf,
  guessedWithin,
  isDecodable,
  isEmbeddedType,
  type MimeTree,
  readTree,
  type TreeBounds,
} from "./tree.ts";

/** Limit for each part's headers. No mail server writes more. */
const maxHeaderBytes = 65_536;

export type Fields = {
  /** The value of the first field of that name, unfolded, with encoded words decoded. */
  readonly first: (name: string) => string | null;
  readonly all: (name: string) => readonly string[];
};

export type Part = {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly parameter: (name: string) => string | null;
  readonly fileName: string | null;
  readonly fields: Fields;
  /** Transfer encoding not decoded. */
  readonly body: Uint8Array;
  /** The parts of a multipart, or the message in an embedded message. */
  readonly parts: readonly Part[];
};

const bounds: TreeBounds = {
  ...mimeBounds,
  headerBytes: maxHeaderBytes,
  headerFields: 2_000,
  parts: 100,
  nesting: 10,
  guessesBoundaries: true,
};
const maxEmbeddedBytes = 1_048_576;

/**
 * `tree` is the message as the main parser reads it. It is nearly always identical to what our limits would produce,
 * and then reused.
 */
export function readParts(raw: Uint8Array, tree?: MimeTree): Part {
  const { root } = tree && isWithinBounds(tree) ? tree : readTree(raw, bounds);
  return toPart(raw, root, { parts: bounds.parts });
}

/** Nothing in it exceeds our limits, and each multipart has its boundary where a guess would look for it. */
function isWithinBounds({ root, entities, cuts }: MimeTree): boolean {
  const lines = root.fields.length + root.badLines.length;
  if (cuts.length > 0 || root.bodyOffset >= bounds.headerBytes || lines >= bounds.headerFields) return false;
  return entities.length < bounds.parts && entities.every((entity) => isPlain(entity));
}

function isPlain({ type, depth, bodyOffset, firstDelimiter }: Entity): boolean {
  if (depth >= bounds.nesting) return false;
  // Half of it, because the boundary itself must fit too.
  const soon = bodyOffset + guessedWithin / 2;
  return !type.startsWith("multipart/") || (firstDelimiter !== null && firstDelimiter < soon);
}

/** `left` counts the parts that encoded messages may still add. */
function toPart(raw: Uint8Array, entity: Entity, left: { parts: number }): Part {
  left.parts--;
  const { type, contentType, offset, bodyOffset, end } = entity;
  const fields = readFields(raw.subarray(offset, Math.min(bodyOffset, offset + maxHeaderBytes)));
  const part: Part = {
    type,
    parameter: (name) => parameterOf(contentType, name),
    fileName:
      parameterOf(parseParameters(fieldOf(entity, "content-disposition")), "filename") ??
      parameterOf(contentType, "name"),
    fields,
    body: raw.subarray(bodyOffset, end),
    parts: entity.parts.map((inner) => toPart(raw, inner, left)),
  };
  const isPacked = isEmbedded(part) && isDecodable(encodingOf(entity)) && entity.depth < bounds.nesting;
  return isPacked && left.parts > 0 ? { ...part, parts: [unpacked(part, left)] } : part;
}

/** Multiparts and messages must not be encoded (RFC 2045 §6.4), but some systems return the original like that. */
function unpacked(part: Part, left: { parts: number }): Part {
  const bytes = bodyOf(part, maxEmbeddedBytes);
  const { root } = readTree(bytes, { ...bounds, parts: left.parts });
  return toPart(bytes, root, { parts: 0 });
}

function fieldOf({ fields }: Entity, key: string): string {
  return fields.find((field) => field.key === key)?.value ?? "";
}

/** RFC 6522 §3. */
export function isReportOf({ type, parameter }: Part, reportType: string): boolean {
  return type === "multipart/report" && parameter("report-type")?.toLowerCase() === reportType;
}

/** The part and its contents, without those of embedded messages. */
export function ownParts(part: Part): Part[] {
  return isEmbedded(part) ? [part] : [part, ...part.parts.flatMap(ownParts)];
}

export function isEmbedded(part: Part): boolean {
  return isEmbeddedType(part.type);
}

export function bodyOf(part: Part, maxBytes: number): Uint8Array {
  const encoding = part.fields.first("content-transfer-encoding") ?? "";
  return decodeTransfer(part.body, encoding.trim().toLowerCase(), maxBytes);
}

export function textOf(part: Part): string {
  const text = decodeCharset(bodyOf(part, maxTextBytes), part.parameter("charset"));
  return part.type === "text/html" ? htmlToText(text) : text;
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
