import { isPublicSuffix } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { rewriteDmarc } from "./dmarc-text.ts";
import { whyNotTheAuthors } from "./policy-owner.ts";

export const dmarcPsd = defineCheck({
  id: "dmarc-psd",
  helpPage: "fix-dmarc",
  label: "DMARC psd tag",
  owner: "dns",
  asks: "whether psd= is used correctly",
  why: "`psd=y` moves the organizational domain one label down, which breaks alignment.",
  refs: ["RFC 9989 §4.7, §4.10.2"],
  needs: ["dmarc"],
  wants: ["kind"],
  passes: "No DMARC record has a misplaced psd=y tag.",
  findings: {
    misused: {
      severity: "major",
      title: "Misused DMARC psd tag",
      says: "The record at {name} has psd=y, which is only for registries. Subdomains no longer align with {domain}.",
      fix: "Remove `psd=y`: `{corrected}`.",
    },
  },
  run({ dmarc, kind }) {
    const notTheirs = whyNotTheAuthors(dmarc.domain, kind);
    if (notTheirs !== null) return notApplicable(notTheirs);
    if (dmarc.foundAt === null) return notApplicable("No DMARC record applies.");
    // The tree walk ends at such a record, though the policy may come from one below it.
    for (const { name, record } of dmarc.walk) {
      const domain = name.slice("_dmarc.".length);
      if (record === null || !/;\s{0,9}psd\s{0,9}=\s{0,9}y\s{0,9}(?:;|$)/i.test(record)) continue;
      if (isPublicSuffix(domain)) break;
      const data = { name, domain, corrected: rewriteDmarc(record, { remove: ["psd"] }) };
      return [{ finding: "misused", data, evidence: { record } }];
    }
    return passed();
  },
});
