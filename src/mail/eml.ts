// The message as its page shows it (`GET /api/tests/:id/eml`), but for what is made of the HTML.

import type { Attachment } from "./mime/attachments.ts";
import { sha256Of } from "./mime/attachments.ts";
import { contentOf } from "./mime/decode.ts";
import type { Message, MessagePart } from "./mime/message.ts";

export type Eml = {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: { readonly text: string | null; readonly html: string | null };
  readonly attachments: readonly EmlAttachment[];
};

type EmlAttachment = {
  readonly part: string;
  readonly filename: string | null;
  readonly content_type: string;
  /** By the bytes; null where they do not tell. */
  readonly actual_type: string | null;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly disposition: string | null;
  readonly cid: string | null;
  readonly warnings: readonly { readonly warning: string; readonly value: string | null }[];
};

export function toEml(raw: Uint8Array, message: Message, attachments: readonly Attachment[]): Eml {
  return {
    headers: message.headers.map(({ name, value }) => ({ name, value })),
    body: { text: message.text?.text ?? null, html: message.html?.text ?? null },
    attachments: message.attachments.flatMap((part, at) => {
      const attachment = attachments[at];
      return attachment ? [toEmlAttachment(raw, part, attachment)] : [];
    }),
  };
}

function toEmlAttachment(raw: Uint8Array, part: MessagePart, attachment: Attachment): EmlAttachment {
  const content = contentOf(raw, part);
  return {
    part: part.path,
    filename: part.filename,
    content_type: part.type,
    actual_type: attachment.actual?.mediaType ?? null,
    size_bytes: content.length,
    sha256: sha256Of(content),
    disposition: part.disposition,
    cid: part.cid,
    warnings: attachment.warnings,
  };
}

/** The decoded bytes of any leaf of the message, by its path; undefined where there is no such part. */
export function readPart(
  raw: Uint8Array,
  message: Message,
  path: string,
): { readonly part: MessagePart; readonly content: Uint8Array } | undefined {
  const part = findPart(message.root, path);
  return part && !part.type.startsWith("multipart/") ? { part, content: contentOf(raw, part) } : undefined;
}

function findPart(part: MessagePart, path: string): MessagePart | undefined {
  if (part.path === path) return part;
  for (const inner of part.parts) {
    const found = findPart(inner, path);
    if (found) return found;
  }
  return undefined;
}
