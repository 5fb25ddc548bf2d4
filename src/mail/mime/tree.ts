// A message taken apart into its parts, in one pass over the bytes that is linear whatever the nesting (RFC 2046 §5.1).
// Not with mailparser: it tells neither where a part stands nor what it forgave, gives up the whole message past its
// bounds, and would cost a second pass. It stays as the peer that tests compare with.

import { type HeaderField, type HeaderSection, readHeaderSection } from "../headers/fields.ts";
import { type ParameterValue, parameterOf, parseParameters } from "../headers/parameters.ts";
import { type Cut, mimeBounds } from "../text/bounds.ts";

export type Entity = {
  /** IMAP's number (RFC 9051 §6.4.5.1): "1", "2.1". A multipart that is a whole message has none there and is "0" or "2.0" here. */
  readonly path: string;
  /** 0: the message itself. */
  readonly depth: number;
  readonly fields: readonly HeaderField[];
  readonly badLines: HeaderSection["badLines"];
  readonly hasBlankLine: boolean;
  /** Offsets in the bytes that were read. */
  readonly offset: number;
  readonly bodyOffset: number;
  /** Behind its last byte. */
  end: number;
  /** Lower case, without parameters; what the standard assumes where none can be read. */
  readonly type: string;
  readonly contentType: ParameterValue;
  /** Of a multipart its parts, of an embedded message that message. */
  readonly parts: Entity[];
  /** Of a multipart whose parts can be told apart. */
  readonly boundary: string | null;
  /** Where its first delimiter stands, and where its last one ends; null where there is none. */
  firstDelimiter: number | null;
  closedAt: number | null;
};

export type MimeTree = {
  readonly root: Entity;
  /** In the order of the message. */
  readonly entities: readonly Entity[];
  readonly cuts: readonly Cut[];
};

export type TreeBounds = {
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly partHeaderBytes: number;
  readonly allPartHeaderBytes: number;
  readonly parts: number;
  readonly nesting: number;
  readonly delimiters: number;
  /** Gateways rewrite the header field and forget the body: a first line that can only be a delimiter counts as one. */
  readonly guessesBoundaries: boolean;
};

/** Of a multipart's body: there its first delimiter is looked for. */
export const guessedWithin = 8_192;

const defaultBounds: TreeBounds = { ...mimeBounds, guessesBoundaries: false };

type Delimiter = {
  readonly offset: number;
  readonly next: number;
  readonly level: number;
  readonly isLast: boolean;
};

export function readTree(raw: Uint8Array, bounds: TreeBounds = defaultBounds): MimeTree {
  const reader = new TreeReader(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), bounds);
  return reader.read();
}

/** The entity and what is in it, but not what is in embedded messages. */
export function ownEntities(entity: Entity): Entity[] {
  return isEmbeddedType(entity.type) ? [entity] : [entity, ...entity.parts.flatMap(ownEntities)];
}

export function isEmbeddedType(type: string): boolean {
  return /^message\/(rfc822|global|partial|news)$/.test(type);
}

export type Encoding = "7bit" | "8bit" | "binary" | "base64" | "quoted-printable" | "unknown";

