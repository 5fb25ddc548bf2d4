import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { dane } from "../../../../src/analyzer/checks/infrastructure/dane.ts";
import { dnsTtl } from "../../../../src/analyzer/checks/infrastructure/dns-ttl.ts";
import { dnsWildcard } from "../../../../src/analyzer/checks/infrastructure/dns-wildcard.ts";
import { dnssec } from "../../../../src/analyzer/checks/infrastructure/dnssec.ts";
import { mtaSts } from "../../../../src/analyzer/checks/infrastructure/mta-sts.ts";
import { nameservers } from "../../../../src/analyzer/checks/infrastructure/nameservers.ts";
import { tlsRpt } from "../../../../src/analyzer/checks/infrastructure/tls-rpt.ts";
import type {
  DaneHost,
  Dnssec,
  MtaSts,
  MtaStsPolicyAnswer,
} from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { testCheck } from "../test-check.ts";
import { mx, mxHost, nameServer, silentRow, zone } from "./facts.ts";

const url = "https://mta-sts.a.example/.well-known/mta-sts.txt";
const policyOf = (mode: "enforce" | "testing" | "none", names = ["*.a.example"]): MtaStsPolicyAnswer => ({
  url,
  text: "version: STSv1",
  policy: { mode, mx: names, maxAgeSeconds: 604_800 },
  problem: null,
  certificate: null,
});
const dayMs = 86_400_000;
/** Seen with so many days left of so many. */
const endingIn = (left: number, days = 90): MtaStsPolicyAnswer => {
  const seenAt = Date.UTC(2026, 10, 20);
  const endsAt = seenAt + left * dayMs;
  return { ...policyOf("enforce"), certificate: { startsAt: endsAt - days * dayMs, endsAt, seenAt } };
};
const sts = (changed: Partial<MtaSts> = {}): MtaSts => ({
  domain: "a.example",
  records: ["v=STSv1; id=1"],
  id: "1",
  problem: null,
  policy: known(policyOf("enforce")),
  ...changed,
});

const untrusted = (host: string) => ({
  of: host,
  fact: known({ certificate: null, problem: "it offers no STARTTLS" }),
});

