// How much of what a stranger wrote stands in a finding.

import { toVisible } from "../../visible-text.ts";

/** Repeats cost less and less: more than this add nothing to the score and little to what a reader learns. */
export const maxRaised = 5;
const maxShownLength = 120;

/** For a sentence: what hides is shown as its escape. */
export function shown(text: string): string {
  const visible = toVisible(text);
  return visible.length > maxShownLength ? `${visible.slice(0, maxShownLength - 1)}…` : visible;
}
