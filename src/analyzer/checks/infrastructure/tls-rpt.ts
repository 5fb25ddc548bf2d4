import { defineCheck, passed } from "../check.ts";
import { findMisplacedSpf } from "../mail-domain.ts";

export const tlsRpt = defineCheck({
  id: "tls-rpt",
  helpPage: "fix-mta-sts",
  label: "TLS reports",
  owner: "dns",
  asks: "whether the domain requests TLS reports",
  why: "TLS reports show delivery failures that you would not see otherwise.",
  refs: ["RFC 8460"],
  needs: ["tlsrpt"],
  wants: ["zone"],
  passes: "{domain} requests TLS reports at {rua}.",
  findings: {
    missing: {
      severity: "info",
      title: "No TLS reports requested",
      says: "{domain} does not request TLS reports.",
      fix: "Optional: publish this TXT record at `_smtp._tls.{domain}`: `v=TLSRPTv1; rua=mailto:{rua}`.",
    },
    invalid: {
      severity: "minor",
      cost: 3,
      title: "Invalid TLS-RPT record",
      says: "The TLS-RPT record at _smtp._tls.{domain} is invalid: {problem}.",
      fix: "Publish only this record: `v=TLSRPTv1; rua=mailto:{rua}`.",
    },
    repeated: {
      severity: "minor",
      cost: 3,
      title: "Repeated TLS-RPT field",
      says: "The TLS-RPT record at _smtp._tls.{domain} repeats {fields}. Only the first occurrence counts.",
      fix: "Keep one of each[[, with all addresses: `v=TLSRPTv1; rua={all}`]].",
    },
    misplaced: {
      severity: "minor",
      cost: 3,
      title: "SPF record at TLS-RPT name",
      says: "There is an SPF record at _smtp._tls.{domain}, where only a TLS-RPT record belongs.",
      fix: "Remove it, or publish `v=TLSRPTv1; rua=mailto:{rua}` instead.",
    },
  },
  run({ tlsrpt, zone }) {
    const { domain, records, rua, problem, repeated = [] } = tlsrpt;
    const mailbox = `tls-reports@${domain}`;
    const spf = findMisplacedSpf(tlsrpt, zone);
    if (spf !== null) return [{ finding: "misplaced", data: { domain, rua: mailbox }, evidence: { records: [spf] } }];
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

/** The addresses of all rua= fields, separated by commas. */
function addressesIn(record: string): string {
  const fields = record.split(";").map((field) => field.trim());
  return fields.flatMap((field) => (field.startsWith("rua=") ? field.slice(4) : [])).join(",");
}
