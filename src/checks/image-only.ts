// Whether a message is nothing but pictures, and which of its pictures count as content. Two areas ask: content, whose
// finding it is, and whoever would judge the text that is not there.

import type { Html } from "../mail/html/page.ts";
import type { Image, Images } from "../mail/links/images.ts";
import type { Message } from "../mail/mime/message.ts";

/** Fewer visible characters than this beside pictures are no text. */
export const fewChars = 100;
/** Fewer than this are none at all: also a picture whose size is not said is then the message. */
const hardlyAnyChars = 40;
/** 200 × 200: a logo is smaller, a poster larger. */
const posterArea = 40_000;
const posterWidthPx = 300;
const maxTextRead = 5_000;

/** Pictures that a reader would miss: no spacers, no counters, nothing hidden. */
export function contentPictures({ list }: Images): Image[] {
  return list.filter(
    ({ place, kind, visible, isSpacer, tracking }) =>
      place === "img" && kind !== "none" && visible && !isSpacer && tracking === null,
  );
}

export function areaOf(pictures: readonly Image[]): number {
  return pictures.reduce((sum, { area }) => sum + (area ?? 0), 0);
}

/** A code with a logo above it is a short message; a poster with a footer below it is a picture. */
export function isImageOnly(html: Html, images: Images, message: Message): boolean {
  if (html.visibleChars >= fewChars || charsOfText(message) > fewChars) return false;
  const pictures = contentPictures(images);
  if (areaOf(pictures) >= posterArea) return true;
  return pictures.some(
    ({ area, width, height }) =>
      area === null &&
      ((width ?? 0) >= posterWidthPx ||
        (width === null && height === null && html.visibleChars < hardlyAnyChars)),
  );
}

/** What the plain text says besides addresses, which stand in for the pictures' links. */
function charsOfText({ text }: Message): number {
  const words = (text?.text ?? "").slice(0, maxTextRead).replace(/https?:\/\/\S{1,2000}/g, "");
  return words.replace(/\s+/g, "").length;
}

/** Thinner than this it is a line or a gap. */
const thinPx = 2;

/** A picture that says something: seen, and neither a spacer, a line nor a tracking pixel. */
export function isContentPicture({ place, visible, isSpacer, tracking, width, height }: Image): boolean {
  if (place !== "img" || !visible || isSpacer || tracking !== null) return false;
  return (width ?? thinPx + 1) > thinPx && (height ?? thinPx + 1) > thinPx;
}

export function countPictures(count: number): string {
  return count === 1 ? "1 picture" : `${count} pictures`;
}

/** Why there is no HTML whose looks could be judged; null when there is. */
export function whyNoHtml({ isEmpty, html }: Message): string | null {
  if (isEmpty) return "The message is empty.";
  return html === null ? "The message has no HTML." : null;
}
