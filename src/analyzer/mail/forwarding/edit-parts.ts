// Edits the parts of a message in place, so that all other bytes stay as they are.

import { type Entity, type MimeTree, readTree } from "../mime/tree.ts";
import { type Field, type MessageText, toBytes } from "./message-text.ts";

/** Replaces the bytes from `begin` up to `end`. */
export type Edit = { readonly begin: number; readonly end: number; readonly text: string };

type Parts = { readonly tree: MimeTree; readonly text: string };

/** Null if the message has more parts than are read, or parts whose structure servers read differently. */
export function editParts(message: MessageText, toEdits: (parts: Parts) => readonly Edit[]): MessageText | null {
  const raw = toBytes(message);
  const tree = readTree(raw);
  if (tree.cuts.length > 0 || !tree.entities.every(isWellFormed)) return null;
  const text = raw.toString("latin1");
  const edited = applyEdits(text, toEdits({ tree, text }));
  const bodyOffset = edited.startsWith("\r\n") ? 2 : edited.indexOf("\r\n\r\n") + 4;
  const { fields } = readTree(Buffer.from(edited.slice(0, bodyOffset), "latin1")).root;
  return { fields: fields.map(({ name, key, line }) => ({ name, key, line })), body: edited.slice(bodyOffset) };
}

function isWellFormed(entity: Entity): boolean {
  const { depth, type, boundary, closedAt, parts, badLines, fields } = entity;
  const isWhole = !type.startsWith("multipart/") || (boundary !== null && closedAt !== null && parts.length > 0);
  const isReadable = badLines.length === 0 && fields.every(({ name, line }) => line[name.length] === ":");
  return isWhole && (depth === 0 || (isReadable && entity.hasBlankLine));
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const pieces: string[] = [];
  for (const edit of edits.toSorted((one, other) => one.begin - other.begin || one.end - other.end)) {
    pieces.push(text.slice(at, edit.begin), edit.text);
    at = edit.end;
  }
  return [...pieces, text.slice(at)].join("");
}

/** The header of a part with other fields. */
export function toHeaderEdit(
  { offset, bodyOffset, hasBlankLine }: Entity,
  fields: readonly Pick<Field, "line">[],
): Edit {
  const lines = fields.map(({ line }) => `${line}\r\n`).join("");
  return { begin: offset, end: bodyOffset, text: hasBlankLine ? `${lines}\r\n` : lines };
}

export function isContainer({ type }: Pick<Entity, "type">): boolean {
  return type.startsWith("multipart/") || type.startsWith("message/");
}
