// What our own reader sees, in the same form as what the library sees.

import { createHash } from "node:crypto";
import { readPage } from "../mail/html/page.ts";
import { toLinks } from "../mail/links/links.ts";
import { contentOf } from "../mail/mime/decode.ts";
import type { Message, MessagePart } from "../mail/mime/message.ts";
import { maxBodyLength, maxFiles, type ReadContent, type ReadFile } from "./content.ts";

export function toOwnContent(raw: Uint8Array, message: Message): ReadContent {
  const { from, fromText, subject, date, text, html } = message;
  const bodies = { text: text?.text ?? null, html: html?.text ?? null };
  return {
    from: fromText === null ? null : from.list.map(({ name, address }) => ({ name, address })),
    subject,
    date: date && (date.reading.ok ? date.reading.date.at : "unreadable"),
    text: bodies.text?.slice(0, maxBodyLength) ?? null,
    html: bodies.html?.slice(0, maxBodyLength) ?? null,
    files: message.attachments.slice(0, maxFiles).map((part) => toFile(raw, part)),
    links: linksIn(bodies),
    charsets: [...(text?.parts ?? []), ...(html?.parts ?? [])].map(({ charset }) => charset?.declared ?? ""),
  };
}

/** The same for both readers, so that only what they decoded differently differs. */
export function linksIn({ text, html }: Pick<ReadContent, "text" | "html">): string[] {
  const page = html === null ? null : readPage(html);
  return [...new Set(toLinks(page, text ?? "").list.map(({ href }) => href))].sort();
}

function toFile(raw: Uint8Array, part: MessagePart): ReadFile {
  const { filename: name, type } = part;
  // The library opens embedded messages instead of decoding them.
  if (type.startsWith("message/")) return { name, type, bytes: part.decodedBytes, sha256: null };
  const content = contentOf(raw, part);
  return { name, type, bytes: content.length, sha256: hashOf(content) };
}

export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
