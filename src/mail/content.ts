// What a message shows and carries: its page, links, pictures and files, of one reading of the HTML.

import { type Attachment, readAttachments } from "./attachments.ts";
import { type Html, readPage, toHtml } from "./html.ts";
import type { Page } from "./html-sight.ts";
import { type Images, toImages } from "./images.ts";
import { readInlineParts } from "./inline-parts.ts";
import { type Links, toLinks } from "./links.ts";
import type { Message } from "./message.ts";

export type Content = {
  /** Null for a message without HTML; so are the two after it. */
  readonly page: Page | null;
  readonly html: Html | null;
  readonly images: Images | null;
  readonly links: Links;
  readonly attachments: readonly Attachment[];
};

export function readContent(raw: Uint8Array, message: Message): Content {
  const { text, html } = message;
  const page = html && readPage(html.text);
  return {
    page,
    html: page && toHtml(page, html),
    images: page && toImages(page, readInlineParts(raw, message).lookUp),
    links: toLinks(page, text?.text ?? ""),
    attachments: readAttachments(raw, message),
  };
}
