import { defineCheck, notApplicable, passed } from "../check.ts";
import { forbidsAll } from "../infer-parked.ts";

export const parkedDomain = defineCheck({
  id: "parked-domain",
  area: "infrastructure",
  label: "Parked domain",
  owner: "dns",
  asks: "whether a domain that sends nothing says so",
  why: "Unused domains are what forgers like.",
  refs: ["RFC 7505", "RFC 7208", "RFC 9989"],
  needs: ["spfRecord", "dmarc", "parked"],
  kinds: [],
  domain: "only",
  passes: "{domain} sends no mail, and says so.",
  findings: {
    unprotected: {
      severity: "minor",
      cost: 8,
      title: "Parked domain not protected",
      says: "{domain} sends no mail but does not forbid others to.",
      fix: "Publish `{domain}` TXT `v=spf1 -all` and `_dmarc.{domain}` TXT `v=DMARC1; p=reject`.",
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
