// Wraps text for a terminal. Words and text between backticks are never broken, because people copy them.

import { toVisibleCut } from "../visible-text.ts";
import type { Style } from "./style.ts";

/** Text is not wrapped narrower than this, because it would be unreadable. */
const narrowestText = 20;
/** Only text from a message can be longer. The JSON has all of it. */
const longestText = 4_000;

/** The text before a paragraph, and its visible width without color codes. */
export type Lead = { readonly text: string; readonly width: number };

export function indent(width: number): Lead {
  return { text: " ".repeat(width), width };
}

/** The lead comes before the first line. Other lines are indented by its width. Safe for text from a message. */
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

/** Text without spaces, or between backticks. A single backtick is an ordinary character. */
const words = /(?:`[^`]{1,60}`|[^ ])+/g;
