// What can happen to a domain's records between two sweeps: the kinds of change that must be told once, and what is no
// change at all. Each is an edit of the lines of a zone file, whose names are relative to the domain.

import type { ChangeKind, Direction } from "../../../src/analyzer/domains/change-kind-table.ts";
import type { Mechanism } from "../../../src/analyzer/reports/domain-report.ts";
import { newRsaKey, toKeyRecord } from "../mail/signing/sign.ts";

/** By a name of our own for the line; null: it is gone. */
export type Edit = Readonly<Record<string, string | null>>;
export type Lines = Readonly<Record<string, string>>;

const key = toKeyRecord(newRsaKey(2_048));
const otherKey = toKeyRecord(newRsaKey(2_048));
const newKey = toKeyRecord(newRsaKey(2_048));
const quoted = (text: string, length = 255) =>
  (text.match(new RegExp(`.{1,${length}}`, "gs")) ?? []).map((part) => `"${part}"`).join(" ");

/** Records that each name one network, which the domains include. */
export const senders = Array.from({ length: 12 }, (_, index) => `_s${index} TXT "v=spf1 ip4:198.51.100.${index} -all"`);

/** `{d}` stands for the domain. */
export const keptDomain: Lines = {
  a: "@ 3600 A 203.0.113.80",
  mx1: "@ 3600 MX 10 mx1",
  mx2: "@ 3600 MX 20 mx2",
  hosts: "mx1 A 203.0.113.25\nmx1 AAAA 2001:db8:25::1\nmx2 A 203.0.113.26\nmx3 A 203.0.113.27\nmta-sts A 203.0.113.80",
  spf: '@ 3600 TXT "v=spf1 mx ip4:203.0.113.7 include:_s0.esp.test include:_s1.esp.test -all"',
  proof: '@ 3600 TXT "some-service=proof"',
  k1: `k1._domainkey 3600 TXT ${quoted(key)}`,
  k2: `k2._domainkey 3600 TXT ${quoted(otherKey)}`,
  dmarc: '_dmarc 3600 TXT "v=DMARC1; p=quarantine; adkim=r; aspf=s; rua=mailto:dmarc@{d}"',
  bimi: 'default._bimi TXT "v=BIMI1; l=https://{d}/logo.svg; a=https://{d}/vmc.pem"',
  sts: '_mta-sts TXT "v=STSv1; id=7"',
  rpt: '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@{d}"',
};

/** What the policy server answers at first. */
export const keptPolicy = [
  "version: STSv1",
  "mode: enforce",
  "mx: mx1.{d}",
  "mx: mx2.{d}",
  "mx: mx3.{d}",
  "max_age: 604800",
];

export type DriftCase = {
  readonly what: string;
  readonly edit: Edit;
  /** The lines of the MTA-STS policy from then on. */
  readonly policy?: readonly string[];
  /** Those from the beginning. */
  readonly served?: readonly string[];
  /** What stood there in place of the domain above. */
  readonly from?: Edit;
  readonly mechanism: Mechanism;
  readonly kind: ChangeKind;
  readonly direction: Direction;
  /** A part of what the record says before and after; null: there is none. */
  readonly before: string | null;
  readonly after: string | null;
};

const includes = (count: number) =>
  Array.from({ length: count }, (_, index) => `include:_s${index}.esp.test`).join(" ");
const dmarc = (policy: string) => `_dmarc 3600 TXT "v=DMARC1; ${policy}; rua=mailto:dmarc@{d}"`;
const spf = (text: string) => `@ 3600 TXT "v=spf1 ${text}"`;

