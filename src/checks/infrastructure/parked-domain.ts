import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { findMx, wasSeenSending } from "./mail-domain.ts";

export const parkedDomain = defineCheck({
  id: "parked-domain",
  area: "infrastructure",
  asks: "whether a domain that sends nothing says so",
  why: "Unused domains are what forgers like.",
  refs: ["RFC 7505", "RFC 7208", "RFC 9989"],
  needs: ["spfRecord", "dmarc", "mx"],
  wants: ["history"],
  kinds: [],
  domain: "only",
  passes: "{domain} sends no mail, and says so.",
  findings: {
    unprotected: {
      severity: "minor",
      cost: 8,
      says: "{domain} sends no mail but does not forbid others to.",
      fix: "Publish `{domain}` TXT `v=spf1 -all` and `_dmarc.{domain}` TXT `v=DMARC1; p=reject`.",
    },
  },
  run({ spfRecord, dmarc, mx: rows, history }) {
    const { domain } = spfRecord;
    const mx = findMx(rows, domain);
    if (!mx.known) return skipped(mx.why);
    const { exists, nullMx, hosts } = mx.value;
    if (!exists) return notApplicable("The domain does not exist.");
    if (!nullMx && hosts.length > 0) return notApplicable("The domain takes mail.");
    if (namesSenders(spfRecord)) return notApplicable("Its SPF record names servers that send for it.");
    if (wasSeenSending(history)) return notApplicable("Mail was seen from it.");
    // Without a word from the domain itself only what was seen here tells that it sends nothing.
    if (!nullMx && !forbidsAll(spfRecord) && !history.known) return skipped(history.why);
    if (forbidsAll(spfRecord) && dmarc.effective === "reject") return passed({ domain });
    const evidence = { spf: spfRecord.records, dmarc: dmarc.record };
    return [{ finding: "unprotected", data: { domain }, evidence }];
  },
});

function namesSenders({ terms }: SpfRecord): boolean {
  return terms.some(({ kind, name }) => (kind === "mechanism" ? name !== "all" : name === "redirect"));
}

function forbidsAll({ records, terms }: SpfRecord): boolean {
  const [only] = terms;
  return records.length === 1 && terms.length === 1 && only?.name === "all" && only.qualifier === "-";
}
