// What counts in the prediction and is no finding: read off the facts. A sign whose facts are not known does not hold.

import type { KnownFacts } from "../checks/facts.ts";

type Known = Partial<KnownFacts>;

export const signs = {
  "fails-quarantine": (facts: Known) => failsUnder("quarantine", facts),
  "fails-reject": (facts: Known) => failsUnder("reject", facts),
  "proven-twice": ({ dmarcResult, dmarc }: Known) =>
    dmarcResult?.known === true &&
    dmarcResult.value.result === "pass" &&
    dmarcResult.value.alignedBy.length === 2 &&
    dmarc?.known === true &&
    (dmarc.value.effective === "quarantine" || dmarc.value.effective === "reject"),
  "vouched-for": ({ dnswl }: Known) =>
    dnswl?.known === true &&
    dnswl.value.some(
      ({ fact }) =>
        fact.known && fact.value.listed && (fact.value.level === "medium" || fact.value.level === "high"),
    ),
} satisfies Record<string, (facts: Known) => boolean>;

export type Sign = keyof typeof signs;

/** A forwarder whose word is proven excuses the failure. */
function failsUnder(policy: "quarantine" | "reject", { dmarcResult, dmarc, kind }: Known): boolean {
  if (!dmarcResult?.known || !dmarc?.known || dmarcResult.value.result !== "fail") return false;
  const forwarded = kind?.known && kind.value.forwarded.known ? kind.value.forwarded.value : null;
  const isExcused = forwarded?.verified === true && forwarded.first?.dmarc === "pass";
  return dmarc.value.effective === policy && !isExcused;
}
