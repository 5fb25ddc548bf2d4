// What a message shows and carries: its page, links, pictures and files, of one reading of the HTML.

import { type Attachment, readAttachments } from "./attachments.ts";
import { type Html, readPage, toHtml } from "./html.ts";
import { type Images, toImages } from "./images.ts";
import { readInlineParts } from "./inline-parts.ts";
import { type Links, toLinks } from "./links.ts";
import { type Load, loadsOf } from "./loads.ts";
import type { Message } from "./message.ts";

export type Content = {
  /** Null for a message without HTML; so are the pictures. */
  readonly html: Html | null;
  readonly images: Images | null;
  /** What the page would load. */
  readonly loads: readonly Load[];
  readonly links: Links;
  readonly attachments: readonly Attachment[];
};

export function readContent(raw: Uint8Array, message: Message): Content {
  const { text, html } = message;
  const page = html && readPage(html.text);
  const loads = page ? loadsOf(page) : [];
  return {
    html: page && toHtml(page, html),
    images: page && toImages(page, readInlineParts(raw, message).lookUp, loads),
    loads,
    links: toLinks(page, text?.text ?? ""),
    attachments: readAttachments(raw, message),
  };
}
