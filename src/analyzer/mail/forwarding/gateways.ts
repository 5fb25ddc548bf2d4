// What gateways do that take a message apart and write it again, such as virus scanners and disclaimers: new boundaries,
// base64 for text, and header fields on one line.

import { encodingOf } from "../mime/tree.ts";
import { decodeTransfer } from "../text/decoding.ts";
import { type Edit, editParts, toHeaderEdit } from "./edit-parts.ts";
import { toBase64Lines } from "./encoding.ts";
import { type MessageText, toField } from "./message-text.ts";

/** All fields on one line each. */
export function unfoldFields(message: MessageText): MessageText {
  return { ...message, fields: message.fields.map((field) => ({ ...field, line: field.line.replaceAll("\r\n", "") })) };
}

const boundaryParameter = /(\bboundary\s*=\s*)(?:"(?:[^"\\]|\\.)*"|[^\s;"]+)/i;

/** Null also if a boundary isn't written plainly. */
export function renewBoundaries(message: MessageText): MessageText | null {
  let isPlain = true;
  const renewed = editParts(message, ({ tree, text }) =>
    tree.entities.flatMap((entity, index): Edit[] => {
      if (entity.boundary === null) return [];
      const boundary = `----=_Gateway_${index}_4f1c9a`;
      const fields = entity.fields.map(({ key, line }) => ({
        line: key === "content-type" ? line.replace(boundaryParameter, `$1"${boundary}"`) : line,
      }));
      isPlain &&= fields.some(({ line }) => line.includes(boundary));
      const delimiters = findDelimiters(text, entity.boundary, entity.bodyOffset, entity.closedAt ?? entity.end);
      return [
        toHeaderEdit(entity, fields),
        ...delimiters.map((begin) => ({ begin, end: begin + (entity.boundary ?? "").length, text: boundary })),
      ];
    }),
  );
  return isPlain ? renewed : null;
}

/** Where the boundary begins in each delimiter line. */
function findDelimiters(text: string, boundary: string, begin: number, end: number): number[] {
  const found: number[] = [];
  const mark = `\r\n--${boundary}`;
  for (let at = text.indexOf(mark, begin - 2); at >= 0 && at < end; at = text.indexOf(mark, at + 2)) {
    const after = text.slice(at + mark.length, at + mark.length + 3);
    if (/^(?:--|[ \t]|\r\n|$)/.test(after)) found.push(at + 4);
  }
  return found;
}

export function recodeTexts(message: MessageText): MessageText | null {
  return editParts(message, ({ tree, text }) =>
    tree.entities.flatMap((entity): Edit[] => {
      const { type, bodyOffset, end, fields } = entity;
      const encoding = encodingOf(entity);
      if (!type.startsWith("text/") || encoding === "base64" || encoding === "unknown") return [];
      const others = fields.filter(({ key }) => key !== "content-transfer-encoding");
      const body = Buffer.from(text.slice(bodyOffset, end), "latin1");
      const content = toBase64Lines(decodeTransfer(body, encoding, body.length));
      const isLast = text.length === end;
      return [
        toHeaderEdit(entity, [...others, toField("Content-Transfer-Encoding", "base64")]),
        { begin: bodyOffset, end, text: isLast ? content : content.replace(/\r\n$/, "") },
      ];
    }),
  );
}
