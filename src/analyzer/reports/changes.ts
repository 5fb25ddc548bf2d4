// One difference between two reports, with the old and new value and a sentence.

import { toVisibleCut } from "../visible-text.ts";

export type Change = {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly says: string;
};

/** Empty if both are the same. `what` starts a sentence. */
export function changeOf(what: string, before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  return [{ what, before, after, says: toSentence(what, before, after) }];
}

function toSentence(what: string, before: string | null, after: string | null): string {
  if (before === null) return `${what} was added: ${quote(after ?? "")}.`;
  if (after === null) return `${what} was removed. It was ${quote(before)}.`;
  return `${what} changed from ${quote(before)} to ${quote(after)}.`;
}

const quotedCharacters = 160;

/** Text from a message or DNS, quoted for a sentence. */
export function quote(text: string): string {
  return `“${toVisibleCut(text, quotedCharacters)}”`;
}
