// One difference between two reports: what is different, what it was and is, and a sentence that says so.

import { toVisibleCut } from "../visible-text.ts";

export type Change = {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly says: string;
};

/** Empty when both are the same. `what` begins a sentence. */
export function changeOf(what: string, before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  return [{ what, before, after, says: toSentence(what, before, after) }];
}

function toSentence(what: string, before: string | null, after: string | null): string {
  if (before === null) return `${what} is new: ${quote(after ?? "")}.`;
  if (after === null) return `${what} is gone; it was ${quote(before)}.`;
  return `${what} changed from ${quote(before)} to ${quote(after)}.`;
}

const quotedCharacters = 160;

/** A stranger's text within a sentence of ours. */
export function quote(text: string): string {
  return `“${toVisibleCut(text, quotedCharacters)}”`;
}