testCheck(mtaSts, [
  {
    when: "passes a policy with all hosts",
    facts: { mtasts: sts(), mx: mx() },
    says: "a.example enforces an MTA-STS policy that covers its MX hosts: mx1.a.example.",
  },
  {
    when: "passes a policy if the hosts are unknown, and says nothing about them",
    facts: { mtasts: sts(), mx: [silentRow("a.example")] },
    says: "a.example enforces an MTA-STS policy.",
  },
  {
    when: "suggests a policy if there is none",
    facts: { mtasts: sts({ records: [], id: null, policy: unknown("off") }) },
    finds: ["missing"],
  },
  {
    when: "reports an SPF record at its name",
    facts: { mtasts: sts({ records: [], id: null, policy: unknown("off"), spfInPlace: "v=spf1 -all" }) },
    finds: ["misplaced"],
  },
  {
    when: "reports two records",
    facts: { mtasts: sts({ records: ["v=STSv1; id=1", "v=STSv1; id=2"], problem: "there are 2 records" }) },
    finds: ["record-invalid"],
    says: "The MTA-STS record at _mta-sts.a.example is invalid: there are 2 records.",
  },
  {
    when: "reports a policy that redirects, and suggests the right one",
    facts: {
      mtasts: sts({
        policy: known({ url, text: null, policy: null, problem: "the server redirects (301)", certificate: null }),
      }),
      mx: mx({ hosts: [mxHost("mx1.a.example"), mxHost("mx2.a.example")] }),
    },
    finds: ["policy-invalid"],
    fix: "Serve the policy as text/plain with these lines: `version: STSv1`, `mode: enforce`, `max_age: 604800`, and `mx: mx1.a.example` and `mx: mx2.a.example`.",
  },
  {
    when: "is skipped if the policy's server does not answer",
    facts: { mtasts: sts({ policy: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "finds a host that is not in the policy",
    facts: { mtasts: sts(), mx: mx({ hosts: [mxHost("mx1.a.example"), mxHost("mx.host.example")] }) },
    finds: ["mx-not-covered"],
    fix: "Add `mx: mx.host.example` to the policy and change the id in the record.",
  },
  {
    when: "reports hosts only as a note while the policy is in test mode",
    facts: { mtasts: sts({ policy: known(policyOf("testing")) }), mx: mx({ hosts: [mxHost("mx.host.example")] }) },
    finds: ["not-enforced"],
    says: "The MTA-STS policy for a.example is in testing mode.",
  },
  {
    when: "finds a host whose certificate is not trusted by senders that follow the policy",
    facts: {
      mtasts: sts({ policy: known(policyOf("enforce")) }),
      mx: mx(),
      mxCertificates: [untrusted("mx1.a.example"), untrusted("other.example")],
    },
    finds: ["mx-untrusted"],
    says: "The MX host mx1.a.example fails the enforced MTA-STS policy for a.example: it offers no STARTTLS. Senders that follow the policy will not deliver there.",
  },
  {
    when: "reports such a certificate only as a note while the policy is in test mode",
    facts: {
      mtasts: sts({ policy: known(policyOf("testing")) }),
      mx: mx(),
      mxCertificates: [untrusted("mx1.a.example")],
    },
    finds: ["not-enforced"],
  },
  {
    when: "reports that the certificate of the policy's host expires soon",
    facts: { mtasts: sts({ policy: known(endingIn(10)) }), mx: mx() },
    finds: ["certificate-expiring"],
    says: "The certificate for mta-sts.a.example, which serves the MTA-STS policy, expires on 2026-11-30.",
  },
  {
    when: "reports that next to an error in the policy",
    facts: { mtasts: sts({ policy: known(endingIn(10)) }), mx: mx({ hosts: [mxHost("mx.host.example")] }) },
    finds: ["mx-not-covered", "certificate-expiring"],
  },
  {
    when: "passes a certificate with fifteen days left, and a new short-lived one",
    facts: { mtasts: sts({ policy: known(endingIn(15)) }), mx: mx() },
  },
  {
    when: "passes a certificate of six days with three left",
    facts: { mtasts: sts({ policy: known(endingIn(3, 6)) }) },
  },
]);

testCheck(tlsRpt, [
  {
    when: "passes one record",
    facts: {
      tlsrpt: {
        domain: "a.example",
        records: ["v=TLSRPTv1; rua=mailto:t@a.example"],
        rua: ["mailto:t@a.example"],
        problem: null,
      },
    },
    says: "a.example requests TLS reports at mailto:t@a.example.",
  },
  {
    when: "reports an SPF record if there is no other",
    facts: { tlsrpt: { domain: "a.example", records: [], rua: [], problem: null, spfInPlace: "v=spf1 -all" } },
    finds: ["misplaced"],
  },
  {
    when: "reports two rua=, and suggests one",
    facts: {
      tlsrpt: {
        domain: "a.example",
        records: ["v=TLSRPTv1; rua=mailto:a@a.example; rua=mailto:b@a.example"],
        rua: ["mailto:a@a.example"],
        repeated: ["rua"],
        problem: null,
      },
    },
    finds: ["repeated"],
    fix: "Keep one of each, with all addresses: `v=TLSRPTv1; rua=mailto:a@a.example,mailto:b@a.example`.",
  },
  {
    when: "suggests a record if there is none",
    facts: { tlsrpt: { domain: "a.example", records: [], rua: [], problem: null } },
    finds: ["missing"],
    fix: "Optional: publish this TXT record at `_smtp._tls.a.example`: `v=TLSRPTv1; rua=mailto:tls-reports@a.example`.",
  },
  {
    when: "reports a record without addresses",
    facts: { tlsrpt: { domain: "a.example", records: ["v=TLSRPTv1"], rua: [], problem: "it has no rua=" } },
    finds: ["invalid"],
    says: "The TLS-RPT record at _smtp._tls.a.example is invalid: it has no rua=.",
  },
]);

const tlsa = (problem: string | null = null) => ({ usage: 3, selector: 1, matching: 1, problem });
const host = (changed: Partial<DaneHost> = {}) => ({
  of: "mx1.a.example",
  fact: known({ secure: known(true), records: [tlsa()], ...changed }),
});

testCheck(dane, [
  { when: "praises a usable record", facts: { dane: { hosts: [host()] } }, finds: ["present"] },
  {
    when: "accepts a usable record next to an unusable one",
    facts: { dane: { hosts: [host({ records: [tlsa("usage 1 is not for SMTP"), tlsa()] })] } },
    finds: ["present"],
  },
  {
    when: "reports unusable records",
    facts: { dane: { hosts: [host({ records: [tlsa("usage 1 is not for SMTP")] })] } },
    finds: ["unusable"],
    says: "The TLSA records for mx1.a.example are unusable (usage 1 is not for SMTP), so they provide no protection.",
  },
  {
    when: "reports records in an unsigned zone",
    facts: { dane: { hosts: [host({ secure: known(false) })] } },
    finds: ["unsigned"],
  },
  {
    when: "does not apply without records",
    facts: { dane: { hosts: [host({ records: [] })] } },
    outcome: "not-applicable",
  },
  { when: "does not apply without hosts", facts: { dane: { hosts: [] } }, outcome: "not-applicable" },
  {
    when: "is skipped if the resolver does not validate",
    facts: { dane: { hosts: [host({ secure: unknown("off") })] } },
    outcome: "skipped",
  },
  {
    when: "is skipped if DNS does not answer",
    facts: { dane: { hosts: [silentRow("mx1.a.example")] } },
    outcome: "skipped",
  },
]);

const signed: Dnssec = { domain: "a.example", signed: true, validated: known(true), bogus: false };

testCheck(dnssec, [
  { when: "passes a valid domain", facts: { dnssec: signed }, says: "a.example is signed with DNSSEC and validates." },
  {
    when: "passes a signed domain if the resolver does not validate",
    facts: { dnssec: { ...signed, validated: unknown("off") } },
    says: "a.example is signed with DNSSEC.",
  },
  {
    when: "finds invalid signatures",
    facts: { dnssec: { ...signed, validated: known(false), bogus: true } },
    finds: ["bogus"],
  },
  {
    when: "reports an unsigned domain only as a note",
    facts: { dnssec: { ...signed, signed: false, validated: known(false) } },
    finds: ["unsigned"],
  },
]);

const [first, second] = [
  nameServer("ns1.host.example", ["203.0.113.53"]),
  nameServer("ns2.host.example", ["198.51.100.53"]),
];

testCheck(nameservers, [
  {
    when: "passes two servers",
    facts: { zone: zone() },
    says: "a.example is served by ns1.host.example and ns2.host.example.",
  },
  {
    when: "reports a single server",
    facts: { zone: zone({ ns: [first] }) },
    finds: ["single"],
    says: "a.example has only one independent name server (ns1.host.example).",
  },
  {
    when: "reports two names of one machine",
    facts: { zone: zone({ ns: [first, nameServer("ns2.host.example", ["203.0.113.53"])] }) },
    finds: ["single"],
    says: "a.example has only one independent name server (ns1.host.example and ns2.host.example).",
  },
  {
    when: "does not treat a server without a DNS answer as the same machine",
    facts: { zone: zone({ ns: [first, nameServer("ns2.host.example", "timeout")] }) },
  },
  {
    when: "reports a server that does not serve the zone",
    facts: { zone: zone({ ns: [first, second, nameServer("ns3.host.example", ["192.0.2.53"], false)] }) },
    finds: ["lame"],
    says: "ns3.host.example is listed as a name server for a.example but does not serve it.",
  },
  {
    when: "reports a server without an address",
    facts: { zone: zone({ ns: [first, second, nameServer("ns3.gone.example", [])] }) },
    finds: ["lame"],
    says: "ns3.gone.example is listed as a name server for a.example but has no address.",
  },
  { when: "does not apply without a zone", facts: { zone: zone({ ns: [] }) }, outcome: "not-applicable" },
]);

const [keyName, policyName] = ["probe._domainkey.a.example", "_dmarc.probe.a.example"];
const answers = (key: string | null, policy: string | null) =>
  zone({
    wildcards: [
      { of: keyName, fact: known(key) },
      { of: policyName, fact: known(policy) },
    ],
  });

testCheck(dnsWildcard, [
  { when: "passes a zone without a wildcard", facts: { zone: zone() } },
  {
    when: "reports a wildcard once, even if it answers for both names",
    facts: { zone: answers("v=spf1 -all", "v=spf1 -all") },
    finds: ["policy-names"],
    says: 'A wildcard TXT record matches probe._domainkey.a.example: "v=spf1 -all".',
    fix: "Remove the TXT wildcard, or override it with explicit records at _domainkey.a.example and _dmarc.a.example.",
  },
  {
    when: "reports a wildcard that answers only for policy names",
    facts: { zone: answers(null, "google-site-verification=x") },
    finds: ["policy-names"],
  },
  { when: "accepts a key that revokes every selector", facts: { zone: answers("v=DKIM1; p=", null) } },
  { when: "accepts a policy for every name", facts: { zone: answers(null, "v=DMARC1; p=reject") } },
  {
    when: "is skipped while DNS does not answer",
    facts: { zone: zone({ wildcards: [silentRow(keyName), silentRow(policyName)] }) },
    outcome: "skipped",
  },
]);

testCheck(dnsTtl, [
  { when: "passes a TTL of an hour", facts: { zone: zone() } },
  {
    when: "reports a TTL of a minute",
    facts: { zone: zone({ ttls: [{ of: "_dmarc.a.example", fact: known(60) }] }) },
    finds: ["short"],
    says: "DNS returned _dmarc.a.example with a TTL of 60 s.",
  },
  { when: "accepts a missing record", facts: { zone: zone({ ttls: [{ of: "a.example", fact: known(null) }] }) } },
  {
    when: "is skipped while DNS does not answer",
    facts: { zone: zone({ ttls: [silentRow("a.example")] }) },
    outcome: "skipped",
  },
]);