export const driftCases: readonly DriftCase[] = [
  // DMARC
  {
    what: "a policy loosened",
    edit: { dmarc: dmarc("p=none; adkim=r; aspf=s") },
    mechanism: "dmarc",
    kind: "policy_loosened",
    direction: "worse",
    before: "p=quarantine",
    after: "p=none",
  },
  {
    what: "a policy tightened",
    edit: { dmarc: dmarc("p=reject; adkim=r; aspf=s") },
    mechanism: "dmarc",
    kind: "policy_tightened",
    direction: "better",
    before: "p=quarantine",
    after: "p=reject",
  },
  {
    what: "subdomains left open",
    edit: { dmarc: dmarc("p=quarantine; sp=none; aspf=s") },
    mechanism: "dmarc",
    kind: "policy_loosened",
    direction: "worse",
    before: "p=quarantine",
    after: "sp=none",
  },
  {
    what: "a policy set to test mode",
    edit: { dmarc: dmarc("p=quarantine; t=y; aspf=s") },
    mechanism: "dmarc",
    kind: "policy_loosened",
    direction: "worse",
    before: "p=quarantine",
    after: "t=y",
  },
  {
    what: "alignment loosened",
    edit: { dmarc: dmarc("p=quarantine; aspf=r") },
    mechanism: "dmarc",
    kind: "alignment_loosened",
    direction: "neutral",
    before: "aspf=s",
    after: "aspf=r",
  },
  {
    what: "alignment tightened",
    edit: { dmarc: dmarc("p=quarantine; aspf=s; adkim=s") },
    mechanism: "dmarc",
    kind: "alignment_tightened",
    direction: "neutral",
    before: "adkim=r",
    after: "adkim=s",
  },
  {
    what: "a DMARC record gone",
    edit: { dmarc: null },
    mechanism: "dmarc",
    kind: "record_removed",
    direction: "worse",
    before: "p=quarantine",
    after: null,
  },
  {
    what: "a DMARC record doubled",
    edit: { dmarc2: dmarc("p=none") },
    mechanism: "dmarc",
    kind: "record_doubled",
    direction: "worse",
    before: "p=quarantine",
    after: "p=none",
  },
  {
    what: "a DMARC record broken",
    edit: { dmarc: '_dmarc TXT "v=dmarc1; p=quarantine; rua=mailto:dmarc@{d}"' },
    mechanism: "dmarc",
    kind: "record_broken",
    direction: "worse",
    before: "v=DMARC1",
    after: "v=dmarc1",
  },
  {
    what: "a DMARC record where there was none",
    from: { dmarc: null },
    edit: { dmarc: dmarc("p=quarantine") },
    mechanism: "dmarc",
    kind: "record_added",
    direction: "better",
    before: null,
    after: "p=quarantine",
  },
  {
    what: "DMARC reports to another address",
    edit: { dmarc: '_dmarc TXT "v=DMARC1; p=quarantine; aspf=s; rua=mailto:other@{d}"' },
    mechanism: "dmarc",
    kind: "reports_changed",
    direction: "neutral",
    before: "mailto:dmarc@",
    after: "mailto:other@",
  },
  {
    what: "DMARC reports wanted",
    from: { dmarc: '_dmarc TXT "v=DMARC1; p=quarantine; aspf=s"' },
    edit: { dmarc: dmarc("p=quarantine; aspf=s") },
    mechanism: "dmarc",
    kind: "reports_started",
    direction: "better",
    before: "p=quarantine",
    after: "rua=",
  },
  {
    what: "DMARC reports no longer wanted",
    edit: { dmarc: '_dmarc TXT "v=DMARC1; p=quarantine; aspf=s"' },
    mechanism: "dmarc",
    kind: "reports_stopped",
    direction: "worse",
    before: "rua=",
    after: "p=quarantine",
  },

  // DKIM
  {
    what: "a selector gone",
    edit: { k1: null },
    mechanism: "dkim",
    kind: "selector_removed",
    direction: "worse",
    before: "v=DKIM1",
    after: null,
  },
  {
    what: "a key rotated",
    edit: { k1: `k1._domainkey TXT ${quoted(newKey)}` },
    mechanism: "dkim",
    kind: "key_rotated",
    direction: "neutral",
    before: key.slice(-20),
    after: newKey.slice(-20),
  },
  {
    what: "a key revoked",
    edit: { k1: 'k1._domainkey TXT "v=DKIM1; p="' },
    mechanism: "dkim",
    kind: "key_revoked",
    direction: "worse",
    before: key.slice(-20),
    after: "p=",
  },
  {
    what: "a key cut short",
    edit: { k1: `k1._domainkey TXT ${quoted(key.slice(0, 200))}` },
    mechanism: "dkim",
    kind: "key_broken",
    direction: "worse",
    before: key.slice(-20),
    after: "v=DKIM1",
  },
  {
    what: "a key in test mode",
    edit: { k1: `k1._domainkey TXT ${quoted(`${key}; t=y`)}` },
    mechanism: "dkim",
    kind: "key_changed",
    direction: "neutral",
    before: "v=DKIM1",
    after: "t=y",
  },

  // SPF
  {
    what: "an SPF record for more than ten look-ups",
    edit: { spf: spf(`mx ip4:203.0.113.7 ${includes(12)} -all`) },
    mechanism: "spf",
    kind: "lookups_exceeded",
    direction: "worse",
    before: "_s1.esp.test",
    after: "_s11.esp.test",
  },
  {
    what: "an SPF record doubled",
    edit: { spf2: spf("ip4:198.51.100.99 ~all") },
    mechanism: "spf",
    kind: "record_doubled",
    direction: "worse",
    before: "_s1.esp.test",
    after: "198.51.100.99",
  },
  {
    what: "an SPF record gone",
    edit: { spf: null },
    mechanism: "spf",
    kind: "record_removed",
    direction: "worse",
    before: "v=spf1",
    after: null,
  },
  {
    what: "-all made ?all",
    edit: { spf: spf("mx ip4:203.0.113.7 include:_s0.esp.test include:_s1.esp.test ?all") },
    mechanism: "spf",
    kind: "all_loosened",
    direction: "worse",
    before: "-all",
    after: "?all",
  },
  {
    what: "-all made +all",
    edit: { spf: spf("mx ip4:203.0.113.7 include:_s0.esp.test include:_s1.esp.test +all") },
    mechanism: "spf",
    kind: "all_loosened",
    direction: "worse",
    before: "-all",
    after: "+all",
  },
  {
    what: "~all made -all",
    from: { spf: spf("mx ip4:203.0.113.7 ~all") },
    edit: { spf: spf("mx ip4:203.0.113.7 -all") },
    mechanism: "spf",
    kind: "all_tightened",
    direction: "better",
    before: "~all",
    after: "-all",
  },
  {
    what: "an include gone",
    edit: { spf: spf("mx ip4:203.0.113.7 include:_s0.esp.test -all") },
    mechanism: "spf",
    kind: "senders_removed",
    direction: "neutral",
    before: "_s1.esp.test",
    after: "_s0.esp.test",
  },
  {
    what: "an include more",
    edit: { spf: spf("mx ip4:203.0.113.7 include:_s0.esp.test include:_s1.esp.test include:_s2.esp.test -all") },
    mechanism: "spf",
    kind: "senders_added",
    direction: "neutral",
    before: "_s1.esp.test",
    after: "_s2.esp.test",
  },
  {
    what: "another address in SPF",
    edit: { spf: spf("mx ip4:203.0.113.8 include:_s0.esp.test include:_s1.esp.test -all") },
    mechanism: "spf",
    kind: "senders_changed",
    direction: "neutral",
    before: "203.0.113.7",
    after: "203.0.113.8",
  },
  {
    what: "a term in SPF that nobody can read",
    edit: { spf: spf("mx ip4:203.0.113.777 include:_s0.esp.test include:_s1.esp.test -all") },
    mechanism: "spf",
    kind: "record_broken",
    direction: "worse",
    before: "203.0.113.7",
    after: "203.0.113.777",
  },

  // BIMI, MX, MTA-STS, TLS reports
  {
    what: "BIMI gone",
    edit: { bimi: null },
    mechanism: "bimi",
    kind: "record_removed",
    direction: "worse",
    before: "v=BIMI1",
    after: null,
  },
  {
    what: "another logo",
    edit: { bimi: 'default._bimi TXT "v=BIMI1; l=https://{d}/new.svg; a=https://{d}/vmc.pem"' },
    mechanism: "bimi",
    kind: "record_changed",
    direction: "neutral",
    before: "logo.svg",
    after: "new.svg",
  },
  {
    what: "another MX host",
    edit: { mx2: "@ 3600 MX 20 mx3" },
    mechanism: "mx",
    kind: "mx_changed",
    direction: "neutral",
    before: "mx2",
    after: "mx3",
  },
  {
    what: "an MX host less",
    edit: { mx2: null },
    mechanism: "mx",
    kind: "mx_changed",
    direction: "neutral",
    before: "mx2",
    after: "mx1",
  },
  {
    what: "MX hosts in another order of preference",
    edit: { mx1: "@ MX 30 mx1" },
    mechanism: "mx",
    kind: "mx_changed",
    direction: "neutral",
    before: "mx1",
    after: "mx1",
  },
  {
    what: "a null MX",
    from: { sts: null, rpt: null },
    edit: { mx1: "@ MX 0 .", mx2: null },
    mechanism: "mx",
    kind: "mx_changed",
    direction: "worse",
    before: "mx1",
    after: "0 .",
  },
  {
    what: "MTA-STS gone",
    edit: { sts: null },
    mechanism: "mtaSts",
    kind: "record_removed",
    direction: "worse",
    before: "STSv1",
    after: null,
  },
  {
    what: "MTA-STS no longer enforced",
    edit: { sts: '_mta-sts TXT "v=STSv1; id=8"' },
    policy: keptPolicy.map((line) => line.replace("enforce", "testing")),
    mechanism: "mtaSts",
    kind: "policy_mode_loosened",
    direction: "worse",
    before: "enforce",
    after: "testing",
  },
  {
    what: "TLS reports gone",
    edit: { rpt: null },
    mechanism: "tlsRpt",
    kind: "record_removed",
    direction: "worse",
    before: "TLSRPTv1",
    after: null,
  },
  {
    what: "TLS reports to another address",
    edit: { rpt: '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:other@{d}"' },
    mechanism: "tlsRpt",
    kind: "reports_changed",
    direction: "neutral",
    before: "mailto:tls@",
    after: "mailto:other@",
  },
];

