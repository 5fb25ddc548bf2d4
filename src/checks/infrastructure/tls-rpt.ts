import { defineCheck, passed } from "../check.ts";

export const tlsRpt = defineCheck({
  id: "tls-rpt",
  area: "infrastructure",
  label: "TLS reports",
  owner: "dns",
  asks: "whether TLS failures are reported",
  why: "Reports show delivery failures that nobody else tells you.",
  refs: ["RFC 8460"],
  needs: ["tlsrpt"],
  kinds: "all",
  passes: "{domain} asks for TLS reports at {rua}.",
  findings: {
    missing: {
      severity: "info",
      cost: 0,
      title: "No TLS reports requested",
      says: "{domain} asks for no TLS reports.",
      fix: "Optional: `_smtp._tls.{domain}` TXT `v=TLSRPTv1; rua=mailto:{rua}`.",
    },
    invalid: {
      severity: "minor",
      cost: 3,
      title: "Invalid TLS-RPT record",
      says: "The record at _smtp._tls.{domain} is not usable: {problem}.",
      fix: "Publish one alone: `v=TLSRPTv1; rua=mailto:{rua}`.",
    },
  },
  run({ tlsrpt: { domain, records, rua, problem } }) {
    const mailbox = `tls-reports@${domain}`;
    if (records.length === 0) return [{ finding: "missing", data: { domain, rua: mailbox } }];
    if (problem === null) return passed({ domain, rua });
    return [{ finding: "invalid", data: { domain, problem, rua: mailbox }, evidence: { records } }];
  },
});
