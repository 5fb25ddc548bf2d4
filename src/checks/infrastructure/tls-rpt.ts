import { defineCheck, passed } from "../check.ts";
import { findMisplacedSpf } from "../mail-domain.ts";

export const tlsRpt = defineCheck({
  id: "tls-rpt",
  area: "infrastructure",
  label: "TLS reports",
  owner: "dns",
  asks: "whether TLS failures are reported",
  why: "Reports show delivery failures that nobody else tells you.",
  refs: ["RFC 8460"],
  needs: ["tlsrpt"],
  wants: ["zone"],
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
    repeated: {
      severity: "minor",
      cost: 3,
      title: "Repeated TLS-RPT field",
      says: "The record at _smtp._tls.{domain} has {fields} more than once; only the first counts.",
      fix: "Keep one of each[[, with all addresses in it: `v=TLSRPTv1; rua={all}`]].",
    },
    misplaced: {
      severity: "minor",
      cost: 3,
      title: "SPF record at TLS-RPT name",
      says: "An SPF record is at _smtp._tls.{domain}, where only a TLS-RPT record has a meaning.",
      fix: "Remove it, or publish `v=TLSRPTv1; rua=mailto:{rua}` instead.",
    },
  },
  run({ tlsrpt, zone }) {
    const { domain, records, rua, problem, repeated = [] } = tlsrpt;
    const mailbox = `tls-reports@${domain}`;
    const spf = findMisplacedSpf(tlsrpt, zone);
    if (spf !== null)
      return [{ finding: "misplaced", data: { domain, rua: mailbox }, evidence: { records: [spf] } }];
    if (records.length === 0) return [{ finding: "missing", data: { domain, rua: mailbox } }];
    if (repeated.length > 0) {
      const fields = repeated.map((name) => `${name}=`);
      const data = { domain, fields, all: repeated.includes("rua") ? addressesIn(records[0] ?? "") : null };
      return [{ finding: "repeated", data, evidence: { records } }];
    }
    if (problem === null) return passed({ domain, rua });
    return [{ finding: "invalid", data: { domain, problem, rua: mailbox }, evidence: { records } }];
  },
});

/** Of every rua= field, with commas between them. */
function addressesIn(record: string): string {
  const fields = record.split(";").map((field) => field.trim());
  return fields.flatMap((field) => (field.startsWith("rua=") ? field.slice(4) : [])).join(",");
}
