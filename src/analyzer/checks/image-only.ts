// Decides whether a message consists only of images, and which images count as content. `image-balance` reports such a
// message, and other checks skip text that isn't there.

import type { Html } from "../mail/html/page.ts";
import type { Image, Images } from "../mail/links/images.ts";
import type { Message } from "../mail/mime/message.ts";

/** With fewer visible characters, a message with images counts as having no text. */
export const fewChars = 100;
/** With fewer characters, an image without a declared size counts as the message. */
const hardlyAnyChars = 40;
/** 200 × 200: logos are smaller, posters are larger. */
const posterArea = 40_000;
const posterWidthPx = 300;
const maxTextRead = 5_000;

/** Images that recipients see: no spacers, no tracking pixels, no hidden images. */
export function contentPictures({ list }: Images): Image[] {
  return list.filter(
    ({ place, kind, visible, isSpacer, tracking }) =>
      place === "img" && kind !== "none" && visible && !isSpacer && tracking === null,
  );
}

export function areaOf(pictures: readonly Image[]): number {
  return pictures.reduce((sum, { area }) => sum + (area ?? 0), 0);
}

/** A logo with a login code is a short message. A poster with a footer is an image. */
export function isImageOnly(html: Html, images: Images, message: Message): boolean {
  if (html.visibleChars >= fewChars || charsOfText(message) > fewChars) return false;
  const pictures = contentPictures(images);
  if (areaOf(pictures) >= posterArea) return true;
  return pictures.some(
    ({ area, width, height }) =>
      area === null &&
      ((width ?? 0) >= posterWidthPx || (width === null && height === null && html.visibleChars < hardlyAnyChars)),
  );
}

/** Characters of the plain text without URLs, which only repeat the links of the images. */
function charsOfText({ text }: Message): number {
  const words = (text?.text ?? "").slice(0, maxTextRead).replace(/https?:\/\/\S{1,2000}/g, "");
  return words.replace(/\s+/g, "").length;
}

/** Thinner images are lines or gaps. */
const thinPx = 2;

/** Visible, and not a spacer, a line or a tracking pixel. */
export function isContentPicture({ place, visible, isSpacer, tracking, width, height }: Image): boolean {
  if (place !== "img" || !visible || isSpacer || tracking !== null) return false;
  return (width ?? thinPx + 1) > thinPx && (height ?? thinPx + 1) > thinPx;
}

export function countPictures(count: number): string {
  return count === 1 ? "1 image" : `${count} images`;
}

/** Why there is no HTML to judge; null when there is. */
export function whyNoHtml({ isEmpty, html }: Message): string | null {
  if (isEmpty) return "The message is empty.";
  return html === null ? "The message has no HTML." : null;
}
