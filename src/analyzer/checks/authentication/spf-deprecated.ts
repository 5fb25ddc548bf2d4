import { liveMechanisms } from "../../dns/spf.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { allowAddress, correctRecord } from "./spf-correction.ts";
import { ownershipFacts, toClientAddress, whyNoAdvice } from "./spf-owner.ts";

// Records of the DNS type SPF (99) are not looked up. Receivers have ignored them for ten years, and a note that costs no
// points is not worth a DNS query for every message.
export const spfDeprecated = defineCheck({
  id: "spf-deprecated",
  helpPage: "fix-spf",
  label: "Retired SPF features",
  owner: "dns",
  asks: "whether the SPF record uses retired features",
  why: "Retired features cost DNS lookups or are ignored.",
  refs: ["RFC 7208 §5.5", "RFC 6654"],
  needs: ["spfRecord"],
  wants: ownershipFacts,
  passes: "The SPF record for {domain} uses no retired features.",
  findings: {
    ptr: {
      severity: "minor",
      cost: 3,
      title: "SPF uses deprecated ptr",
      says: 'The SPF record for {domain} uses "{term}", which is slow and deprecated.',
      fix: "Replace it with `ip4:` or `a:` terms[[: `{corrected}`]].",
    },
    "old-type": {
      severity: "info",
      title: "Obsolete SPF or Sender ID record",
      says: "{domain} still publishes {what}, which receivers ignore.",
      fix: "Delete it.",
    },
  },
  run({ spfRecord, ...facts }) {
    const unfit = whyNoAdvice(spfRecord, facts);
    if (unfit !== null) return notApplicable(unfit);
    const { domain, senderId } = spfRecord;
    const found = [
      ...findPtr(spfRecord, toClientAddress(facts)),
      ...(senderId ? [{ finding: "old-type", data: { domain, what: "a Sender ID record (`spf2.0`)" } } as const] : []),
    ];
    return found.length > 0 ? found : passed({ domain });
  },
});

function findPtr({ domain, terms, records: [record] }: SpfRecord, address: string | null): Raised<"ptr">[] {
  const ptrs = liveMechanisms(terms).filter(({ name }) => name === "ptr");
  const [first] = ptrs;
  if (first === undefined) return [];
  const texts = new Set(ptrs.map(({ text }) => text));
  const corrected = correctRecord(record, (words) =>
    allowAddress(
      address,
      words.filter((word) => !texts.has(word)),
    ),
  );
  return [{ finding: "ptr", data: { domain, term: first.text, corrected }, evidence: { record } }];
}