/** What RFC 2045 §6.1 assumes where the field is missing; `unknown` where it says something else. */
export function encodingOf({ fields }: Pick<Entity, "fields">): Encoding {
  const written = fields.find(({ key }) => key === "content-transfer-encoding")?.value;
  if (written === undefined) return "7bit";
  const word = /^[\s]*"?([\w-]{1,40})"?\s*(?:$|[;(])/.exec(written.slice(0, 1_000))?.[1]?.toLowerCase();
  return encodings.find((encoding) => encoding === word) ?? "unknown";
}

export function isDecodable(encoding: Encoding): boolean {
  return encoding === "base64" || encoding === "quoted-printable";
}

const encodings = ["7bit", "8bit", "binary", "base64", "quoted-printable"] as const;
const lineWithHyphens = Buffer.from("\n--");
const LF = 10;
const CR = 13;

const typePattern = /^([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})(?=$|[\s;,(])/;

class TreeReader {
  readonly #bytes: Buffer;
  readonly #bounds: TreeBounds;
  readonly #entities: Entity[] = [];
  /** Multiparts that are open, outermost first. */
  readonly #open: Entity[] = [];
  readonly #cuts = new Map<Cut["what"], Cut>();
  #delimiters = 0;
  #partHeaderBytesLeft: number;

  constructor(bytes: Buffer, bounds: TreeBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#partHeaderBytesLeft = bounds.allPartHeaderBytes;
  }

  read(): MimeTree {
    const root = this.#openEntity(0, null, "text/plain");
    let at = this.#entities.at(-1)?.bodyOffset ?? 0;
    while (this.#open.length > 0) {
      const delimiter = this.#nextDelimiter(at, this.#bytes.length);
      if (!delimiter || !this.#part(delimiter)) break;
      at = Math.max(delimiter.next, this.#entities.at(-1)?.bodyOffset ?? 0);
    }
    return { root, entities: this.#entities, cuts: [...this.#cuts.values()] };
  }

  /** What the delimiter ends, and what it begins; false when no further part is read. */
  #part(delimiter: Delimiter): boolean {
    const container = this.#open[delimiter.level];
    if (!container) return false;
    this.#open.splice(delimiter.level + 1);
    const last = container.parts.at(-1);
    if (last) end(last, this.#lineEndBefore(delimiter.offset));
    else container.firstDelimiter = delimiter.offset;
    if (delimiter.isLast) {
      container.closedAt = delimiter.next;
      this.#open.pop();
      return true;
    }
    if (this.#entities.length >= this.#bounds.parts) return this.#cut("parts");
    const fallback = container.type === "multipart/digest" ? "message/rfc822" : "text/plain";
    this.#openEntity(delimiter.next, container, fallback);
    return true;
  }

  #openEntity(offset: number, parent: Entity | null, fallback: string): Entity {
    const entity = this.#readEntity(offset, parent, fallback);
    this.#entities.push(entity);
    parent?.parts.push(entity);
    const isEmbedded = isEmbeddedType(entity.type) && !isDecodable(encodingOf(entity));
    if (entity.depth >= this.#bounds.nesting) {
      if (entity.boundary !== null || isEmbedded) this.#cut("nesting");
    } else if (entity.boundary !== null) this.#open.push(entity);
    else if (isEmbedded && this.#entities.length >= this.#bounds.parts) this.#cut("parts");
    else if (isEmbedded) this.#openEntity(entity.bodyOffset, entity, "text/plain");
    return entity;
  }

  #readEntity(offset: number, parent: Entity | null, fallback: string): Entity {
    const section = this.#readSection(offset, parent === null);
    const { fields, bodyOffset } = section;
    const written = fields.find(({ key }) => key === "content-type")?.value ?? "";
    const contentType = parseParameters(written);
    const type = typePattern.exec(contentType.value)?.[1]?.toLowerCase() ?? fallback;
    const boundary = type.startsWith("multipart/") ? this.#boundaryOf(contentType, bodyOffset) : null;
    return {
      path: pathOf(parent, type),
      depth: parent ? parent.depth + 1 : 0,
      ...section,
      offset,
      end: this.#bytes.length,
      type,
      contentType,
      parts: [],
      boundary,
      firstDelimiter: null,
      closedAt: null,
    };
  }

  /** Up to the empty line, but never past a delimiter: a part may lack the empty line. */
  #readSection(offset: number, isMessage: boolean): HeaderSection {
    const bound = isMessage
      ? this.#bounds.headerBytes
      : Math.min(this.#bounds.partHeaderBytes, this.#partHeaderBytesLeft);
    const limit = Math.min(this.#bytes.length, offset + bound);
    const delimiter = this.#open.length > 0 ? this.#nextDelimiter(offset, limit) : undefined;
    const window = this.#bytes.subarray(offset, delimiter?.offset ?? limit);
    const section = readHeaderSection(window, this.#bounds.headerFields);
    if (!isMessage) this.#partHeaderBytesLeft -= section.bodyOffset;
    const hasManyFields = !section.hasBlankLine && section.bodyOffset < window.length;
    const isTooLong = !section.hasBlankLine && !delimiter && limit < this.#bytes.length;
    if (!hasManyFields && !isTooLong) return moved(section, offset);
    const headerBound = isMessage ? "headerBytes" : "partHeaderBytes";
    this.#cut(hasManyFields ? "headerFields" : headerBound);
    if (!isMessage) return moved(section, offset);
    const bodyOffset = this.#endOfHeader(section.bodyOffset);
    return { ...section, bodyOffset, hasBlankLine: bodyOffset < this.#bytes.length };
  }

  #endOfHeader(from: number): number {
    const ends = ["\n\n", "\n\r\n"].map((mark) => {
      const at = this.#bytes.indexOf(mark, Math.max(0, from - mark.length));
      return at < 0 ? this.#bytes.length : at + mark.length;
    });
    return Math.min(...ends);
  }

  #boundaryOf(contentType: ParameterValue, bodyOffset: number): string | null {
    const declared = (parameterOf(contentType, "boundary") ?? "").trimEnd();
    const isUsable = declared !== "" && declared.length <= mimeBounds.boundaryLength;
    if (!this.#bounds.guessesBoundaries) return isUsable ? declared : null;
    const beginning = `\n${this.#bytes.toString("latin1", bodyOffset, Math.min(bodyOffset + guessedWithin, this.#bytes.length))}`;
    if (isUsable && beginning.includes(`\n--${declared}`)) return declared;
    const guessed = /\n--([^\r\n]{1,200})\r?\ncontent-/i.exec(beginning)?.[1]?.trimEnd();
    return guessed ?? (isUsable ? declared : null);
  }

  /** The next line at or behind `from` that parts an open multipart. */
  #nextDelimiter(from: number, limit: number): Delimiter | undefined {
    const window = this.#bytes.subarray(0, limit);
    const nextLine = (at: number) => {
      const found = window.indexOf(lineWithHyphens, at);
      return found < 0 ? -1 : found + 1;
    };
    for (let at = nextLine(Math.max(0, from - 1)); at >= 0; at = nextLine(at)) {
      if (++this.#delimiters > this.#bounds.delimiters) {
        this.#cut("delimiters");
        return undefined;
      }
      const found = this.#toDelimiter(at);
      if (found) return found;
    }
    return undefined;
  }

  #toDelimiter(offset: number): Delimiter | undefined {
    const end = this.#bytes.indexOf(10, offset);
    const lineEnd = end < 0 ? this.#bytes.length : end;
    if (lineEnd - offset > 2 * mimeBounds.boundaryLength) return undefined;
    const text = this.#bytes.toString("latin1", offset + 2, lineEnd).trimEnd();
    const next = end < 0 ? this.#bytes.length : end + 1;
    const plain = this.#open.findLastIndex(({ boundary }) => boundary === text);
    if (plain >= 0) return { offset, next, level: plain, isLast: false };
    if (!text.endsWith("--")) return undefined;
    const closing = this.#open.findLastIndex(({ boundary }) => boundary === text.slice(0, -2));
    return closing < 0 ? undefined : { offset, next, level: closing, isLast: true };
  }

  /** The line end before a delimiter belongs to the delimiter. */
  #lineEndBefore(offset: number): number {
    const end = this.#bytes[offset - 1] === LF ? offset - 1 : offset;
    return this.#bytes[end - 1] === CR ? end - 1 : end;
  }

  #cut(what: keyof TreeBounds & Cut["what"]): false {
    this.#cuts.set(what, { what, bound: this.#bounds[what], actual: null });
    return false;
  }
}

function moved(section: HeaderSection, by: number): HeaderSection {
  if (by === 0) return section;
  const move = <Line extends { readonly offset: number }>(line: Line) => ({
    ...line,
    offset: line.offset + by,
  });
  const { fields, badLines, bodyOffset, hasBlankLine } = section;
  return {
    fields: fields.map(move),
    badLines: badLines.map(move),
    bodyOffset: bodyOffset + by,
    hasBlankLine,
  };
}

/** With all that ends where it ends: the last of its last. */
function end(entity: Entity, offset: number): void {
  for (let inner: Entity | undefined = entity; inner; inner = inner.parts.at(-1))
    inner.end = Math.min(inner.end, Math.max(offset, inner.bodyOffset));
}

function pathOf(parent: Entity | null, type: string): string {
  const isMultipart = type.startsWith("multipart/");
  if (!parent) return isMultipart ? "0" : "1";
  if (isEmbeddedType(parent.type)) return `${parent.path}.${isMultipart ? 0 : 1}`;
  const isNumbered = parent.path !== "0" && !parent.path.endsWith(".0");
  return `${isNumbered ? `${parent.path}.` : parent.path.slice(0, -1)}${parent.parts.length + 1}`;
}
