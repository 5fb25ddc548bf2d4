// Splits a message into its parts in one linear pass over the bytes, whatever the nesting (RFC 2046 §5.1). mailparser
// isn't used: it reports neither the position of a part nor what it tolerated, rejects the whole message past its
// limits, and would cost a second pass. Tests compare against it.

import { type HeaderField, type HeaderSection, readHeaderSection } from "../headers/fields.ts";
import { type ParameterValue, parameterOf, parseParameters } from "../headers/parameters.ts";
import { type Cut, mimeBounds } from "../text/bounds.ts";

export type Entity = {
  /**
   * IMAP's number (RFC 9051 §6.4.5.1): "1", "2.1". IMAP has none for a multipart that is a whole message; it is "0" or
   * "2.0" here.
   */
  readonly path: string;
  /** 0 is the message itself. */
  readonly depth: number;
  readonly fields: readonly HeaderField[];
  readonly badLines: HeaderSection["badLines"];
  readonly hasBlankLine: boolean;
  /** Offsets in the message's bytes. */
  readonly offset: number;
  readonly bodyOffset: number;
  /** The offset after its last byte. */
  end: number;
  /** Lower case, without parameters. The standard's default if it can't be read. */
  readonly type: string;
  readonly contentType: ParameterValue;
  /** The parts of a multipart, or the message in an embedded message. */
  readonly parts: Entity[];
  /** Set for a multipart whose parts can be separated. */
  readonly boundary: string | null;
  /** Where its first delimiter begins, and where its last one ends. Null if there is none. */
  firstDelimiter: number | null;
  closedAt: number | null;
};

export type MimeTree = {
  readonly root: Entity;
  /** In message order. */
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
  /**
   * Gateways rewrite the header field but not the body. A first line that can only be a delimiter then counts as one.
   */
  readonly guessesBoundaries: boolean;
};

/** The first delimiter is searched in this many bytes of a multipart's body. */
export const guessedWithin = 8_192;

const defaultBounds: TreeBounds = { ...mimeBounds, guessesBoundaries: false };

type Delimiter = { readonly offset: number; readonly next: number; readonly level: number; readonly isLast: boolean };

export function readTree(raw: Uint8Array, bounds: TreeBounds = defaultBounds): MimeTree {
  const reader = new TreeReader(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), bounds);
  return reader.read();
}

/** The entity and its contents, without those of embedded messages. */
export function ownEntities(entity: Entity): Entity[] {
  return isEmbeddedType(entity.type) ? [entity] : [entity, ...entity.parts.flatMap(ownEntities)];
}

export function isEmbeddedType(type: string): boolean {
  return /^message\/(rfc822|global|partial|news)$/.test(type);
}

export type Encoding = "7bit" | "8bit" | "binary" | "base64" | "quoted-printable" | "unknown";

/** The default of RFC 2045 §6.1 if the field is missing, or `unknown` if it has another value. */
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
  /** Open multiparts, outermost first. */
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

  /** Ends one part and begins the next at a delimiter. Returns false once no further part is read. */
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

  /** Up to the empty line, but never past a delimiter, because a part may lack the empty line. */
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

  /** The next delimiter line of an open multipart at or after `from`. */
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

  /** The line end before a delimiter is part of the delimiter. */
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
  const move = <Line extends { readonly offset: number }>(line: Line) => ({ ...line, offset: line.offset + by });
  const { fields, badLines, bodyOffset, hasBlankLine } = section;
  return { fields: fields.map(move), badLines: badLines.map(move), bodyOffset: bodyOffset + by, hasBlankLine };
}

/** Also ends the entities that end at the same place: the last part, its last part, and so on. */
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
