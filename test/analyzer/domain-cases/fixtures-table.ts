// Domains as strangers publish them, and what the monitor must make of each: every verdict word of every mechanism, and
// every finding that a bare domain can have. Each is a well-kept domain with one thing changed.

import { known } from "../../../src/analyzer/checks/fact.ts";
import { type Dns, unanswered } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone, type ZoneEntry, type ZoneRecords } from "../../../src/analyzer/dns/zone.ts";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import type { DomainReport } from "../../../src/analyzer/reports/domain-report.ts";
import { ed25519Key, newRsaKey, toKeyRecord } from "../mail/signing/sign.ts";
import { check, healthy, mx, policyAt, type World, without } from "./domain-world.ts";

export type DomainFixture = {
  readonly name: string;
  /** Why an expert expects just this. */
  readonly why: string;
  readonly zone: Zone;
  /** Who answers from it; a resolver that checks no signatures unless told. */
  readonly resolver?: (zone: Zone) => Dns;
  /** spf, dkim, dmarc and bimi, in this order. */
  readonly words: string;
  /** All that is above info, in any order. */
  readonly faults: readonly string[];
  /** What must be told besides, of severity info. */
  readonly notes?: readonly string[];
  readonly world?: World;
};

const ttlSeconds = 3_600;
const apex = healthy["a.example"] as ZoneRecords;
const base = "pass pass pass missing";

const withApex = (changes: ZoneRecords): Zone => ({ ...healthy, "a.example": { ...apex, ...changes } });
const withSpf = (...TXT: (string | readonly string[])[]): Zone => withApex({ TXT });
const withDmarc = (...TXT: string[]): Zone => ({ ...healthy, "_dmarc.a.example": { TXT, ttlSeconds } });
const withKey = (...TXT: string[]): Zone => ({ ...healthy, "k1._domainkey.a.example": { TXT, ttlSeconds } });
const withBimi = (...TXT: string[]): Zone => ({ ...healthy, "default._bimi.a.example": { TXT, ttlSeconds } });
const withMore = (more: Readonly<Record<string, ZoneEntry>>): Zone => ({ ...healthy, ...more });
const named = { configured: ["k1"] };

const numbered = (count: number, toText: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => toText(index + 1));
/** Records that each name one network. */
const senders = (count: number): Zone =>
  Object.fromEntries(
    numbered(count, (index) => `_s${index}.esp.test`).map((name) => [
      name,
      { TXT: ["v=spf1 ip4:198.51.100.7 -all"], ttlSeconds },
    ]),
  );
const hosts = (count: number): Zone =>
  Object.fromEntries(
    numbered(count, (index) => `mx${index}.a.example`).map((name) => [
      name,
      { A: ["203.0.113.25"], AAAA: ["2001:db8:25::1"] },
    ]),
  );
const includes = (count: number) => numbered(count, (index) => `include:_s${index}.esp.test`).join(" ");

/** What the policy server answers; of any other address there is no answer. */
const serving =
  (status: number, text: string): FetchDoor =>
  async (url) =>
    url === policyAt
      ? {
          ok: true,
          status,
          headers: { "content-type": "text/plain" },
          body: Buffer.from(text),
          address: "203.0.113.80",
        }
      : { ok: false, failure: "timeout", problem: "No answer." };
const stsText = (mode: string, ...mxLines: string[]) =>
  ["version: STSv1", `mode: ${mode}`, ...mxLines.map((host) => `mx: ${host}`), "max_age: 604800", ""].join("\r\n");

const root: Zone = { ".": { SOA: [{ primary: "a.root.test", serial: 1, minimum: 300 }] } };

/** A resolver that checks signatures, of which everything has one, or nothing but the root. */
const validating =
  (isSigned: boolean) =>
  (zone: Zone): Dns => ({
    query: async (name, type) => {
      const answer = await createZoneDns({ ...zone, ...root }).query(name, type);
      return { ...answer, authenticated: name === "." || isSigned };
    },
  });

