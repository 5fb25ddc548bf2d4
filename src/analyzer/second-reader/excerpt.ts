// The bytes of a message that cause a difference, safe to show.

import { isUtf8 } from "node:buffer";
import type { Excerpt } from "../reports/second-reading.ts";
import { toVisible, toVisibleCut } from "../visible-text.ts";

const maxExcerptBytes = 160;
const maxExcerpts = 4;

/** From `offset` to the end of the line, or as much of it as fits. */
function excerptAt(raw: Uint8Array, offset: number): Excerpt {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const lineEnd = bytes.indexOf(10, offset);
  const end = Math.min(lineEnd < 0 ? bytes.length : lineEnd, offset + maxExcerptBytes);
  const shown = bytes.subarray(offset, end);
  return { offset, text: toVisible(shown.toString(isUtf8(shown) ? "utf8" : "latin1").replace(/\r$/, "")) };
}

export function toExcerpts(raw: Uint8Array, offsets: readonly number[]): Excerpt[] {
  const places = [...new Set(offsets)].filter((offset) => offset >= 0 && offset < raw.length);
  return places.slice(0, maxExcerpts).map((offset) => excerptAt(raw, offset));
}

const maxShown = 160;

export function toShown(value: string | null): string {
  return value === null ? "none" : `"${toVisibleCut(value, maxShown)}"`;
}
