// A message as the next server handles it: header fields that can be added, replaced, and removed, and the body, with
// CRLF everywhere. One character a byte, so that nothing is lost.

import type { HeaderSection } from "../headers/fields.ts";
import { fromLocalForm, type MessageBytes, withCrlf } from "../signing/body-hash.ts";

export type Field = {
  readonly name: string;
  /** Lower case. */
  readonly key: string;
  /** The whole field with its folds, without the final line end. */
  readonly line: string;
};

export type MessageText = { readonly fields: readonly Field[]; readonly body: string };

const CRLF = "\r\n";

/**
 * Null if the header section has lines that aren't fields: servers disagree about where its body begins. A From line of a
 * mailbox file isn't part of the message.
 */
export function readMessageText(message: MessageBytes): MessageText | null {
  const { raw, section } = fromLocalForm(message);
  if (section.fields.length === 0 || !isWellFormed(section)) return null;
  const fields = section.fields.map(({ name, key, line }) => ({ name, key, line: toWire(line) }));
  const body = Buffer.from(withCrlf(raw.subarray(section.bodyOffset))).toString("latin1");
  return { fields, body: body === "" || body.endsWith(CRLF) ? body : body + CRLF };
}

function isWellFormed({ fields, badLines }: HeaderSection): boolean {
  const isStray = ({ offset, text }: HeaderSection["badLines"][number]) => offset > 0 || !/^From /.test(text);
  return !badLines.some(isStray) && fields.every(({ name, line }) => line[name.length] === ":");
}

function toWire(line: string): string {
  return line.replace(/\r?\n/g, CRLF);
}

export function toBytes({ fields, body }: MessageText): Buffer {
  const lines = fields.map(({ line }) => line + CRLF).join("");
  return Buffer.from(`${lines}${CRLF}${body}`, "latin1");
}

/** RFC 5321 §4.5.3.1.6, without the line end. */
export const maxLine = 998;

/** Not by a regular expression, which would try again at each character of a line that is almost too long. */
export function hasLongLine(text: string): boolean {
  for (let begin = 0; text.length - begin > maxLine; ) {
    const end = text.indexOf("\n", begin);
    const line = end < 0 ? text.slice(begin) : text.slice(begin, end);
    if (line.length > maxLine && line.split("\r").some(({ length }) => length > maxLine)) return true;
    if (end < 0) return false;
    begin = end + 1;
  }
  return false;
}

export function toField(name: string, value: string): Field {
  return { name, key: name.toLowerCase(), line: `${name}: ${value}` };
}

/** Everything after the colon. */
export function fieldText({ name, line }: Field): string {
  return line.slice(name.length + 1);
}

export function without(message: MessageText, ...keys: readonly string[]): MessageText {
  return { ...message, fields: message.fields.filter(({ key }) => !keys.includes(key)) };
}

/** Below the others. */
export function withAdded(message: MessageText, ...added: readonly Field[]): MessageText {
  return { ...message, fields: [...message.fields, ...added] };
}

/** On top, as servers that only pass the message on do it. */
export function withTrace(message: MessageText, ...added: readonly Field[]): MessageText {
  return { ...message, fields: [...added, ...message.fields] };
}

/** Without folds, and without white space around it. */
export function unfolded(value: string): string {
  return value.replaceAll(CRLF, "").trim();
}
