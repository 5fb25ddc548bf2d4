// What Python's email package does to a message that it reads and writes, as Mailman does: it folds long header fields,
// puts one space after each colon, and marks body lines that begin with "From " with ">".

import type { HeaderField } from "../headers/fields.ts";
import type { Entity } from "../mime/tree.ts";
import { type Edit, editParts, toHeaderEdit } from "./edit-parts.ts";
import { type Field, fieldText, type MessageText } from "./message-text.ts";

const maxLine = 78;

export function reserialize(message: MessageText): MessageText | null {
  const written = editParts(message, ({ tree, text }) => [
    ...tree.entities.map((entity) => rewriteHeader(entity, tree.entities)),
    ...tree.entities.flatMap((entity) => separateEnd(entity, text)),
  ]);
  if (written === null) return null;
  const body = written.body.replace(/\r\n|\r|\n/g, "\r\n").replace(/^From /gm, ">From ");
  return { ...written, body };
}

function rewriteHeader(entity: Entity, all: readonly Entity[]): Edit {
  // The parts of signed mail (RFC 1847) keep their lines.
  const isSigned = all.some((outer) => outer.type === "multipart/signed" && contains(outer, entity));
  return toHeaderEdit(
    entity,
    entity.fields.map((field) => refold(field, isSigned ? Number.POSITIVE_INFINITY : maxLine)),
  );
}

function contains(outer: Entity, inner: Entity): boolean {
  return outer !== inner && outer.offset <= inner.offset && inner.end <= outer.end;
}

/** A multipart within another one ends with an empty line. */
function separateEnd({ depth, closedAt, end, type }: Entity, text: string): Edit[] {
  const isInner = depth > 0 && type.startsWith("multipart/") && closedAt !== null;
  if (!isInner || end >= closedAt) return [];
  return [{ begin: end, end, text: text.startsWith("\r\n", end) ? "\r\n" : "" }];
}

function refold(field: HeaderField | Field, longest = maxLine): Field {
  const { name, key } = field;
  const value = ("value" in field ? field.value : fieldText(field)).replace(/^[ \t]+/, "");
  const line = `${name}: ${value}`;
  if (/[\x80-\xff]/.test(value)) return { name, key, line };
  const lines = line.split("\r\n");
  const kept = lines.length === 1 ? lines : lines.map((each) => each.replace(/([^ \t]) $/, "$1"));
  const folded = kept.flatMap((each, index) => fold(each, index === 0 ? name.length + 1 : 0, longest));
  const joined = folded.join("\r\n");
  // A line of white space alone moves to the end of the one before it.
  return { name, key, line: joined.replace(/\r\n([ \t]+)(?=\r\n|$)/g, "$1") };
}

/** At white space, but never before the first word of a line that continues another. */
function fold(line: string, nameLength: number, longest: number): string[] {
  if (line.length <= longest) return [line];
  const words = line.slice(nameLength).match(/[ \t]*[^ \t]+|[ \t]+$/g) ?? [];
  const lines: string[] = [];
  let current = line.slice(0, nameLength);
  for (const word of words) {
    if (current !== "" && current.length + word.length > longest) {
      lines.push(current);
      current = "";
    }
    current += word;
  }
  return [...lines, current];
}
