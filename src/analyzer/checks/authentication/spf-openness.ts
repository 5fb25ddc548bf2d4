import { liveMechanisms, type SpfTerm } from "../../dns/spf.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { allowAddress, correctRecord, endWith, toMechanism } from "./spf-correction.ts";
import { whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, toClientAddress, whyNoRecord } from "./spf-owner.ts";

type RaisedFinding = Raised<"anyone-passes" | "huge-range">;

/** No sender needs a shorter prefix. The largest ones keep theirs in separate records. */
const minPrefix4 = 16;
const minPrefix6 = 32;
const maxShown = 5;

export const spfOpenness = defineCheck({
  id: "spf-openness",
  helpPage: "fix-spf",
  label: "SPF permissiveness",
  owner: "dns",
  asks: "whether the SPF record lets unauthorized senders pass",
  why: "A record that lets anyone pass protects nothing, and Gmail rejects mail because of suspicious SPF entries.",
  refs: ["RFC 7208 §5.1", "Gmail SMTP errors (4.7.24, 5.7.24)"],
  needs: ["spfRecord"],
  wants: ownershipFacts,
  passes: "The SPF record for {domain} does not let unauthorized senders pass.",
  findings: {
    "anyone-passes": {
      severity: "critical",
      title: "SPF lets anyone send",
      says: 'Any computer on the internet passes SPF for {domain} because of "{term}".',
      fix: "[[Ask {provider} to restrict it.]][[List the servers that send for {name}, and end the record with `~all`, or with `-all` once every server is listed.]][[ For example: `{corrected}`]]",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "451 4.7.24, then 550 5.7.24" }],
    },
    "huge-range": {
      severity: "minor",
      cost: 8,
      title: "SPF allows too many addresses",
      says: '"{term}" allows {count} addresses to send for {domain}.',
      fix: "List only the addresses that you use[[, for example `{mechanism}`]].",
    },
  },
  run({ spfRecord, ...facts }) {
    const { domain, passesAnyone } = spfRecord;
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const provider = findProvider(domain, facts);
    const address = toClientAddress(facts);
    const ranges = provider === null ? findRanges(spfRecord, address) : [];
    if (passesAnyone !== null) return [toOpen(spfRecord, passesAnyone, provider, address), ...ranges];
    if (ranges.length > 0) return ranges;
    const missing = whyNotWhole(spfRecord);
    return missing === null ? passed({ domain }) : skipped(missing);
  },
});

function toOpen(
  { domain, records }: SpfRecord,
  term: string,
  provider: string | null,
  address: string | null,
): RaisedFinding {
  const corrected = correctRecord(records[0], (terms) => {
    const listed = allowAddress(
      address,
      terms.filter((each) => each !== term),
    );
    return listed.some((each) => /^[-~]all$/i.test(each)) ? listed : endWith("~all", listed);
  });
  const own = provider === null ? { name: domain, corrected } : {};
  return { finding: "anyone-passes", data: { domain, term, provider, ...own }, evidence: { record: records[0] } };
}

function findRanges({ domain, terms, passesAnyone }: SpfRecord, address: string | null): RaisedFinding[] {
  const mechanism = address && toMechanism(address);
  return liveMechanisms(terms)
    .filter(({ qualifier, text }) => qualifier === "+" && text !== passesAnyone)
    .flatMap((term): RaisedFinding[] => {
      const count = countAddresses(term);
      if (count === null) return [];
      return [{ finding: "huge-range", subject: term.text, data: { domain, term: term.text, count, mechanism } }];
    })
    .slice(0, maxShown);
}

/** Null for a range of normal size. */
function countAddresses({ prefix4, prefix6 }: SpfTerm): string | null {
  if (prefix4 !== null && prefix4 < minPrefix4) return (2 ** (32 - prefix4)).toLocaleString("en");
  return prefix6 !== null && prefix6 < minPrefix6 ? `2^${128 - prefix6}` : null;
}
