// The parts of a message with what their bytes are: read once, for what a message is and for what is wrong with it.

import { readCharset } from "./charsets.ts";
import { decodedText } from "./header-text.ts";
import type { FileName, MessagePart } from "./message.ts";
import { mimeBounds } from "./mime-bounds.ts";
import { type Entity, encodingOf, type MimeTree, readTree } from "./mime-tree.ts";
import { parameterOf, parseParameters } from "./parameters.ts";
import { toStorableCut } from "./storable.ts";
import { decodeTransfer } from "./text-decoding.ts";
import { inspectTransfer, type Transfer } from "./transfer.ts";

export type Leaf = {
  readonly entity: Entity;
  readonly part: MessagePart;
  readonly transfer: Transfer;
  /** Of a text that is no attachment the decoded bytes, up to the bound; null of all else. */
  readonly content: Uint8Array | null;
};

export type Mime = {
  readonly raw: Uint8Array;
  readonly tree: MimeTree;
  readonly root: MessagePart;
  /** All that hold no parts of their own, embedded messages whole; what is in those is not looked at. */
  readonly leaves: readonly Leaf[];
};

const longestShown = 1_000;

export function readMime(raw: Uint8Array, tree: MimeTree = readTree(raw)): Mime {
  const leaves: Leaf[] = [];
  const root = toPart(raw, tree.root, leaves);
  return { raw, tree, root, leaves };
}

/** Whole: short lines can make the encoded bytes of a few any number. */
export function contentOf(raw: Uint8Array, part: MessagePart): Uint8Array {
  return decodeTransfer(raw.subarray(part.bodyOffset, part.end), part.encoding, part.encodedBytes);
}

/** `leaves`: null within an embedded message, whose bytes were counted as its own. */
function toPart(raw: Uint8Array, entity: Entity, leaves: Leaf[] | null): MessagePart {
  const isContainer = entity.type.startsWith("multipart/");
  const encoding = encodingOf(entity);
  const transfer =
    leaves && !isContainer ? inspectTransfer(raw.subarray(entity.bodyOffset, entity.end), encoding) : null;
  const inner = isContainer ? leaves : null;
  const encodedBytes = entity.end - entity.bodyOffset;
  const part: MessagePart = {
    ...describe(entity),
    encoding,
    encodedBytes,
    decodedBytes: transfer?.decodedBytes ?? encodedBytes,
    parts: entity.parts.map((each) => toPart(raw, each, inner)),
  };
  if (transfer) leaves?.push({ entity, part, transfer, content: textContent(raw, part) });
  return part;
}

function textContent(raw: Uint8Array, part: MessagePart): Uint8Array | null {
  if (!part.type.startsWith("text/") || part.disposition === "attachment") return null;
  const maxBytes = part.type === "text/html" ? mimeBounds.htmlBytes : mimeBounds.textBytes;
  return contentOf(raw, part).subarray(0, maxBytes);
}

function describe(entity: Entity): Omit<MessagePart, "encoding" | "encodedBytes" | "decodedBytes" | "parts"> {
  const { path, depth, type, contentType, offset, bodyOffset, end } = entity;
  const written = (key: string) => entity.fields.find((field) => field.key === key);
  const shown = (key: string) => {
    const field = written(key);
    return field ? toStorableCut(decodedText(field), longestShown) : null;
  };
  const disposition = parseParameters(written("content-disposition")?.value ?? "");
  const names = [
    ...disposition.parameters.filter(({ name }) => name === "filename"),
    ...contentType.parameters.filter(({ name }) => name === "name"),
  ].map(
    ({ name, form, value }): FileName => ({
      parameter: name === "name" ? "name" : "filename",
      form,
      value: toStorableCut(value, longestShown),
    }),
  );
  const filename = parameterOf(disposition, "filename") ?? parameterOf(contentType, "name");
  return {
    path,
    depth,
    type,
    typeWritten: shown("content-type"),
    charset: type.startsWith("text/") ? charsetOf(contentType) : null,
    encodingWritten: shown("content-transfer-encoding"),
    disposition: disposition.value === "" ? null : toStorableCut(disposition.value.toLowerCase(), 100),
    filename: filename === null ? null : toStorableCut(filename, longestShown),
    names,
    cid: shown("content-id")?.replace(/^<|>$/g, "") || null,
    offset,
    bodyOffset,
    end,
  };
}

function charsetOf(contentType: Entity["contentType"]): MessagePart["charset"] {
  const declared = parameterOf(contentType, "charset")?.trim() || null;
  return readCharset(declared === null ? null : toStorableCut(declared, 100));
}
