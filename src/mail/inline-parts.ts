// The parts that a message's own HTML shows, by Content-ID (RFC 2392).

import { kindOf } from "./file-kind.ts";
import type { CidLookup } from "./images.ts";
import type { Message, MessagePart } from "./message.ts";
import { contentOf } from "./mime.ts";
import { type CidPicture, maxCidBytes } from "./safe-html.ts";

export type InlineParts = {
  readonly lookUp: CidLookup;
  readonly find: (cid: string) => CidPicture | null;
};

export function readInlineParts(raw: Uint8Array, { attachments }: Message): InlineParts {
  const byCid = new Map<string, MessagePart>();
  for (const part of attachments) if (part.cid !== null && !byCid.has(part.cid)) byCid.set(part.cid, part);
  const partOf = (cid: string) => byCid.get(cid) ?? byCid.get(decode(cid));
  const opened = new Map<MessagePart, CidPicture>();
  return {
    lookUp: (cid) => {
      const part = partOf(cid);
      return part ? { type: part.type, sizeBytes: part.decodedBytes } : null;
    },
    find: (cid) => {
      const part = partOf(cid);
      if (!part || part.decodedBytes > maxCidBytes) return null;
      // A message may show one picture a hundred thousand times.
      const picture = opened.get(part) ?? open(raw, part);
      opened.set(part, picture);
      return picture;
    },
  };
}

/** Some programs send pictures as application/octet-stream: the bytes tell better. */
function open(raw: Uint8Array, part: MessagePart): CidPicture {
  const bytes = Buffer.from(contentOf(raw, part));
  return { type: kindOf(bytes)?.mediaType ?? part.type, bytes };
}

function decode(cid: string): string {
  try {
    return decodeURIComponent(cid);
  } catch {
    return cid;
  }
}
