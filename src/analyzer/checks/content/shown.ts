// Limits how much of a message's text appears in a finding.

import { toVisible } from "../../visible-text.ts";

/** Each repeat costs less than the last. More of them would add nothing to the score and little information. */
export const maxRaised = 5;
const maxShownLength = 120;

/** For use in a sentence: invisible characters are shown as escapes. */
export function shown(text: string): string {
  const visible = toVisible(text);
  return visible.length > maxShownLength ? `${visible.slice(0, maxShownLength - 1)}…` : visible;
}
