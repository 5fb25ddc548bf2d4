// How links are shown in findings: each distinct one once, a bounded number of them, cut to what a person reads.

import type { Link } from "../../mail/links.ts";
import { toVisible } from "../../visible-text.ts";
import type { Raised } from "../check.ts";
import type { Data } from "../words.ts";

/** Repeats cost less and less: more than this add nothing to the score and little to what a reader learns. */
export const maxRaised = 5;
const maxShownLength = 120;

/** For a sentence. */
export function shown(text: string): string {
  const visible = toVisible(text);
  return visible.length > maxShownLength ? `${visible.slice(0, maxShownLength - 1)}…` : visible;
}

/** One finding for each subject, the first links first. */
export function raiseEach<Finding extends string>(
  finding: Finding,
  links: readonly Link[],
  describe: (link: Link) => { readonly subject: string; readonly data: Data },
): Raised<Finding>[] {
  const raised = new Map<string, Raised<Finding>>();
  for (const link of links) {
    const { subject, data } = describe(link);
    if (raised.has(subject)) continue;
    raised.set(subject, { finding, subject: shown(subject), data, evidence: { link: toEvidence(link) } });
    if (raised.size >= maxRaised) break;
  }
  return [...raised.values()];
}

export function toEvidence({ href, text, host, place }: Link): Readonly<Record<string, unknown>> {
  return { href, text, host, place };
}
