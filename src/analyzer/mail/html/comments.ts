// Finds comments that only Outlook reads, and conditional comments that are never closed.

import { toStorable, toStorableCut } from "../text/bounds.ts";
import type { Comment, Tree } from "./tree.ts";

export type HtmlComments = {
  readonly plain: number;
  readonly conditional: number;
  readonly conditionFaults: readonly { readonly line: number; readonly problem: "not-closed" | "not-opened" }[];
  /** The beginning of the first few. */
  readonly samples: readonly string[];
  /** What only Outlook sees, to find the addresses in it. */
  readonly outlookOnly: readonly string[];
};

const maxFaults = 20;
const maxSamples = 20;
const maxOutlookLength = 100_000;

export function readComments({ comments, source }: Tree): HtmlComments {
  const lineOf = createLineFinder(source);
  const open: Comment[] = [];
  const faults: { line: number; offset: number; problem: "not-closed" | "not-opened" }[] = [];
  const note = (problem: "not-closed" | "not-opened", offset: number) => {
    if (faults.length < maxFaults) faults.push({ line: 0, offset, problem });
  };
  let conditional = 0;
  for (const comment of comments) {
    const { opened, closed } = conditionsIn(comment.text);
    if (opened + closed > 0) conditional++;
    for (let count = closed; count < opened; count++) open.push(comment);
    for (let count = opened; count < closed; count++)
      if (!open.pop() && isCloser(comment.text)) note("not-opened", comment.offset);
  }
  for (const { offset } of open) note("not-closed", offset);
  return {
    plain: comments.length - conditional,
    conditional,
    conditionFaults: faults
      .sort((one, other) => one.offset - other.offset)
      .map(({ offset, problem }) => ({ line: lineOf(offset), problem })),
    samples: comments.slice(0, maxSamples).map(({ text }) => toStorableCut(text.trim(), 100)),
    outlookOnly: outlookTexts(comments),
  };
}

/**
 * `<!--[if mso]>…<![endif]-->` opens and closes in one comment; `<!--[if !mso]><!-->` only opens. An unclosed one
 * swallows everything up to the end of the next, so they are counted.
 */
function conditionsIn(text: string): { opened: number; closed: number } {
  if (!text.includes("[")) return { opened: 0, closed: 0 };
  const opened = text.match(/(?:^\s{0,20}|<!(?:--)?)\[\s{0,20}if\b/gi)?.length ?? 0;
  return { opened, closed: text.match(/\[\s{0,20}endif\s{0,20}\]/gi)?.length ?? 0 };
}

/** In the middle of a comment that hides part of the page it closes nothing and does no harm. */
function isCloser(text: string): boolean {
  return /^\s{0,20}(?:<!)?\[\s{0,20}endif/i.test(text);
}

function outlookTexts(comments: readonly Comment[]): string[] {
  let left = maxOutlookLength;
  const texts: string[] = [];
  for (const { text } of comments) {
    if (!/^\s*\[\s*if\b/i.test(text.slice(0, 200)) || text.length > left) continue;
    left -= text.length;
    texts.push(toStorable(text));
  }
  return texts;
}

// Converts an offset to a line number.

/** Lines count from 1. Offsets must ascend, so that the source is read once. */
export function createLineFinder(source: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = source.indexOf("\n", at); next >= 0 && next < offset; next = source.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