const serve = (...lines: string[]) => ["version: STSv1", ...lines, "max_age: 604800"];
const testing = serve("mode: testing", "mx: *.{d}");
const nothing = ["nothing of the kind"];
const nextId = { sts: '_mta-sts TXT "v=STSv1; id=8"' };
const sts = { mechanism: "mtaSts", edit: nextId } as const;

/** The MTA-STS policy file, which stands on a web server: what it says before and after. */
export const policyCases: readonly DriftCase[] = [
  {
    ...sts,
    what: "a policy that is enforced from now on",
    served: testing,
    policy: serve("mode: enforce", "mx: *.{d}"),
    kind: "policy_mode_tightened",
    direction: "better",
    before: "testing",
    after: "enforce",
  },
  {
    ...sts,
    what: "a policy of other hosts",
    served: keptPolicy,
    policy: serve("mode: enforce", "mx: *.{d}", "mx: mx.other.test"),
    kind: "policy_changed",
    direction: "neutral",
    before: "mx3",
    after: "mx.other.test",
  },
  {
    ...sts,
    what: "a policy that is gone",
    served: keptPolicy,
    policy: nothing,
    kind: "policy_lost",
    direction: "worse",
    before: "enforce",
    after: "STSv1",
  },
  {
    ...sts,
    what: "a policy that can be read from now on",
    served: nothing,
    policy: keptPolicy,
    kind: "policy_found",
    direction: "better",
    before: "STSv1",
    after: "enforce",
  },
];

