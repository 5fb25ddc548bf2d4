import { defineCheck, passed } from "../check.ts";

export const dnssec = defineCheck({
  id: "dnssec",
  helpPage: "fix-dns",
  label: "DNSSEC",
  owner: "dns",
  asks: "whether the domain's DNSSEC is valid",
  why: "If a DNSSEC signature is broken, validating resolvers do not resolve the domain at all.",
  refs: ["RFC 4035 §5"],
  needs: ["dnssec"],
  passes: "{domain} is signed with DNSSEC[[ and {validates}]].",
  findings: {
    bogus: {
      severity: "critical",
      title: "DNSSEC validation fails",
      says: "DNSSEC validation fails for {domain}, so many resolvers cannot resolve it.",
      fix: "Sign the zone again, or correct or remove the DS record at your registrar.",
    },
    unsigned: {
      severity: "info",
      title: "Domain without DNSSEC",
      says: "{domain} is not signed with DNSSEC.",
      fix: "Optional: turn on DNSSEC at your DNS provider and add the DS record at your registrar.",
    },
  },
  run({ dnssec: { domain, signed, validated, bogus } }) {
    if (bogus) return [{ finding: "bogus", data: { domain } }];
    if (!signed) return [{ finding: "unsigned", data: { domain } }];
    return passed({ domain, validates: validated.known && validated.value ? "validates" : null });
  },
});
