import { describe, expect, test } from "vitest";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { FactName, KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { allowlist } from "../../../../src/analyzer/checks/infrastructure/allowlist.ts";
import { dane } from "../../../../src/analyzer/checks/infrastructure/dane.ts";
import { deliveryDelay } from "../../../../src/analyzer/checks/infrastructure/delivery-delay.ts";
import { dnsTtl } from "../../../../src/analyzer/checks/infrastructure/dns-ttl.ts";
import { dnsWildcard } from "../../../../src/analyzer/checks/infrastructure/dns-wildcard.ts";
import { dnssec } from "../../../../src/analyzer/checks/infrastructure/dnssec.ts";
import { domainBlocklist } from "../../../../src/analyzer/checks/infrastructure/domain-blocklist.ts";
import { envelopeDomain } from "../../../../src/analyzer/checks/infrastructure/envelope-domain.ts";
import { fcrdns } from "../../../../src/analyzer/checks/infrastructure/fcrdns.ts";
import { fromDomain } from "../../../../src/analyzer/checks/infrastructure/from-domain.ts";
import { heloName } from "../../../../src/analyzer/checks/infrastructure/helo-name.ts";
import { heloResolves } from "../../../../src/analyzer/checks/infrastructure/helo-resolves.ts";
import { hopClocks } from "../../../../src/analyzer/checks/infrastructure/hop-clocks.ts";
import { ipBlocklist } from "../../../../src/analyzer/checks/infrastructure/ip-blocklist.ts";
import { mtaSts } from "../../../../src/analyzer/checks/infrastructure/mta-sts.ts";
import { mxHosts } from "../../../../src/analyzer/checks/infrastructure/mx-hosts.ts";
import { nameservers } from "../../../../src/analyzer/checks/infrastructure/nameservers.ts";
import { parkedDomain } from "../../../../src/analyzer/checks/infrastructure/parked-domain.ts";
import { ptrGeneric } from "../../../../src/analyzer/checks/infrastructure/ptr-generic.ts";
import { ptrRecord } from "../../../../src/analyzer/checks/infrastructure/ptr-record.ts";
import { receivedPath } from "../../../../src/analyzer/checks/infrastructure/received-path.ts";
import { smtpConduct } from "../../../../src/analyzer/checks/infrastructure/smtp-conduct.ts";
import { sourceAddress } from "../../../../src/analyzer/checks/infrastructure/source-address.ts";
import { tlsRpt } from "../../../../src/analyzer/checks/infrastructure/tls-rpt.ts";
import { tlsUsed } from "../../../../src/analyzer/checks/infrastructure/tls-used.ts";
import { type Finding, runChecks } from "../../../../src/analyzer/checks/run.ts";
import {
  confirmed,
  dedicated,
  domainListing,
  helo,
  hop,
  letter,
  listing,
  mx,
  mxHost,
  ptr,
  received,
  session,
  silentRow,
  zone,
} from "./facts.ts";

const checks = [
  allowlist,
  dane,
  deliveryDelay,
  dnsTtl,
  dnsWildcard,
  dnssec,
  domainBlocklist,
  envelopeDomain,
  fcrdns,
  fromDomain,
  heloName,
  heloResolves,
  hopClocks,
  ipBlocklist,
  mtaSts,
  mxHosts,
  nameservers,
  parkedDomain,
  ptrGeneric,
  ptrRecord,
  receivedPath,
  smtpConduct,
  sourceAddress,
  tlsRpt,
  tlsUsed,
];

type Given = Partial<Record<FactName, unknown>>;

const { message, raw } = letter();
const allow = { zone: "list.dnswl.org", listed: true, level: "medium", category: null };
const policy = { mode: "enforce", mx: ["*.a.example"], maxAgeSeconds: 604_800 };
const url = "https://mta-sts.a.example/.well-known/mta-sts.txt";

const healthy: Given = {
  session: session(),
  kind: dedicated,
  message,
  raw,
  received: received([hop({ by: "out.a.example", from: "app.a.example" }), hop({ trusted: true })]),
  ptr: confirmed,
  helo: helo("mail.a.example"),
  dnsbl: [listing("zen.spamhaus.org", { class: "major", listed: false })],
  dnswl: [{ of: allow.zone, fact: known(allow) }],
  uribl: [domainListing("a.example", { listed: false })],
  mx: [...mx(), ...mx({ domain: "mail.a.example" })],
  mtasts: {
    domain: "a.example",
    records: ["v=STSv1; id=1"],
    id: "1",
    problem: null,
    policy: known({ url, text: "", policy, problem: null, certificate: null }),
  },
  tlsrpt: { domain: "a.example", records: ["v=TLSRPTv1"], rua: ["mailto:t@a.example"], problem: null },
  dane: { hosts: [] },
  dnssec: { domain: "a.example", signed: true, validated: known(true), bogus: false },
  zone: zone(),
};

const broken: Given = {
  ...healthy,
  session: session({ tls: null, earlyTalk: true, mailFrom: "b@gone.example" }),
  received: received([hop({ delayMs: 7_200_000, skewMs: 0 }), hop({ skewMs: 700_000 })], 60),
  ptr: ptr({ "dyn.isp.example": ["198.51.100.9"] }),
  helo: helo("mailer", { form: "single-label", addresses: known([]) }),
  dnsbl: [listing("zen.spamhaus.org", { class: "major" }), silentRow("bl.spamcop.net", "refused")],
  uribl: [domainListing("a.example")],
  mx: [
    ...mx({ hosts: [mxHost("mx1.a.example", { addresses: known([]) })] }),
    ...mx({ domain: "gone.example", exists: false, hosts: [], addresses: known([]) }),
  ],
  dnssec: { domain: "a.example", signed: true, validated: known(false), bogus: true },
};

function findingsOf(given: Given, missing: readonly FactName[] = []): Finding[] {
  const facts = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      missing.includes(name as FactName) ? unknown("timeout") : known(value),
    ]),
  );
  const subject = { on: "message", kind: "transactional", facts: facts as KnownFacts } as const;
  const outcomes = runChecks(checks, subject, (check, error) => {
    throw new Error(check, { cause: error });
  });
  return outcomes.flatMap((one) => (one.outcome === "found" ? one.findings : []));
}

