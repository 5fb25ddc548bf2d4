// A message kept as a file of Unix ends its lines with LF alone. That is a local form of it (RFC 6376 §5.3): what was
// signed had CRLF. A message that mixes both is not in a local form, and its bytes stand as they are.

import { type HeaderSection, readHeaderSection } from "../headers/fields.ts";

export type MessageBytes = { readonly raw: Uint8Array; readonly section: HeaderSection };

const LF = 10;
const CR = 13;

/** The message itself, unless its whole header section knows no CRLF. */
export function fromLocalForm(message: MessageBytes): MessageBytes {
  const { raw, section } = message;
  const header = Buffer.from(raw.buffer, raw.byteOffset, section.bodyOffset);
  if (!header.includes(LF) || header.includes("\r\n")) return message;
  const wired = withCrlf(raw);
  return { raw: wired, section: readHeaderSection(wired) };
}

/** Each LF that has no CR before it gets one. */
export function withCrlf(text: Uint8Array): Uint8Array {
  // A Buffer reads single bytes several times more slowly.
  const bytes = new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
  let bare = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF && bytes[at - 1] !== CR) bare++;
  if (bare === 0) return text;
  const wired = new Uint8Array(bytes.length + bare);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) wired[length++] = CR;
    wired[length++] = bytes[at] as number;
  }
  return wired;
}
