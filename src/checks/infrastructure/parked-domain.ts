import { defineCheck, notApplicable, passed } from "../check.ts";
import { forbidsAll } from "../infer-parked.ts";

export const parkedDomain = defineCheck({
  id: "parked-domain",
  area: "infrastructure",
  helpPage: "fix-dns",
  label: "Parked domain",
  owner: "dns",
  asks: "whether a domain that sends no mail is protected against spoofing",
  why: "Unused domains are popular with spoofers.",
  refs: ["RFC 7505", "RFC 7208", "RFC 9989"],
  needs: ["spfRecord", "dmarc", "parked"],
  kinds: [],
  domain: "only",
  passes: "{domain} sends no mail, and its SPF and DMARC records say so.",
  findings: {
    unprotected: {
      severity: "minor",
      cost: 8,
      title: "Parked domain not protected",
      says: "{domain} sends no mail, but its SPF and DMARC records do not stop spoofers from using it.",
      fix: "Publish two TXT records. At `{domain}`: `v=spf1 -all`. At `_dmarc.{domain}`: `v=DMARC1; p=reject`.",
    },
  },
  run({ spfRecord, dmarc, parked: { isParked, why } }) {
    if (!isParked) return notApplicable(why);
    const { domain } = spfRecord;
    if (forbidsAll(spfRecord) && dmarc.effective === "reject") return passed({ domain });
    const evidence = { why, spf: spfRecord.records, dmarc: dmarc.record };
    return [{ finding: "unprotected", data: { domain }, evidence }];
  },
});