test("a well-run host has no issues", () => {
  const faults = findingsOf(healthy).filter(({ severity }) => severity !== "good" && severity !== "info");
  expect(faults).toEqual([]);
});

test("a badly configured host gets every finding", () => {
  expect(
    findingsOf(broken)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([
    "allowlist.listed",
    "delivery-delay.long",
    "dnssec.bogus",
    "domain-blocklist.listed",
    "envelope-domain.not-found",
    "fcrdns.mismatch",
    "helo-name.not-a-name",
    "hop-clocks.skewed",
    "ip-blocklist.listed",
    "mx-hosts.unresolvable",
    "received-path.loop",
    "smtp-conduct.early-talk",
    "tls-used.none",
  ]);
});

test("a domain without a message gets every check that applies to it", () => {
  const own: readonly FactName[] = ["mx", "uribl", "mtasts", "tlsrpt", "dane", "dnssec", "zone"];
  const facts = Object.fromEntries(own.map((name) => [name, known(healthy[name])]));
  const outcomes = runChecks(checks, { on: "domain", facts: facts as KnownFacts }, (check, error) => {
    throw new Error(check, { cause: error });
  });
  const answered = outcomes.filter(({ outcome }) => outcome !== "not-applicable");
  expect(answered.map(({ check, outcome }) => [check, outcome])).toEqual([
    ["dns-ttl", "passed"],
    ["dns-wildcard", "passed"],
    ["dnssec", "passed"],
    ["domain-blocklist", "passed"],
    ["from-domain", "passed"],
    ["mta-sts", "passed"],
    ["mx-hosts", "passed"],
    ["nameservers", "passed"],
    ["tls-rpt", "passed"],
  ]);
});

describe.each([
  ["well-run", healthy],
  ["badly configured", broken],
])("the %s host", (_, given) => {
  const names = Object.keys(given) as FactName[];
  const all = new Set(findingsOf(given).map(({ id }) => id));

  test.each(names)("a host gets no additional issue if %s is unknown", (name) => {
    const added = findingsOf(given, [name]).filter(({ id, cost }) => cost > 0 && !all.has(id));
    expect(added).toEqual([]);
  });

  test("a host gets no issues if all facts are unknown", () => {
    expect(findingsOf(given, names)).toEqual([]);
  });

  test("a host has findings with small evidence that can be stored", () => {
    for (const { evidence } of findingsOf(given)) {
      const text = JSON.stringify(evidence);
      expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      expect(text.length).toBeLessThan(20_000);
    }
  });
});