export type QuietCase = { readonly what: string; readonly edit: Edit; readonly policy?: readonly string[] };

export const quietCases: readonly QuietCase[] = [
  {
    what: "the terms of SPF in another order",
    edit: { spf: spf("include:_s1.esp.test ip4:203.0.113.7 include:_s0.esp.test mx -all") },
  },
  {
    what: "an SPF record in capitals",
    edit: { spf: '@ TXT "V=SPF1 MX IP4:203.0.113.7 INCLUDE:_S0.esp.test include:_s1.ESP.test -ALL"' },
  },
  {
    what: "blanks in SPF",
    edit: { spf: '@ TXT "v=spf1  mx   ip4:203.0.113.7 include:_s0.esp.test include:_s1.esp.test -all "' },
  },
  {
    what: "plus signs and full prefixes in SPF",
    edit: { spf: spf("+mx +ip4:203.0.113.7/32 +include:_s0.esp.test include:_s1.esp.test -all") },
  },
  {
    what: "SPF parted into strings otherwise",
    edit: { spf: '@ TXT "v=spf1 mx ip4:203.0.113.7 incl" "ude:_s0.esp.test include:_s1.esp.test" " -all"' },
  },
  {
    what: "the tags of DMARC in another order",
    edit: { dmarc: '_dmarc TXT "v=DMARC1; rua=mailto:dmarc@{d}; aspf=s; p=quarantine; adkim=r"' },
  },
  {
    what: "blanks in DMARC",
    edit: { dmarc: '_dmarc TXT "v=DMARC1;p=quarantine ;adkim = r;  aspf=s; rua=mailto:dmarc@{d};"' },
  },
  {
    what: "case in DMARC",
    edit: { dmarc: '_dmarc TXT "v=DMARC1; p=Quarantine; adkim=R; aspf=S; rua=MAILTO:dmarc@{d}"' },
  },
  { what: "a default of DMARC left out", edit: { dmarc: dmarc("p=quarantine; aspf=s") } },
  {
    what: "DMARC parted into strings",
    edit: { dmarc: '_dmarc TXT "v=DMARC1; p=quar" "antine; adkim=r; aspf=s; " "rua=mailto:dmarc@{d}"' },
  },
  {
    what: "another lifetime everywhere",
    edit: {
      a: "@ 60 A 203.0.113.80",
      spf: keptDomain.spf?.replace("3600", "61") ?? null,
      proof: keptDomain.proof?.replace("3600", "61") ?? null,
      dmarc: keptDomain.dmarc?.replace("3600", "62") ?? null,
      k1: keptDomain.k1?.replace("3600", "63") ?? null,
      mx1: "@ 64 MX 10 mx1",
      mx2: "@ 64 MX 20 mx2",
    },
  },
  { what: "a key parted into strings otherwise", edit: { k1: `k1._domainkey TXT ${quoted(key, 60)}` } },
  {
    what: "the tags of a key in another order, and its defaults left out",
    edit: { k1: `k1._domainkey TXT ${quoted(key.replace(/^v=DKIM1; k=rsa; (p=.*)$/, "v=DKIM1; $1;"))}` },
  },
  { what: "blanks in a key", edit: { k1: `k1._domainkey TXT ${quoted(key.replace("p=MII", "p = MII "))}` } },
  {
    what: "another text at the domain",
    edit: { proof: '@ 3600 TXT "other-service=proof"', more: '@ 3600 TXT "and-more"' },
  },
  { what: "a text beside DMARC", edit: { more: '_dmarc 3600 TXT "hello"' } },
  { what: "MX in capitals, and in another order", edit: { mx1: "@ 3600 MX 20 MX2", mx2: "@ 3600 MX 10 MX1" } },
  {
    what: "another address of an MX host",
    edit: { hosts: keptDomain.hosts?.replace("203.0.113.25", "203.0.113.125") ?? null },
  },
  { what: "another address of the website", edit: { a: "@ 3600 A 203.0.113.81" } },
  {
    what: "blanks and case in BIMI",
    edit: { bimi: 'default._bimi TXT "v=BIMI1;l=https://{d}/logo.svg;  a=https://{d}/vmc.pem;"' },
  },
  { what: "another id of MTA-STS, with the same policy", edit: { sts: '_mta-sts TXT "v=STSv1; id=8;"' } },
  {
    what: "the hosts of the policy in another order",
    edit: {},
    policy: ["version: STSv1", "max_age: 604800", "mx: mx3.{d}", "mx: MX2.{d}", "mx: mx1.{d}", "mode: enforce"],
  },
  { what: "blanks in TLS reports", edit: { rpt: '_smtp._tls TXT "v=TLSRPTv1;rua=mailto:tls@{d};"' } },
  { what: "a selector that nobody uses", edit: { k9: 'k9._domainkey TXT "v=DKIM1; p="' } },
];
