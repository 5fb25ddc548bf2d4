// When a monitored domain counts as failing, for the dashboard and all pages.

import type { VerdictWord } from "../reports/domain-report.ts";

export const judgedMechanisms = ["spf", "dkim", "dmarc", "bimi"] as const;
type JudgedMechanism = (typeof judgedMechanisms)[number];

/**
 * Every domain needs SPF and DMARC, even if it sends no mail. A domain may not need a DKIM key or a logo. If its owner
 * named a selector, a missing key is a failure.
 */
export function isNeeded(mechanism: JudgedMechanism): boolean {
  return mechanism === "spf" || mechanism === "dmarc";
}

/** The verdicts that count as failing. */
export function failingWords(mechanism: JudgedMechanism): readonly VerdictWord[] {
  return isNeeded(mechanism) ? ["fail", "missing"] : ["fail"];
}

type Verdicts = Readonly<Record<JudgedMechanism, VerdictWord | null>>;

/** Empty if the domain isn't failing. */
export function listFailing(domain: Verdicts): readonly JudgedMechanism[] {
  return judgedMechanisms.filter((mechanism) => {
    const word = domain[mechanism];
    return word !== null && failingWords(mechanism).includes(word);
  });
}