/** As above, and the signatures of the domain have expired. */
const expired = (): Dns => {
  const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: "ab" };
  const seen = createZoneDns({ ...root, "a.example": { DS: [ds] } });
  return {
    query: async (name, type) => {
      const isHidden = type !== "DS" && (name === "a.example" || name.endsWith(".a.example"));
      if (isHidden) return unanswered(name, type, "servfail", 0);
      return { ...(await seen.query(name, type)), authenticated: true };
    },
  };
};

const tlsa = (usage: number) => ({
  "_25._tcp.mx1.a.example": { TLSA: [{ usage, selector: 1, matchingType: 1, certificate: "ab".repeat(32) }] },
});

const nullMx = { MX: [{ preference: 0, exchange: "." }], ttlSeconds } as const;
const bimi = "v=BIMI1; l=https://a.example/logo.svg; a=https://a.example/vmc.pem";

export const domainFixtures: readonly DomainFixture[] = [
  {
    name: "well kept",
    why: "One SPF record that ends in -all, two long keys, p=reject with reports; a logo is optional.",
    zone: healthy,
    words: base,
    faults: [],
    notes: ["bimi-record.missing"],
  },
  {
    name: "well kept, with a logo and its certificate",
    why: "The logo and the certificate cannot be fetched here, which is no fault of the record.",
    zone: withBimi(bimi),
    words: "pass pass pass pass",
    faults: [],
  },
  {
    name: "no record of any kind that a receiver needs",
    why: "It takes mail, so that it is in use, and nothing stands in a forger's way.",
    zone: {
      "a.example": { A: ["203.0.113.80"], MX: [mx("mx1.a.example")], NS: ["ns1.a.example", "ns2.host.test"] },
      "mx1.a.example": { A: ["203.0.113.25"], AAAA: ["2001:db8:25::1"] },
      "ns1.a.example": { A: ["203.0.113.53"] },
      "ns2.host.test": { A: ["198.51.100.53"] },
    },
    words: "missing missing missing missing",
    faults: ["spf-record.missing", "dmarc-record.missing"],
    notes: ["dkim-selectors.none-known"],
  },

  // SPF
  {
    name: "no SPF record among other texts",
    why: "RFC 7208 §4.5: a proof of ownership is no SPF record.",
    zone: withSpf("some-service=proof"),
    words: "missing pass pass missing",
    faults: ["spf-record.missing"],
  },
  {
    name: "two SPF records",
    why: "RFC 7208 §4.5: more than one is permerror.",
    zone: withSpf("v=spf1 mx -all", "v=spf1 include:_spf.esp.test ~all"),
    words: "fail pass pass missing",
    faults: ["spf-record.several"],
  },
  {
    name: "an SPF record whose version is glued to the next term",
    why: "It was meant as one, so that it is broken and not missing.",
    zone: withSpf("v=spf1include:_spf.esp.test -all"),
    words: "fail pass pass missing",
    faults: ["spf-record.not-recognised"],
  },
  {
    name: "an SPF record with a blank before it",
    why: "RFC 7208 §4.5: the version must come first.",
    zone: withSpf(" v=spf1 mx -all"),
    words: "fail pass pass missing",
    faults: ["spf-record.not-recognised"],
  },
  {
    name: "an SPF term that nobody can read",
    why: "RFC 7208 §4.6: one bad term spoils the record.",
    zone: withSpf("v=spf1 ipv4:203.0.113.7 mx -all"),
    words: "fail pass pass missing",
    faults: ["spf-syntax.invalid-term"],
  },
  {
    name: "an SPF record cut between two terms",
    why: "RFC 7208 §3.3: strings are joined without a space.",
    zone: withSpf(["v=spf1 ip4:203.0.113.7", "include:_spf.esp.test -all"]),
    words: "fail pass pass missing",
    faults: ["spf-syntax.joined-terms"],
  },
  {
    name: "an SPF record cut rightly",
    why: "The space stands at the joint.",
    zone: withSpf(["v=spf1 ip4:203.0.113.7 ", "include:_spf.esp.test -all"]),
    words: base,
    faults: [],
  },
  {
    name: "an SPF record with two redirects",
    why: "RFC 7208 §6: a modifier stands once.",
    zone: withSpf("v=spf1 redirect=_spf.esp.test redirect=_spf.esp.test"),
    words: "fail pass pass missing",
    faults: ["spf-syntax.repeated-modifier"],
  },
  {
    name: "an SPF record for eleven look-ups",
    why: "RFC 7208 §4.6.4: the limit is ten.",
    zone: { ...withSpf(`v=spf1 ${includes(11)} -all`), ...senders(11) },
    words: "fail pass pass missing",
    faults: ["spf-lookups.over-limit"],
  },
  {
    name: "an SPF record for ten look-ups",
    why: "Ten are allowed; it is told that no more will fit.",
    zone: { ...withSpf(`v=spf1 ${includes(10)} -all`), ...senders(10) },
    words: base,
    faults: [],
    notes: ["spf-lookups.near-limit"],
  },
  {
    name: "an SPF mx of twelve hosts",
    why: "RFC 7208 §4.6.4: more than ten MX hosts behind one term are permerror.",
    zone: {
      ...withApex({ MX: numbered(12, (index) => `mx${index}.a.example`).map(mx) }),
      ...hosts(12),
      "_mta-sts.a.example": {},
    },
    words: "fail pass pass missing",
    faults: ["spf-lookups.mx-over-limit"],
  },
  {
    name: "an SPF record with three hosts that are gone",
    why: "RFC 7208 §4.6.4: more than two void look-ups are permerror.",
    zone: withSpf("v=spf1 a:x1.a.example a:x2.a.example a:x3.a.example mx -all"),
    words: "fail pass pass missing",
    faults: ["spf-void-lookups.over-limit"],
  },
  {
    name: "an SPF record with one host that is gone",
    why: "Harmless, and worth a word.",
    zone: withSpf("v=spf1 a:x1.a.example mx -all"),
    words: base,
    faults: [],
    notes: ["spf-void-lookups.some"],
  },
  {
    name: "an include of a name without an SPF record",
    why: "RFC 7208 §5.2: that is permerror.",
    zone: { ...withSpf("v=spf1 include:mail.esp.test -all"), "mail.esp.test": { A: ["198.51.100.9"] } },
    words: "fail pass pass missing",
    faults: ["spf-includes.target-empty"],
  },
  {
    name: "an include of a domain that anybody can register",
    why: "Who registers it sends in the domain's name.",
    zone: { ...withSpf("v=spf1 include:spf.gone-service.test mx -all"), test: { NS: ["ns.test"] } },
    words: "fail pass pass missing",
    faults: ["spf-includes.target-gone"],
  },
  {
    name: "an include that leads back",
    why: "RFC 7208 §4.6.4: a circle never ends within ten look-ups.",
    zone: {
      ...withSpf("v=spf1 include:b.esp.test -all"),
      "b.esp.test": { TXT: ["v=spf1 include:a.example -all"], ttlSeconds },
    },
    words: "fail pass pass missing",
    faults: ["spf-includes.loop"],
  },
  {
    name: "an SPF record that lets everybody in",
    why: "+all is an invitation.",
    zone: withSpf("v=spf1 mx +all"),
    words: "fail pass pass missing",
    faults: ["spf-openness.anyone-passes"],
  },
  {
    name: "an SPF range of sixteen million addresses",
    why: "Few own a /8; the record works all the same.",
    zone: withSpf("v=spf1 ip4:11.0.0.0/8 -all"),
    words: "warn pass pass missing",
    faults: ["spf-openness.huge-range"],
  },
  {
    name: "an SPF record that never says no",
    why: "?all is as good as no end.",
    zone: withSpf("v=spf1 mx ?all"),
    words: "warn pass pass missing",
    faults: ["spf-end.no-verdict"],
  },
  {
    name: "an SPF record that goes on behind its end",
    why: "RFC 7208 §5.1: nothing behind all is read.",
    zone: withSpf("v=spf1 mx -all include:_spf.esp.test"),
    words: "warn pass pass missing",
    faults: ["spf-end.dead-terms"],
  },
  {
    name: "an SPF record with ptr",
    why: "RFC 7208 §5.5: it should not be published.",
    zone: withSpf("v=spf1 mx ptr -all"),
    words: "warn pass pass missing",
    faults: ["spf-deprecated.ptr"],
  },
  {
    name: "an SPF record in capitals",
    why: "RFC 7208 §4.5, §4.6.1: case does not count.",
    zone: withSpf("V=SPF1 MX INCLUDE:_spf.esp.test -ALL"),
    words: base,
    faults: [],
  },
  {
    name: "an SPF record that hands over to another",
    why: "redirect= is an end.",
    zone: withSpf("v=spf1 redirect=_spf.esp.test"),
    words: base,
    faults: [],
  },
  {
    name: "a domain whose texts do not answer",
    why: "Silence is no verdict.",
    zone: withApex({ TXT: "timeout" }),
    words: "error pass pass missing",
    faults: [],
  },
  {
    name: "an include that does not answer",
    why: "What is known of the record is well; the rest is not judged.",
    zone: withMore({ "_spf.esp.test": "servfail" }),
    words: base,
    faults: [],
  },

  // DKIM
  {
    name: "no key under any selector that is tried",
    why: "Selectors cannot be listed, so that absence is no fault.",
    zone: without("google._domainkey.a.example", "s2._domainkey.a.example"),
    words: "pass missing pass missing",
    faults: [],
    notes: ["dkim-selectors.none-known"],
  },
  {
    name: "a named selector without a key",
    why: "Its operator says that it must be there.",
    zone: healthy,
    world: named,
    words: "pass fail pass missing",
    faults: ["dkim-key.missing"],
  },
  {
    name: "a named selector whose key is revoked",
    why: "An empty p= says that signatures with it are void.",
    zone: withKey("v=DKIM1; p="),
    world: named,
    words: "pass fail pass missing",
    faults: ["dkim-key.revoked"],
  },
  {
    name: "a named selector whose key is cut short",
    why: "Nobody can verify with it.",
    zone: withKey("v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQ"),
    world: named,
    words: "pass fail pass missing",
    faults: ["dkim-key.malformed"],
  },
  {
    name: "a named selector whose key is for SHA-1 alone",
    why: "RFC 8301 §3.1: nobody verifies rsa-sha1.",
    zone: withKey(`${toKeyRecord(newRsaKey(2_048))}; h=sha1`),
    world: named,
    words: "pass fail pass missing",
    faults: ["dkim-key.excluded"],
  },
  {
    name: "a named selector with two keys",
    why: "RFC 6376 §3.6.2.2: which is taken is undefined.",
    zone: withKey(toKeyRecord(newRsaKey(2_048)), toKeyRecord(newRsaKey(2_048))),
    world: named,
    words: "pass warn pass missing",
    faults: ["dkim-key.several"],
  },
  {
    name: "a named selector with a key of 768 bits",
    why: "RFC 8301 §3.2: verifiers must not accept under 1,024.",
    zone: withKey(toKeyRecord(newRsaKey(768))),
    world: named,
    words: "pass fail pass missing",
    faults: ["dkim-key-strength.too-short"],
  },
  {
    name: "a named selector with a key of 1,024 bits",
    why: "Accepted everywhere, and below what providers advise.",
    zone: withKey(toKeyRecord(newRsaKey(1_024))),
    world: named,
    words: "pass warn pass missing",
    faults: ["dkim-key-strength.short"],
  },
  {
    name: "a named selector in test mode",
    why: "t=y asks receivers to treat the mail as unsigned.",
    zone: withKey(`${toKeyRecord(newRsaKey(2_048))}; t=y`),
    world: named,
    words: "pass warn pass missing",
    faults: ["dkim-testing.flag"],
  },
  {
    name: "a named selector with an Ed25519 key",
    why: "RFC 8463: a key like any other; a bare domain shows what it signs with beside it.",
    zone: withKey(toKeyRecord(ed25519Key)),
    world: named,
    words: base,
    faults: [],
  },
  {
    name: "a retired selector whose key is revoked",
    why: "So a key is retired rightly; the key that took over is found by trying.",
    zone: withKey("v=DKIM1; p="),
    world: { seen: ["k1"] },
    words: base,
    faults: [],
  },
  {
    name: "a retired selector that is gone, and no other known",
    why: "Nobody said that it must be there.",
    zone: without("google._domainkey.a.example", "s2._domainkey.a.example"),
    world: { seen: ["k1"] },
    words: "pass missing pass missing",
    faults: [],
  },
  {
    name: "a key behind an alias",
    why: "Most sending services have their customers publish a CNAME.",
    zone: withMore({
      "k1._domainkey.a.example": { CNAME: ["k1.dkim.esp.test"] },
      "k1.dkim.esp.test": { TXT: [toKeyRecord(newRsaKey(2_048))], ttlSeconds },
    }),
    world: named,
    words: base,
    faults: [],
  },
  {
    name: "a named selector that does not answer",
    why: "It may be there.",
    zone: withMore({ "k1._domainkey.a.example": "timeout" }),
    world: named,
    words: "pass error pass missing",
    faults: [],
  },

  // DMARC
  {
    name: "no DMARC record",
    why: "Large providers ask one of who sends in bulk.",
    zone: without("_dmarc.a.example"),
    words: "pass pass missing missing",
    faults: ["dmarc-record.missing"],
  },
  {
    name: "two DMARC records",
    why: "RFC 9989 §4.10: receivers discard both.",
    zone: withDmarc("v=DMARC1; p=reject; rua=mailto:d@a.example", "v=DMARC1; p=none; rua=mailto:d@a.example"),
    words: "pass pass fail missing",
    faults: ["dmarc-record.several"],
  },
  {
    name: "a DMARC record at the domain itself",
    why: "Nobody looks there.",
    zone: {
      ...without("_dmarc.a.example"),
      "a.example": { ...apex, TXT: ["v=spf1 mx -all", "v=DMARC1; p=reject; rua=mailto:d@a.example"] },
    },
    words: "pass pass fail missing",
    faults: ["dmarc-record.misplaced"],
  },
  {
    name: "a DMARC record in small letters",
    why: "RFC 9989 §4.7: DMARC1 is case-sensitive.",
    zone: withDmarc("v=dmarc1; p=reject; rua=mailto:d@a.example"),
    words: "pass pass fail missing",
    faults: ["dmarc-syntax.unreadable"],
  },
  {
    name: "a DMARC record with its policy twice",
    why: "RFC 6376 §3.2: a repeated tag spoils the list.",
    zone: withDmarc("v=DMARC1; p=reject; p=none; rua=mailto:d@a.example"),
    words: "pass pass fail missing",
    faults: ["dmarc-syntax.unreadable"],
  },
  {
    name: "a DMARC record with a policy that does not exist",
    why: "RFC 9989 §4.10.1: without reports it is ignored.",
    zone: withDmarc("v=DMARC1; p=blocked"),
    words: "pass pass fail missing",
    faults: ["dmarc-syntax.no-policy"],
  },
  {
    name: "a DMARC record with an alignment that does not exist",
    why: "RFC 9989 §4.8: its default stands in.",
    zone: withDmarc("v=DMARC1; p=reject; adkim=strict; rua=mailto:d@a.example"),
    words: "pass pass warn missing",
    faults: ["dmarc-syntax.bad-tag"],
  },
  {
    name: "a DMARC policy for none",
    why: "Every provider accepts it; forged mail is delivered.",
    zone: withDmarc("v=DMARC1; p=none; rua=mailto:d@a.example"),
    words: "pass pass warn missing",
    faults: ["dmarc-policy.none"],
  },
  {
    name: "a DMARC policy in test mode",
    why: "A step on the way, and meant so.",
    zone: withDmarc("v=DMARC1; p=reject; t=y; rua=mailto:d@a.example"),
    words: base,
    faults: [],
    notes: ["dmarc-policy.testing"],
  },
  {
    name: "a DMARC policy that leaves subdomains open",
    why: "Forgers choose the weakest name.",
    zone: withDmarc("v=DMARC1; p=reject; sp=none; rua=mailto:d@a.example"),
    words: "pass pass warn missing",
    faults: ["dmarc-subdomains.weaker"],
  },
  {
    name: "a DMARC policy for a fifth of the mail",
    why: "RFC 9989 dropped pct.",
    zone: withDmarc("v=DMARC1; p=reject; pct=20; rua=mailto:d@a.example"),
    words: "pass pass warn missing",
    faults: ["dmarc-obsolete.pct"],
  },
  {
    name: "a DMARC record that asks for no reports",
    why: "Nobody sees who sends in its name.",
    zone: withDmarc("v=DMARC1; p=reject"),
    words: "pass pass warn missing",
    faults: ["dmarc-reports.none"],
  },
  {
    name: "a DMARC report address without mailto:",
    why: "RFC 9989 §4.8: it is no URI.",
    zone: withDmarc("v=DMARC1; p=reject; rua=dmarc@a.example"),
    words: "pass pass warn missing",
    faults: ["dmarc-reports.bad-address"],
  },
  {
    name: "DMARC reports to a stranger who did not agree",
    why: "RFC 9990 §4: none are sent then.",
    zone: {
      ...withDmarc("v=DMARC1; p=reject; rua=mailto:d@reports.test"),
      "reports.test": { MX: [mx("mx.reports.test")] },
      "mx.reports.test": { A: ["198.51.100.26"] },
    },
    words: "pass pass warn missing",
    faults: ["dmarc-reports.unauthorised"],
  },
  {
    name: "DMARC reports to a stranger who agreed",
    why: "A wildcard of permission is how report services do it.",
    zone: {
      ...withDmarc("v=DMARC1; p=reject; rua=mailto:d@reports.test"),
      "reports.test": { MX: [mx("mx.reports.test")] },
      "mx.reports.test": { A: ["198.51.100.26"] },
      "*._report._dmarc.reports.test": { TXT: ["v=DMARC1;"] },
    },
    words: base,
    faults: [],
  },
  {
    name: "DMARC reports to a host that takes no mail",
    why: "A null MX says so.",
    zone: { ...withDmarc("v=DMARC1; p=reject; rua=mailto:d@reports.a.example"), "reports.a.example": nullMx },
    words: "pass pass warn missing",
    faults: ["dmarc-reports.no-mailbox"],
  },
  {
    name: "a DMARC record that says it is a registry's",
    why: "psd=y moves the organisation one label down.",
    zone: withDmarc("v=DMARC1; p=reject; psd=y; rua=mailto:d@a.example"),
    words: "pass pass fail missing",
    faults: ["dmarc-psd.misused"],
  },
  {
    name: "a subdomain that its parent's DMARC record covers",
    why: "RFC 9989 §4.10: the tree walk finds it.",
    zone: withMore({
      "news.a.example": { MX: [mx("mx1.a.example")], TXT: ["v=spf1 include:_spf.esp.test -all"], ttlSeconds },
      "n1._domainkey.news.a.example": { TXT: [toKeyRecord(newRsaKey(2_048))], ttlSeconds },
    }),
    world: { domain: "news.a.example", configured: ["n1"] },
    words: base,
    faults: [],
  },
  {
    name: "a DMARC name that does not answer",
    why: "Silence is no verdict.",
    zone: withMore({ "_dmarc.a.example": "servfail" }),
    words: "pass pass error error",
    faults: [],
  },

  // BIMI
  {
    name: "a logo by http",
    why: "The draft asks for https.",
    zone: withBimi("v=BIMI1; l=http://a.example/logo.svg"),
    words: "pass pass pass warn",
    faults: ["bimi-record.unusable"],
  },
  {
    name: "two BIMI records",
    why: "One is right.",
    zone: withBimi(bimi, "v=BIMI1; l="),
    words: "pass pass pass warn",
    faults: ["bimi-record.unusable"],
  },
  {
    name: "a domain that declines to show a logo",
    why: "An empty l= is a statement, and no fault.",
    zone: withBimi("v=BIMI1; l=;"),
    words: "pass pass pass pass",
    faults: [],
  },
  {
    name: "a logo without a certificate",
    why: "Some show it, others ask for one.",
    zone: withBimi("v=BIMI1; l=https://a.example/logo.svg"),
    words: "pass pass pass pass",
    faults: [],
    notes: ["bimi-certificate.none"],
  },
  {
    name: "a logo under a lax policy",
    why: "The policy is the fault; the record itself is right.",
    zone: { ...withBimi(bimi), "_dmarc.a.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@a.example"], ttlSeconds } },
    words: "pass pass warn pass",
    faults: ["dmarc-policy.none"],
    notes: ["bimi-record.policy-too-weak"],
  },
  {
    name: "a BIMI name that does not answer",
    why: "Silence is no verdict.",
    zone: withMore({ "default._bimi.a.example": "timeout" }),
    words: "pass pass pass error",
    faults: [],
  },

  // Where its mail goes
  {
    name: "a domain that does not exist",
    why: "Nothing else matters then.",
    zone: { example: { NS: ["ns.example"] } },
    words: "missing missing missing missing",
    faults: ["from-domain.not-found"],
  },
  {
    name: "MX hosts that do not exist",
    why: "No reply arrives.",
    zone: { ...without("mx1.a.example"), "_mta-sts.a.example": {} },
    words: base,
    faults: ["mx-hosts.unresolvable"],
  },
  {
    name: "one of two MX hosts that does not exist",
    why: "Mail arrives, late.",
    zone: { ...withApex({ MX: [mx("mx1.a.example"), mx("mx2.a.example")] }), "_mta-sts.a.example": {} },
    words: base,
    faults: ["mx-hosts.partly"],
  },
  {
    name: "an address in place of an MX host",
    why: "RFC 5321 §5.1 asks for a name.",
    zone: {
      ...withApex({ MX: [mx("203.0.113.25"), mx("mx1.a.example")], TXT: ["v=spf1 include:_spf.esp.test -all"] }),
      "_mta-sts.a.example": {},
    },
    words: base,
    faults: ["mx-hosts.not-a-host"],
  },
  {
    name: "an MX host that is an alias",
    why: "RFC 2181 §10.3 forbids it.",
    zone: withMore({
      "mx1.a.example": { CNAME: ["real.a.example"] },
      "real.a.example": { A: ["203.0.113.25"], AAAA: ["2001:db8:25::1"] },
    }),
    words: base,
    faults: ["mx-hosts.alias"],
  },
  {
    name: "MX hosts without IPv6",
    why: "Hardly anybody needs it yet.",
    zone: withMore({ "mx1.a.example": { A: ["203.0.113.25"] } }),
    words: base,
    faults: [],
    notes: ["mx-hosts.no-ipv6"],
  },

  // TLS
  {
    name: "two MTA-STS records",
    why: "RFC 8461 §3.1: several count as none.",
    zone: withMore({ "_mta-sts.a.example": { TXT: ["v=STSv1; id=1", "v=STSv1; id=2"] } }),
    words: base,
    faults: ["mta-sts.record-invalid"],
  },
  {
    name: "an MTA-STS policy that is not there",
    why: "The record announces it.",
    zone: healthy,
    world: { fetchStranger: serving(404, "Not found") },
    words: base,
    faults: ["mta-sts.policy-invalid"],
  },
  {
    name: "an MX host that the MTA-STS policy leaves out",
    why: "Senders that honour the policy will not deliver there.",
    zone: {
      ...withApex({ MX: [mx("mx1.a.example"), mx("mx2.a.example")] }),
      "mx2.a.example": { A: ["203.0.113.26"], AAAA: ["2001:db8:26::1"] },
    },
    words: base,
    faults: ["mta-sts.mx-not-covered"],
  },
  {
    name: "an MTA-STS policy in testing",
    why: "A step on the way.",
    zone: healthy,
    world: { fetchStranger: serving(200, stsText("testing", "mx1.a.example")) },
    words: base,
    faults: [],
    notes: ["mta-sts.not-enforced"],
  },
  {
    name: "no MTA-STS and no TLS reports",
    why: "Both are optional.",
    zone: without("_mta-sts.a.example", "mta-sts.a.example", "_smtp._tls.a.example"),
    words: base,
    faults: [],
    notes: ["mta-sts.missing", "tls-rpt.missing"],
  },
  {
    name: "a TLS report record without an address",
    why: "RFC 8460 §3: rua= is required.",
    zone: withMore({ "_smtp._tls.a.example": { TXT: ["v=TLSRPTv1;"] } }),
    words: base,
    faults: ["tls-rpt.invalid"],
  },
  {
    name: "TLSA records in a signed zone",
    why: "RFC 7672: 3 1 1 is what it asks for.",
    zone: withMore(tlsa(3)),
    resolver: validating(true),
    words: base,
    faults: [],
  },
  {
    name: "TLSA records that SMTP cannot use",
    why: "RFC 7672 §3.1.3: usages 0 and 1 stand for nothing in SMTP.",
    zone: withMore(tlsa(1)),
    resolver: validating(true),
    words: base,
    faults: ["dane.unusable"],
  },
  {
    name: "TLSA records in a zone that is not signed",
    why: "Anybody on the way can replace them.",
    zone: withMore(tlsa(3)),
    resolver: validating(false),
    words: base,
    faults: ["dane.unsigned"],
  },
  {
    name: "expired zone signatures",
    why: "Validating resolvers see nothing of the domain; what is hidden is not judged.",
    zone: healthy,
    resolver: expired,
    world: { unchecked: createZoneDns(healthy) },
    words: "error error error error",
    faults: ["dnssec.bogus"],
  },

  // A domain that sends nothing
  {
    name: "parked, and open to forgers",
    why: "It says that it takes no mail, but not that it sends none.",
    zone: { "a.example": nullMx },
    words: "warn missing warn missing",
    faults: ["parked-domain.unprotected"],
  },
  {
    name: "parked, and shut",
    why: "SPF and DMARC refuse all; reports are nobody's need.",
    zone: {
      "a.example": { ...nullMx, TXT: ["v=spf1 -all"] },
      "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject"], ttlSeconds },
      "*._domainkey.a.example": { TXT: ["v=DKIM1; p="], ttlSeconds },
    },
    words: "pass missing pass missing",
    faults: [],
  },
  {
    name: "parked, and half shut",
    why: "A policy of none lets its forgers pass.",
    zone: {
      "a.example": { A: ["203.0.113.80"], TXT: ["v=spf1 -all"], ttlSeconds },
      "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"], ttlSeconds },
    },
    words: "pass missing pass missing",
    faults: ["parked-domain.unprotected"],
  },
  {
    name: "a null MX on a domain that mail was seen from",
    why: "It sends, so that it is not parked; nobody can reply, nor send it reports.",
    zone: { ...withApex({ MX: [{ preference: 0, exchange: "." }] }), "_mta-sts.a.example": {} },
    world: { seen: ["google"] },
    words: "pass pass warn missing",
    faults: ["from-domain.null-mx", "dmarc-reports.no-mailbox"],
  },

  // The zone around it
  {
    name: "a wildcard that answers for policy names",
    why: "Unrelated text appears where a policy is looked for.",
    zone: withMore({ "*.a.example": { TXT: ["v=spf1 -all"] } }),
    words: base,
    faults: ["dns-wildcard.policy-names"],
  },
  {
    name: "a single name server",
    why: "RFC 2182 §5 asks for two.",
    zone: withApex({ NS: ["ns1.a.example"] }),
    words: base,
    faults: ["nameservers.single"],
  },
  {
    name: "a name server that does not serve the zone",
    why: "Every second look-up is lost.",
    zone: healthy,
    world: { askServer: async (address) => known(address === "203.0.113.53") },
    words: base,
    faults: ["nameservers.lame"],
  },
  {
    name: "records that live for a minute",
    why: "Usual while one changes them.",
    zone: withApex({ ttlSeconds: 60 }),
    words: base,
    faults: [],
    notes: ["dns-ttl.short"],
  },
  {
    name: "a domain on a blocklist",
    why: "The one thing here that DNS records do not mend.",
    zone: withMore({ "a.example.dbl.spamhaus.org": { A: ["127.0.1.2"] } }),
    world: { lists: { states: async () => [{ zone: "dbl.spamhaus.org", with: "domain", unfit: null }] } },
    words: base,
    faults: ["domain-blocklist.listed"],
  },
  {
    name: "no answer from anywhere",
    why: "DNS trouble is never a verdict.",
    zone: { "*": "timeout", example: "timeout", "a.example": "timeout", "*.a.example": "timeout" },
    words: "error error error error",
    faults: [],
  },
];

/** Checks a fixture, or its zone with something changed. */
export function checkFixture({ zone, resolver, world }: DomainFixture): Promise<DomainReport> {
  return check(resolver?.(zone) ?? zone, world);
}
