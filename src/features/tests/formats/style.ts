// How text looks in this terminal: its width, colors, and symbols.

import { toVisibleCut } from "../../../analyzer/visible-text.ts";

/** What is known about the place where text is shown. */
type Screen = {
  /** Null: not a terminal. */
  readonly columns: number | null;
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type Tone = "critical" | "major" | "minor" | "good" | "strong" | "faint" | "link";

export type Style = {
  /** Null: not a terminal, so nothing is wrapped. */
  readonly columns: number | null;
  readonly signs: Signs;
  readonly paint: (tone: Tone, text: string) => string;
  /** The message is on a server, so no option can describe its session. */
  readonly isStored?: boolean;
};

type Signs = {
  readonly fault: string;
  readonly good: string;
  readonly problem: string;
  readonly dash: string;
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
  problem: "!",
  dash: "–",
  point: "·",
  arrow: "→",
  follows: "↳",
  full: "█",
  empty: "░",
  unknown: "·",
};

/** For terminals that cannot draw the others. */
const plain: Signs = {
  fault: "x",
  good: "+",
  problem: "!",
  dash: "-",
  point: "-",
  arrow: ">",
  follows: "+",
  full: "#",
  empty: ".",
  unknown: " ",
};

/** ECMA-48 §8.3.117. Only the eight basic colors, because people set up their terminal to make these readable. */
const codes: Readonly<Record<Tone, string>> = {
  critical: "1;31",
  major: "33",
  minor: "36",
  good: "32",
  strong: "1",
  faint: "2",
  link: "4;36",
};

export function toStyle({ columns, colour, environment }: Screen): Style {
  return {
    columns,
    signs: canDraw(environment) ? drawn : plain,
    paint: (tone, text) => (colour && text !== "" ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text),
  };
}

/** POSIX.1-2024 §8.2: the first of these variables that is set decides. The Linux console lacks these glyphs. */
export function canDraw({ LC_ALL, LC_CTYPE, LANG, TERM }: Screen["environment"]): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "") && TERM !== "linux";
}

// Wraps text for a terminal. Words and text between backticks are never broken, because people copy them.

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
