// How text meets the eye: how wide, in colour or not, with which signs.

import { toVisibleCut } from "../visible-text.ts";
import type { Terminal } from "./command.ts";

export type Tone = "critical" | "major" | "minor" | "good" | "strong" | "faint";

export type Style = {
  /** Null where nobody sees lines, as in a pipe: then nothing is wrapped. */
  readonly columns: number | null;
  readonly signs: Signs;
  readonly paint: (tone: Tone, text: string) => string;
};

type Signs = {
  readonly fault: string;
  readonly good: string;
  readonly point: string;
  readonly arrow: string;
  readonly follows: string;
  readonly full: string;
  readonly empty: string;
  readonly unknown: string;
};

const drawn: Signs = {
  fault: "✗",
  good: "✓",
  point: "·",
  arrow: "→",
  follows: "↳",
  full: "█",
  empty: "░",
  unknown: "·",
};

/** For terminals that would show boxes instead. */
const plain: Signs = {
  fault: "x",
  good: "+",
  point: "-",
  arrow: ">",
  follows: "+",
  full: "#",
  empty: ".",
  unknown: " ",
};

/** ECMA-48 §8.3.117; the eight old colours, because the owner of the terminal has chosen them to be legible. */
const codes: Readonly<Record<Tone, string>> = {
  critical: "1;31",
  major: "33",
  minor: "36",
  good: "32",
  strong: "1",
  faint: "2",
};

export function toStyle({ columns, colour, environment }: Terminal): Style {
  return {
    columns,
    signs: canDraw(environment) ? drawn : plain,
    paint: (tone, text) => (colour && text !== "" ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text),
  };
}

/** POSIX.1-2024 §8.2: the first of these that is set decides. The console of Linux has no such glyphs. */
function canDraw({ LC_ALL, LC_CTYPE, LANG, TERM }: Terminal["environment"]): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "") && TERM !== "linux";
}

// Sentences for a terminal. A word is never broken, and neither is what stands between backticks: both are copied.

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
