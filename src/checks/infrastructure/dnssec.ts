import { defineCheck, passed } from "../check.ts";

export const dnssec = defineCheck({
  id: "dnssec",
  area: "infrastructure",
  label: "DNSSEC",
  owner: "dns",
  asks: "whether the domain's DNSSEC is sound",
  why: "A broken signature makes the whole domain vanish for validating resolvers.",
  refs: ["RFC 4035 §5"],
  needs: ["dnssec"],
  kinds: "all",
  passes: "{domain} is signed with DNSSEC[[ and {validates}]].",
  findings: {
    bogus: {
      severity: "critical",
      cost: 45,
      title: "DNSSEC validation fails",
      says: "The DNSSEC signatures of {domain} do not validate; many resolvers cannot see the domain.",
      fix: "Renew the signatures, or correct or remove the DS record at the registrar.",
    },
    unsigned: {
      severity: "info",
      cost: 0,
      title: "Domain without DNSSEC",
      says: "{domain} is not signed with DNSSEC.",
      fix: "Optional: switch DNSSEC on where your DNS is hosted, and give its DS record to the registrar.",
    },
  },
  run({ dnssec: { domain, signed, validated, bogus } }) {
    if (bogus) return [{ finding: "bogus", data: { domain } }];
    if (!signed) return [{ finding: "unsigned", data: { domain } }];
    return passed({ domain, validates: validated.known && validated.value ? "validates" : null });
  },
});
