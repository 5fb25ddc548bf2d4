// Decodes bodies in charsets that Node can't read (the IBM code pages of old billing systems) with mailparser, whose
// tables are larger than all of our own parsers. Only the second reader uses it too; tree.ts says why. Ordinary mail
// never loads it.

import { mimeBounds, toStorable } from "../text/bounds.ts";
import type { BodyText, Message, MessagePart } from "./message.ts";

/** The message with these bodies decoded. Unchanged if there are none. */
export async function readRareCharsets(raw: Uint8Array, message: Message): Promise<Message> {
  const text = await readBody(raw, message.text, mimeBounds.textBytes);
  const html = await readBody(raw, message.html, mimeBounds.htmlBytes);
  return text === message.text && html === message.html ? message : { ...message, text, html };
}

async function readBody(raw: Uint8Array, body: BodyText | null, maxBytes: number): Promise<BodyText | null> {
  if (body === null || !body.parts.some(isRare)) return body;
  const texts: string[] = [];
  // One after the other, because each is held in memory.
  for (const part of body.parts) texts.push(await readPart(raw, part, maxBytes));
  return { ...body, text: toStorable(texts.join("\n").slice(0, maxBytes)) };
}

function isRare({ charset }: MessagePart): boolean {
  return charset?.isKnown === true && !charset.isDecodable;
}

/** As a separate message with only that part. */
async function readPart(raw: Uint8Array, part: MessagePart, maxBytes: number): Promise<string> {
  const head = [
    `Content-Type: text/plain; charset="${toToken(part.charset?.declared)}"`,
    `Content-Transfer-Encoding: ${toToken(part.encodingWritten ?? "8bit")}`,
  ];
  // Base64 and quoted-printable need up to three bytes for one.
  const content = raw.subarray(part.bodyOffset, Math.min(part.end, part.bodyOffset + 3 * maxBytes));
  const letter = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), content]);
  const { simpleParser } = await import("mailparser");
  const parsed = await simpleParser(letter, { skipTextToHtml: true, skipTextLinks: true }).catch(() => null);
  return (parsed?.text ?? "").slice(0, maxBytes);
}

/** A stranger's text goes into our own header. */
function toToken(written: string | null | undefined): string {
  return (written ?? "us-ascii").replace(/[^\w.:+-]/g, "").slice(0, 60);
}
