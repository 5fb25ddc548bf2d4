// A header field's bytes → what a person reads.

import type { HeaderField } from "./header-fields.ts";
import { mimeBounds } from "./mime-bounds.ts";
import { toStorable } from "./storable.ts";
import { decodeCharset, decodeWords } from "./text-decoding.ts";

const eightBit = /[\x80-\xff]/;
/** Begins an escape sequence of Japanese mail. */
const japaneseEscape = "\u001b$";

/** Without its folds, raw bytes as UTF-8 or else as Windows-1252; encoded words stay. Cut at the bound. */
export function unfoldedText({ value }: Pick<HeaderField, "value">): string {
  const bytes = value.slice(0, mimeBounds.fieldBytes);
  const text =
    eightBit.test(bytes) || bytes.includes(japaneseEscape)
      ? decodeCharset(Buffer.from(bytes, "latin1"), null, value.length > bytes.length)
      : bytes;
  return text.replace(/\r?\n(?=[ \t])/g, "").trim();
}

export function decodedText(field: Pick<HeaderField, "value">): string {
  return toStorable(decodeWords(unfoldedText(field)));
}
