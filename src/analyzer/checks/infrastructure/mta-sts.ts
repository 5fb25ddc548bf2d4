import { matchesMtaSts } from "../../dns/mta-sts.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { MtaSts, MtaStsPolicyAnswer, MxCertificate, Row } from "../infrastructure-facts.ts";
import { findMisplacedSpf } from "../mail-domain.ts";
import { findMx } from "./mail-domain.ts";
import { isEndingSoon, toEndDate } from "./rows.ts";

export const mtaSts = defineCheck({
  id: "mta-sts",
  helpPage: "fix-mta-sts",
  label: "MTA-STS",
  owner: "dns",
  asks: "whether mail to the domain is protected by MTA-STS",
  why: "MTA-STS prevents attackers from stripping TLS from mail on its way to your MX. It protects incoming mail only, so it costs few points.",
  refs: ["RFC 8461"],
  needs: ["mtasts"],
  wants: ["mx", "mxCertificates", "zone"],
  passes: "{domain} enforces an MTA-STS policy[[ that covers its MX hosts: {hosts}]].",
  findings: {
    missing: {
      severity: "info",
      title: "No MTA-STS policy",
      says: "{domain} has no MTA-STS policy.",
      fix: "Optional: publish a policy at https://mta-sts.{domain}/.well-known/mta-sts.txt and this TXT record at `_mta-sts.{domain}`: `v=STSv1; id=1`.",
    },
    "record-invalid": {
      severity: "minor",
      cost: 8,
      title: "Invalid MTA-STS record",
      says: "The MTA-STS record at _mta-sts.{domain} is invalid: {problem}.",
      fix: "Publish only this record: `v=STSv1; id=1`. Change the id whenever the policy changes.",
    },
    misplaced: {
      severity: "minor",
      cost: 3,
      title: "SPF record at MTA-STS name",
      says: "There is an SPF record at _mta-sts.{domain}, where only an MTA-STS record belongs.",
      fix: "Remove it, or publish `v=STSv1; id=1` and a policy instead.",
    },
    "policy-invalid": {
      severity: "minor",
      cost: 8,
      title: "Invalid MTA-STS policy",
      says: "The MTA-STS policy at {url} cannot be used: {problem}.",
      fix: "Serve the policy as text/plain with these lines: `version: STSv1`, `mode: enforce`, `max_age: 604800`, and {lines}.",
    },
    "mx-not-covered": {
      severity: "major",
      title: "MX missing from MTA-STS policy",
      says: "{host} is an MX host for {domain} but is not in its MTA-STS policy. Senders that follow the policy will not deliver there.",
      fix: "Add `mx: {host}` to the policy and change the id in the record.",
    },
    "mx-untrusted": {
      severity: "major",
      title: "MX fails MTA-STS policy",
      owner: "mail-server",
      says: "The MX host {host} fails the enforced MTA-STS policy for {domain}: {problem}. Senders that follow the policy will not deliver there.",
      fix: "Configure {host} to offer STARTTLS with a certificate for its hostname from a public CA.",
    },
    "not-enforced": {
      severity: "info",
      title: "MTA-STS not enforced",
      says: "The MTA-STS policy for {domain} is in {mode} mode.",
      fix: "Set `mode: enforce` once TLS reports are clean.",
    },
    "certificate-expiring": {
      severity: "minor",
      cost: 3,
      title: "MTA-STS certificate expiring",
      owner: "mail-server",
      says: "The certificate for mta-sts.{domain}, which serves the MTA-STS policy, expires on {date}.",
      fix: "Renew it. Once it expires, senders cannot fetch the policy.",
    },
  },
  run({ mtasts, mx: rows, mxCertificates, zone }) {
    const { domain, records, problem, policy } = mtasts;
    const spf = findMisplacedSpf(mtasts, zone);
    if (spf !== null) return [{ finding: "misplaced", data: { domain }, evidence: { records: [spf] } }];
    if (records.length === 0) return [{ finding: "missing", data: { domain } }];
    if (problem !== null) return [{ finding: "record-invalid", data: { domain, problem }, evidence: { records } }];
    if (!policy.known) return skipped(policy.why);
    const mx = rows.known ? findMx(rows.value, domain) : rows;
    const hosts = mx.known ? mx.value.hosts.map(({ name }) => name) : [];
    const judged = judgePolicy(mtasts, policy.value, hosts);
    const besides = [...findUntrusted(mtasts, policy.value, mxCertificates), ...findExpiring(mtasts, policy.value)];
    if (besides.length === 0) return judged;
    return "passed" in judged ? besides : [...judged, ...besides];
  },
});

function judgePolicy({ domain }: MtaSts, answer: MtaStsPolicyAnswer, hosts: readonly string[]) {
  const { policy, problem, url, text } = answer;
  if (policy === null) {
    const lines = hosts.length > 0 ? hosts.map((host) => `\`mx: ${host}\``) : "one `mx:` line for each MX host";
    const data = { url, problem: problem ?? "it cannot be read", lines };
    return [{ finding: "policy-invalid" as const, data, evidence: { text } }];
  }
  const { mode, mx } = policy;
  if (mode !== "enforce") return [{ finding: "not-enforced" as const, data: { domain, mode }, evidence: { text } }];
  const left = hosts.filter((host) => !mx.some((pattern) => matchesMtaSts(host, pattern)));
  return left.length === 0
    ? passed({ domain, hosts })
    : left.map((host) => ({
        finding: "mx-not-covered" as const,
        subject: host,
        data: { domain, host },
        evidence: { mx: mx.slice(0, maxShown) },
      }));
}

const maxShown = 20;

/** RFC 8461 §4.1: only the hosts that the policy names need a valid certificate. */
function findUntrusted({ domain }: MtaSts, { policy }: MtaStsPolicyAnswer, rows: Fact<readonly Row<MxCertificate>[]>) {
  if (policy?.mode !== "enforce" || !rows.known) return [];
  return rows.value.flatMap(({ of: host, fact }) => {
    if (!fact.known || fact.value.problem === null) return [];
    if (!policy.mx.some((pattern) => matchesMtaSts(host, pattern))) return [];
    const { problem } = fact.value;
    return [{ finding: "mx-untrusted" as const, subject: host, data: { domain, host, problem } }];
  });
}

function findExpiring({ domain }: MtaSts, { certificate }: MtaStsPolicyAnswer) {
  if (certificate === null) return [];
  if (!isEndingSoon(certificate)) return [];
  return [{ finding: "certificate-expiring" as const, data: { domain, date: toEndDate(certificate) } }];
}
