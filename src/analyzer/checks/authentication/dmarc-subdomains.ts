import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { rewriteDmarc } from "./dmarc-text.ts";
import { readAppliedPolicy } from "./policy-owner.ts";

export const dmarcSubdomains = defineCheck({
  id: "dmarc-subdomains",
  helpPage: "fix-dmarc-policy",
  label: "DMARC for subdomains",
  owner: "dns",
  asks: "whether subdomains are as well protected as the domain",
  why: "Spoofers choose the least protected name.",
  refs: ["RFC 9989 §4.7, §4.10.1"],
  needs: ["dmarc"],
  wants: ["kind"],
  passes: "The DMARC record at {name} does not exempt subdomains from its policy.",
  findings: {
    weaker: {
      severity: "minor",
      cost: 8,
      title: "Subdomains not protected by DMARC",
      says: "{domain} enforces {policy}, but {tag}=none leaves {whom} unprotected.",
      fix: "Remove `{tag}=none` or set `{tag}={policy}`: `{corrected}`.",
    },
    ignored: {
      severity: "info",
      title: "DMARC subdomain tag ignored",
      says: '"{tag}={value}" at {name} has no effect. This tag works only at {orgDomain}.',
      fix: "Remove it: `{corrected}`.",
    },
  },
  run({ dmarc, kind }) {
    const applied = readAppliedPolicy(dmarc, kind);
    if (typeof applied === "string") return notApplicable(applied);
    const { foundAt, name, record, tags } = applied;
    const { orgDomain } = dmarc;
    const written = (["sp", "np"] as const).flatMap((tag) => {
      const value = tags[tag];
      return value === null ? [] : [{ tag, value }];
    });
    if (written.length === 0) return passed({ name });
    if (!orgDomain.known) return skipped(orgDomain.why);
    const evidence = { record };
    if (foundAt.endsWith(`.${orgDomain.value}`))
      return written.map(({ tag, value }) => {
        const corrected = rewriteDmarc(record, { remove: ["sp", "np"] });
        const data = { tag, value, name, orgDomain: orgDomain.value, corrected };
        return { finding: "ignored", subject: tag, data, evidence };
      });
    const { p } = tags;
    if (p === null || p === "none") return passed({ name });
    const open = written.filter(({ value }) => value === "none");
    if (open.length === 0) return passed({ name });
    return open.map(({ tag }) => {
      const whom = tag === "sp" ? "its subdomains" : "subdomains that do not exist";
      const corrected = rewriteDmarc(record, { set: { [tag]: p } });
      const data = { domain: foundAt, policy: p, tag, whom, corrected };
      return { finding: "weaker", subject: tag, data, evidence };
    });
  },
});
