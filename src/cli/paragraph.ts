// Sentences for a terminal. A word is never broken, and neither is what stands between backticks: both are copied.

import { toVisibleCut } from "../visible-text.ts";
import type { Style } from "./style.ts";

/** Narrower text than this cannot be read; it rather runs over the edge. */
const narrowestText = 20;
/** No sentence of ours is so long; what a stranger wrote into one may be. All of it stands in the JSON. */
const longestText = 4_000;

/** What stands before a paragraph, and how wide it looks: colours take no room. */
export type Lead = { readonly text: string; readonly width: number };

export function indent(width: number): Lead {
  return { text: " ".repeat(width), width };
}

/** The lead stands before the first line, and its room is left free before the others. Strangers' text may be handed over. */
export function toParagraph(text: string, lead: Lead, { columns }: Pick<Style, "columns">): string[] {
  const room = columns === null ? null : Math.max(narrowestText, columns - lead.width);
  const [first = "", ...others] = toLines(toVisibleCut(text, longestText), room);
  return [`${lead.text}${first}`, ...others.map((line) => " ".repeat(lead.width) + line)];
}

function toLines(text: string, room: number | null): string[] {
  if (room === null || text.length <= room) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(words) ?? []) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Text without spaces; a span between backticks counts as such. A backtick without a partner is a letter. */
const words = /(?:`[^`]{1,60}`|[^ ])+/g;
