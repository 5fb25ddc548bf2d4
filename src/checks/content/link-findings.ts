// How links are shown in findings: each distinct one once, and a bounded number of them.

import type { Link } from "../../mail/links.ts";
import type { Raised } from "../check.ts";
import type { Data } from "../words.ts";
import { maxRaised, shown } from "./shown.ts";

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
