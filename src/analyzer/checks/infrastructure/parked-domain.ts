import { defineCheck, notApplicable, passed } from "../check.ts";
import { forbidsAll } from "../infer-parked.ts";

export const parkedDomain = defineCheck({
  id: "parked-domain",
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
      fix: "[[Publish an SPF record for {domain} that allows no senders: `{noSenders}`.]] [[Publish a DMARC record for {domain} that rejects all mail: `{rejection}`.]]",
    },
  },
  run({ spfRecord, dmarc, parked: { isParked, why } }) {
    if (!isParked) return notApplicable(why);
    const { domain } = spfRecord;
    const noSenders = forbidsAll(spfRecord) ? null : "v=spf1 -all";
    const rejection = dmarc.effective === "reject" ? null : "v=DMARC1; p=reject";
    if (noSenders === null && rejection === null) return passed({ domain });
    const evidence = { reason: why, spf: spfRecord.records, dmarc: dmarc.record };
    return [{ finding: "unprotected", data: { domain, noSenders, rejection }, evidence }];
  },
});
