// Finds problems with the parts of a message (RFC 2045, RFC 2046): where they are, with evidence. Parts of embedded
// messages are skipped, because another sender wrote them.

import { isAscii } from "node:buffer";
import { parameterOf } from "../headers/parameters.ts";
import { toStorableCut } from "../text/bounds.ts";
import { findInvalidByte } from "../text/charsets.ts";
import type { Leaf, Mime } from "./decode.ts";
import type { MessagePart } from "./message.ts";
import { type Entity, encodingOf, isDecodable, isEmbeddedType, ownEntities } from "./tree.ts";

export type MimeFaultKind =
  | "boundary-missing"
  | "boundary-illegal"
  | "boundary-absent"
  | "boundary-repeated"
  | "unclosed"
  | "text-before-parts"
  | "text-behind-parts"
  | "encoded-container"
  | "external"
  | "unreadable-type"
  | "repeated-field"
  | "unknown-encoding"
  | "eight-bit"
  | "damaged-encoding"
  | "needless-base64"
  | "charset-undeclared"
  | "charset-unknown"
  | "charset-invalid"
  | "empty-part";

export type MimeFault = {
  readonly fault: MimeFaultKind;
  /** The part's path. */
  readonly part: string;
  readonly type: string;
  /** Offset in the message. */
  readonly offset: number;
  /** The text as written: the boundary, the charset, the encoding, the field. */
  readonly value: string | null;
  /** The number of bytes concerned, or the position in the decoded text. */
  readonly bytes: number | null;
};

type FaultDetail = Pick<MimeFault, "fault"> & Partial<Pick<MimeFault, "offset" | "value" | "bytes">>;

export function findMimeFaults(mime: Mime): MimeFault[] {
  const { raw, tree, leaves } = mime;
  const isCut = tree.cuts.some(({ what }) => what === "parts" || what === "nesting" || what === "delimiters");
  const entities = ownEntities(tree.root);
  const byPart = new Map(leaves.map((leaf) => [leaf.entity, leaf]));
  return entities.flatMap((entity) => {
    const leaf = byPart.get(entity);
    const found = [...findInFields(entity), ...(leaf ? findInLeaf(raw, leaf) : findInContainer(raw, entity, isCut))];
    return found.map((each) => toFault(entity, each));
  });
}

function toFault(entity: Entity, { fault, offset, value, bytes }: FaultDetail): MimeFault {
  return {
    fault,
    part: entity.path,
    type: entity.type,
    offset: offset ?? entity.offset,
    value: value === undefined || value === null ? null : toStorableCut(value, 200),
    bytes: bytes ?? null,
  };
}

function findInFields(entity: Entity): FaultDetail[] {
  const found: FaultDetail[] = [];
  const field = (key: string) => entity.fields.find((each) => each.key === key);
  const type = field("content-type");
  const isRead = entity.contentType.value.toLowerCase() === entity.type;
  if (type && !isRead) found.push({ fault: "unreadable-type", offset: type.offset, value: type.value.trim() });
  const encoding = field("content-transfer-encoding");
  const isKnown = encodingOf(entity) !== "unknown";
  if (encoding && !isKnown)
    found.push({ fault: "unknown-encoding", offset: encoding.offset, value: encoding.value.trim() });
  const isContainer = entity.type.startsWith("multipart/") || isEmbeddedType(entity.type);
  if (isContainer && isDecodable(encodingOf(entity)))
    found.push({ fault: "encoded-container", offset: encoding?.offset ?? entity.offset, value: encodingOf(entity) });
  if (/^message\/(partial|external-body)$/.test(entity.type)) found.push({ fault: "external", value: entity.type });
  // Repeated fields of the message itself are counted with its other header problems.
  return entity.depth === 0 ? found : [...found, ...findRepeated(entity)];
}

function findRepeated(entity: Entity): FaultDetail[] {
  const seen = new Set<string>();
  return entity.fields.flatMap(({ key, name, offset }): FaultDetail[] => {
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain && key.startsWith("content-") ? [{ fault: "repeated-field", offset, value: name }] : [];
  });
}

/** RFC 2046 §5.1.1. */
const boundaryPattern = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

function findInContainer(raw: Uint8Array, entity: Entity, isCut: boolean): FaultDetail[] {
  const written = parameterOf(entity.contentType, "boundary");
  if (written === null || written.trim() === "") return [{ fault: "boundary-missing" }];
  const found: FaultDetail[] = [];
  if (!boundaryPattern.test(written)) found.push({ fault: "boundary-illegal", value: written });
  if (entity.firstDelimiter === null) {
    if (!isCut) found.push({ fault: "boundary-absent", value: written });
    return found;
  }
  if (entity.closedAt === null && !isCut) found.push({ fault: "unclosed", offset: entity.end, value: written });
  if (entity.parts.some(({ boundary }) => boundary === entity.boundary))
    found.push({ fault: "boundary-repeated", value: written });
  const before = textBytes(raw, entity.bodyOffset, entity.firstDelimiter);
  if (before > 0) found.push({ fault: "text-before-parts", offset: entity.bodyOffset, bytes: before });
  const behind = entity.closedAt === null ? 0 : textBytes(raw, entity.closedAt, entity.end);
  if (behind > 0) found.push({ fault: "text-behind-parts", offset: entity.closedAt ?? 0, bytes: behind });
  return found;
}

/** Counts the bytes between leading and trailing white space. */
function textBytes(raw: Uint8Array, from: number, end: number): number {
  let begin = from;
  let last = end;
  while (begin < last && (raw[begin] ?? 0) <= 32) begin++;
  while (last > begin && (raw[last - 1] ?? 0) <= 32) last--;
  return last - begin;
}

const leastHidden = 200;

function findInLeaf(raw: Uint8Array, leaf: Leaf): FaultDetail[] {
  const { entity, part, transfer } = leaf;
  const found: FaultDetail[] = [];
  if (transfer.eightBitBytes > 0 && part.encoding !== "8bit" && part.encoding !== "binary")
    found.push({
      fault: "eight-bit",
      offset: entity.bodyOffset + (transfer.firstEightBit ?? 0),
      value: part.encodingWritten,
      bytes: transfer.eightBitBytes,
    });
  if (transfer.damagedAt !== null)
    found.push({ fault: "damaged-encoding", offset: entity.bodyOffset + transfer.damagedAt, value: part.encoding });
  if (entity.depth > 0 && textBytes(raw, entity.bodyOffset, entity.end) === 0) found.push({ fault: "empty-part" });
  return leaf.content ? [...found, ...findInText(part, leaf.content)] : found;
}

function findInText(part: MessagePart, bytes: Uint8Array): FaultDetail[] {
  if (!part.charset) return [];
  const { declared, isKnown } = part.charset;
  if (isAscii(bytes)) {
    const isHidden = part.encoding === "base64" && part.decodedBytes > leastHidden && !bytes.includes(0x1b);
    const found: FaultDetail[] = isHidden ? [{ fault: "needless-base64", bytes: part.decodedBytes }] : [];
    return isKnown ? found : [...found, { fault: "charset-unknown", value: declared }];
  }
  if (declared === null) return [{ fault: "charset-undeclared" }];
  if (!isKnown) return [{ fault: "charset-unknown", value: declared }];
  const invalidAt = findInvalidByte(bytes, part.charset, bytes.length < part.decodedBytes);
  return invalidAt === null
    ? []
    : [{ fault: "charset-invalid", offset: part.bodyOffset, value: declared, bytes: invalidAt }];
}
