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
    when: "passes a policy that names all hosts",
    facts: { mtasts: sts(), mx: mx() },
    says: "a.example enforces an MTA-STS policy that covers its MX hosts: mx1.a.example.",
  },
  {
    when: "passes a policy whose hosts are unknown, and claims nothing of them",
    facts: { mtasts: sts(), mx: [silentRow("a.example")] },
    says: "a.example enforces an MTA-STS policy.",
  },
  {
    when: "advises one where there is none",
    facts: { mtasts: sts({ records: [], id: null, policy: unknown("off") }) },
    finds: ["missing"],
  },
  {
    when: "tells of an SPF record in its place",
    facts: { mtasts: sts({ records: [], id: null, policy: unknown("off"), spfInPlace: "v=spf1 -all" }) },
    finds: ["misplaced"],
  },
  {
    when: "tells of two records",
    facts: { mtasts: sts({ records: ["v=STSv1; id=1", "v=STSv1; id=2"], problem: "there are 2 records" }) },
    finds: ["record-invalid"],
    says: "The MTA-STS record at _mta-sts.a.example is invalid: there are 2 records.",
  },
  {
    when: "tells of a policy that redirects, and writes the right one",
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
    when: "is skipped where the policy's server does not answer",
    facts: { mtasts: sts({ policy: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "fails a host that the policy does not name",
    facts: { mtasts: sts(), mx: mx({ hosts: [mxHost("mx1.a.example"), mxHost("mx.host.example")] }) },
    finds: ["mx-not-covered"],
    fix: "Add `mx: mx.host.example` to the policy and change the id in the record.",
  },
  {
    when: "does not mind hosts while the policy is tested",
    facts: { mtasts: sts({ policy: known(policyOf("testing")) }), mx: mx({ hosts: [mxHost("mx.host.example")] }) },
    finds: ["not-enforced"],
    says: "The MTA-STS policy for a.example is in testing mode.",
  },
  {
    when: "fails a host whose certificate senders that honour the policy do not trust",
    facts: {
      mtasts: sts({ policy: known(policyOf("enforce")) }),
      mx: mx(),
      mxCertificates: [untrusted("mx1.a.example"), untrusted("other.example")],
    },
    finds: ["mx-untrusted"],
    says: "The MX host mx1.a.example fails the enforced MTA-STS policy for a.example: it offers no STARTTLS. Senders that follow the policy will not deliver there.",
  },
  {
    when: "does not mind such a certificate while the policy is tested",
    facts: {
      mtasts: sts({ policy: known(policyOf("testing")) }),
      mx: mx(),
      mxCertificates: [untrusted("mx1.a.example")],
    },
    finds: ["not-enforced"],
  },
  {
    when: "tells that the certificate of the policy's host ends soon",
    facts: { mtasts: sts({ policy: known(endingIn(10)) }), mx: mx() },
    finds: ["certificate-expiring"],
    says: "The certificate for mta-sts.a.example, which serves the MTA-STS policy, expires on 2026-11-30.",
  },
  {
    when: "tells so beside what is wrong with the policy",
    facts: { mtasts: sts({ policy: known(endingIn(10)) }), mx: mx({ hosts: [mxHost("mx.host.example")] }) },
    finds: ["mx-not-covered", "certificate-expiring"],
  },
  {
    when: "does not mind a certificate with fifteen days left, nor a short-lived one that is young",
    facts: { mtasts: sts({ policy: known(endingIn(15)) }), mx: mx() },
  },
  { when: "passes one of six days with three left", facts: { mtasts: sts({ policy: known(endingIn(3, 6)) }) } },
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
    when: "tells of an SPF record where there is no other",
    facts: { tlsrpt: { domain: "a.example", records: [], rua: [], problem: null, spfInPlace: "v=spf1 -all" } },
    finds: ["misplaced"],
  },
  {
    when: "tells of two rua=, and writes one",
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
    when: "advises one where there is none",
    facts: { tlsrpt: { domain: "a.example", records: [], rua: [], problem: null } },
    finds: ["missing"],
    fix: "Optional: publish this TXT record at `_smtp._tls.a.example`: `v=TLSRPTv1; rua=mailto:tls-reports@a.example`.",
  },
  {
    when: "tells of a record without addresses",
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
  { when: "is glad of a record that can be used", facts: { dane: { hosts: [host()] } }, finds: ["present"] },
  {
    when: "is content with one that can be used beside one that cannot",
    facts: { dane: { hosts: [host({ records: [tlsa("usage 1 is not for SMTP"), tlsa()] })] } },
    finds: ["present"],
  },
  {
    when: "tells of records that cannot be used",
    facts: { dane: { hosts: [host({ records: [tlsa("usage 1 is not for SMTP")] })] } },
    finds: ["unusable"],
    says: "The TLSA records for mx1.a.example are unusable (usage 1 is not for SMTP), so they provide no protection.",
  },
  {
    when: "tells of records in a zone that is not signed",
    facts: { dane: { hosts: [host({ secure: known(false) })] } },
    finds: ["unsigned"],
  },
  {
    when: "does not mind that there are none",
    facts: { dane: { hosts: [host({ records: [] })] } },
    outcome: "not-applicable",
  },
  { when: "says nothing without hosts", facts: { dane: { hosts: [] } }, outcome: "not-applicable" },
  {
    when: "is skipped where the resolver checks no signatures",
    facts: { dane: { hosts: [host({ secure: unknown("off") })] } },
    outcome: "skipped",
  },
  {
    when: "is skipped where DNS does not answer",
    facts: { dane: { hosts: [silentRow("mx1.a.example")] } },
    outcome: "skipped",
  },
]);

const signed: Dnssec = { domain: "a.example", signed: true, validated: known(true), bogus: false };

testCheck(dnssec, [
  {
    when: "passes a domain that validates",
    facts: { dnssec: signed },
    says: "a.example is signed with DNSSEC and validates.",
  },
  {
    when: "passes a signed domain behind a resolver that checks nothing",
    facts: { dnssec: { ...signed, validated: unknown("off") } },
    says: "a.example is signed with DNSSEC.",
  },
  {
    when: "fails signatures that do not validate",
    facts: { dnssec: { ...signed, validated: known(false), bogus: true } },
    finds: ["bogus"],
  },
  {
    when: "does not mind a domain that is not signed",
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
    when: "tells of a single server",
    facts: { zone: zone({ ns: [first] }) },
    finds: ["single"],
    says: "a.example has only one independent name server (ns1.host.example).",
  },
  {
    when: "tells of two names for one machine",
    facts: { zone: zone({ ns: [first, nameServer("ns2.host.example", ["203.0.113.53"])] }) },
    finds: ["single"],
    says: "a.example has only one independent name server (ns1.host.example and ns2.host.example).",
  },
  {
    when: "does not take a server that DNS does not tell of for the same machine",
    facts: { zone: zone({ ns: [first, nameServer("ns2.host.example", "timeout")] }) },
  },
  {
    when: "tells of a server that does not serve the zone",
    facts: { zone: zone({ ns: [first, second, nameServer("ns3.host.example", ["192.0.2.53"], false)] }) },
    finds: ["lame"],
    says: "ns3.host.example is listed as a name server for a.example but does not serve it.",
  },
  {
    when: "tells of a server that has no address",
    facts: { zone: zone({ ns: [first, second, nameServer("ns3.gone.example", [])] }) },
    finds: ["lame"],
    says: "ns3.gone.example is listed as a name server for a.example but has no address.",
  },
  { when: "says nothing without a zone", facts: { zone: zone({ ns: [] }) }, outcome: "not-applicable" },
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
  { when: "passes a zone that answers for nothing unknown", facts: { zone: zone() } },
  {
    when: "tells of a wildcard once, though it answers for both names",
    facts: { zone: answers("v=spf1 -all", "v=spf1 -all") },
    finds: ["policy-names"],
    says: 'A wildcard TXT record matches probe._domainkey.a.example: "v=spf1 -all".',
    fix: "Remove the TXT wildcard, or override it with explicit records at _domainkey.a.example and _dmarc.a.example.",
  },
  {
    when: "tells of one that answers for policies alone",
    facts: { zone: answers(null, "google-site-verification=x") },
    finds: ["policy-names"],
  },
  { when: "does not mind a key that revokes every selector", facts: { zone: answers("v=DKIM1; p=", null) } },
  { when: "does not mind a policy for every name", facts: { zone: answers(null, "v=DMARC1; p=reject") } },
  {
    when: "is skipped while DNS does not answer",
    facts: { zone: zone({ wildcards: [silentRow(keyName), silentRow(policyName)] }) },
    outcome: "skipped",
  },
]);

testCheck(dnsTtl, [
  { when: "passes an hour", facts: { zone: zone() } },
  {
    when: "tells of a minute",
    facts: { zone: zone({ ttls: [{ of: "_dmarc.a.example", fact: known(60) }] }) },
    finds: ["short"],
    says: "DNS returned _dmarc.a.example with a TTL of 60 s.",
  },
  {
    when: "does not mind a record that is not there",
    facts: { zone: zone({ ttls: [{ of: "a.example", fact: known(null) }] }) },
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { zone: zone({ ttls: [silentRow("a.example")] }) },
    outcome: "skipped",
  },
]);
