// How text looks in this terminal: its width, colors and signs.

import type { Terminal } from "./command.ts";

export type Tone = "critical" | "major" | "minor" | "good" | "strong" | "faint" | "link";

export type Style = {
  /** Null: not a terminal, so nothing is wrapped. */
  readonly columns: number | null;
  readonly signs: Signs;
  readonly paint: (tone: Tone, text: string) => string;
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

export function toStyle({ columns, colour, environment }: Terminal): Style {
  return {
    columns,
    signs: canDraw(environment) ? drawn : plain,
    paint: (tone, text) => (colour && text !== "" ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text),
  };
}

/** POSIX.1-2024 §8.2: the first of these variables that is set decides. The Linux console lacks these glyphs. */
function canDraw({ LC_ALL, LC_CTYPE, LANG, TERM }: Terminal["environment"]): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "") && TERM !== "linux";
}
