// When a monitored domain fails: as the dashboard counts it, and as each page tells it.

import type { VerdictWord } from "../reports/domain-report.ts";

export const judgedMechanisms = ["spf", "dkim", "dmarc", "bimi"] as const;
type JudgedMechanism = (typeof judgedMechanisms)[number];

/**
 * Each domain needs SPF and DMARC, one that sends no mail too. A domain without a DKIM key or a logo may have no use for
 * them; where its owner named a selector, its absence is a failure.
 */
export function isNeeded(mechanism: JudgedMechanism): boolean {
  return mechanism === "spf" || mechanism === "dmarc";
}

/** The words by which it fails. */
export function failingWords(mechanism: JudgedMechanism): readonly VerdictWord[] {
  return isNeeded(mechanism) ? ["fail", "missing"] : ["fail"];
}

type Verdicts = Readonly<Record<JudgedMechanism, VerdictWord | null>>;

/** Nothing: it does not fail. */
export function listFailing(domain: Verdicts): readonly JudgedMechanism[] {
  return judgedMechanisms.filter((mechanism) => {
    const word = domain[mechanism];
    return word !== null && failingWords(mechanism).includes(word);
  });
}
