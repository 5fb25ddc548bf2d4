// What both comparisons of content need: texts without what only formats them, and the causes of a difference.

import {
  findCause,
  findCharset,
  findDisposition,
  findEightBit,
  findHeaderLines,
  findPartEncoding,
  findPartFields,
  findPartType,
  findStructure,
  type OwnReading,
} from "./features.ts";

const whiteSpace = /[\s\u00a0\ufeff]+/g;

/** White space is formatting. NUL is shown as a replacement character by our reader. */
export function squeeze(text: string | null): string {
  return (text ?? "").normalize("NFC").replaceAll("\0", "\ufffd").replace(whiteSpace, "");
}

export function asciiOf(text: string): string {
  return text.replace(/[^!-~]+/g, "");
}

export function withSingleSpaces(text: string | null): string {
  return (text ?? "").normalize("NFC").replaceAll("\0", "\ufffd").replace(whiteSpace, " ").trim();
}

/** For texts that only differ in characters that aren't ASCII. */
export function toCharsetCause(own: OwnReading): ReturnType<typeof findCause> {
  const found = findCause(own, [
    ["charset", findCharset],
    ["eight-bit", findEightBit],
  ]);
  return found.cause === "unknown" ? { cause: "split-character", offsets: [] } : found;
}

export const inStructure: Parameters<typeof findCause>[1] = [
  ["part-type", findPartType],
  ["part-fields", findPartFields],
  ["part-encoding", findPartEncoding],
  ["unusual-disposition", findDisposition],
  ["part-structure", findStructure],
  ["header-lines", findHeaderLines],
];
