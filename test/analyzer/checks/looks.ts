// Facts of checks on how a message looks: read from HTML made by hand.

import type { Facts } from "../../../src/analyzer/checks/facts.ts";
import { readInlineParts } from "../../../src/analyzer/mail/content.ts";
import { readPage, toHtml } from "../../../src/analyzer/mail/html/page.ts";
import { toImages } from "../../../src/analyzer/mail/links/images.ts";
import { toLinks } from "../../../src/analyzer/mail/links/links.ts";
import { readMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { letter, ordinaryHead } from "../mail/letter.ts";

export type Looks = Pick<Facts, "message" | "html" | "images" | "links">;

/** What the readers make of an ordinary head before this body, which brings its own Content- fields. */
export function looksOf(...lines: readonly string[]): Looks {
  const bytes = letter(...ordinaryHead, ...lines);
  const { message } = readMessage(bytes);
  const text = message.html?.text ?? "";
  const page = readPage(text);
  const { decodedBytes, isCut } = message.html ?? {};
  return {
    message,
    html: toHtml(page, { text, ...(decodedBytes === undefined ? {} : { decodedBytes, isCut: isCut ?? false }) }),
    images: toImages(page, readInlineParts(bytes, message).lookUp),
    links: toLinks(page, message.text?.text ?? ""),
  };
}

/** A message that is this HTML and nothing else. */
export function shown(html: string): Looks {
  return looksOf("Content-Type: text/html; charset=utf-8", "", Buffer.from(html).toString("latin1"));
}

export const emptyMessage = looksOf("Content-Type: text/html; charset=utf-8", "", "");
export const plainText = looksOf("Content-Type: text/plain", "", "Hello Bob.");

/** So many different words. */
export function prose(count: number): string {
  const numerals = "one two three four five six seven eight nine ten".split(" ");
  return Array.from({ length: count }, (_, at) => `${numerals[at % 10]}teen`).join(" ");
}
