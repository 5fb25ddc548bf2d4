import { matchesMtaSts } from "../../dns/mta-sts.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import type { MtaSts, MtaStsPolicyAnswer } from "../infrastructure-facts.ts";
import { findMx } from "./mail-domain.ts";

export const mtaSts = defineCheck({
  id: "mta-sts",
  area: "infrastructure",
  asks: "whether mail to the domain is protected by MTA-STS",
  why: "It keeps TLS to your MX from being stripped. It protects incoming mail, so it costs little.",
  refs: ["RFC 8461"],
  needs: ["mtasts"],
  wants: ["mx"],
  kinds: "all",
  passes: "{domain} enforces its MTA-STS policy[[, which names its MX hosts {hosts}]].",
  findings: {
    missing: {
      severity: "info",
      cost: 0,
      says: "{domain} has no MTA-STS policy.",
      fix: "Optional: publish `_mta-sts.{domain}` TXT `v=STSv1; id=1` and the policy at https://mta-sts.{domain}/.well-known/mta-sts.txt.",
    },
    "record-invalid": {
      severity: "minor",
      cost: 8,
      says: "The record at _mta-sts.{domain} is not usable: {problem}.",
      fix: "Publish one alone: `v=STSv1; id=1`; change the id whenever the policy changes.",
    },
    "policy-invalid": {
      severity: "minor",
      cost: 8,
      says: "The policy at {url} is not usable: {problem}.",
      fix: "Serve there as text/plain, one a line: `version: STSv1`, `mode: enforce`, `max_age: 604800`, and {lines}.",
    },
    "mx-not-covered": {
      severity: "major",
      cost: 18,
      says: "{host} is an MX of {domain} but not in its MTA-STS policy; senders that honour it will not deliver there.",
      fix: "Add `mx: {host}` to the policy and change the id of the record.",
    },
    "not-enforced": {
      severity: "info",
      cost: 0,
      says: "The MTA-STS policy of {domain} is in mode {mode}.",
      fix: "Set `mode: enforce` when TLS reports are clean.",
    },
    "certificate-expiring": {
      severity: "minor",
      cost: 3,
      says: "The certificate of mta-sts.{domain}, which serves the MTA-STS policy, ends on {date}.",
      fix: "Renew it: once it has ended, senders cannot fetch the policy any more.",
    },
  },
  run({ mtasts, mx: rows }) {
    const { domain, records, problem, policy } = mtasts;
    if (records.length === 0) return [{ finding: "missing", data: { domain } }];
    if (problem !== null)
      return [{ finding: "record-invalid", data: { domain, problem }, evidence: { records } }];
    if (!policy.known) return skipped(policy.why);
    const mx = rows.known ? findMx(rows.value, domain) : rows;
    const hosts = mx.known ? mx.value.hosts.map(({ name }) => name) : [];
    const judged = judgePolicy(mtasts, policy.value, hosts);
    const expiring = findExpiring(mtasts, policy.value);
    if (expiring.length === 0) return judged;
    return "passed" in judged ? expiring : [...judged, ...expiring];
  },
});

function judgePolicy({ domain }: MtaSts, answer: MtaStsPolicyAnswer, hosts: readonly string[]) {
  const { policy, problem, url, text } = answer;
  if (policy === null) {
    const lines = hosts.length > 0 ? hosts.map((host) => `\`mx: ${host}\``) : "`mx:` with each MX host";
    const data = { url, problem: problem ?? "it cannot be read", lines };
    return [{ finding: "policy-invalid" as const, data, evidence: { text } }];
  }
  const { mode, mx } = policy;
  if (mode !== "enforce")
    return [{ finding: "not-enforced" as const, data: { domain, mode }, evidence: { text } }];
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

const dayMs = 86_400_000;
const warningMs = 14 * dayMs;

/** Of one that lives for days a quarter of its life: its owner's program renews it before that. */
function findExpiring({ domain }: MtaSts, { certificate }: MtaStsPolicyAnswer) {
  if (certificate === null) return [];
  const { startsAt, endsAt, seenAt } = certificate;
  if (endsAt - seenAt >= Math.min(warningMs, (endsAt - startsAt) / 4)) return [];
  const date = new Date(endsAt).toISOString().slice(0, 10);
  return [{ finding: "certificate-expiring" as const, data: { domain, date } }];
}
