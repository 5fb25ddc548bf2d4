// A well-kept domain that publishes everything there is, checked by the true code over a zone of data, and what of it can
// be exchanged.

import { known } from "../../../src/analyzer/checks/fact.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone, type ZoneEntry } from "../../../src/analyzer/dns/zone.ts";
import { type Snapshot, toSnapshot } from "../../../src/analyzer/domains/snapshot.ts";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import type { DomainReport } from "../../../src/analyzer/reports/domain-report.ts";
import { serveMark } from "../../features/mailboxes/work/mark-server.ts";
import { check, healthy, keyRecord, now, otherKeyRecord, type World } from "../domain-cases/domain-world.ts";
import { newRsaKey, toKeyRecord } from "../mail/signing/sign.ts";

export const texts = {
  spf: "v=spf1 mx a:mail.a.example ip4:203.0.113.0/25 ip4:198.51.100.7 ip6:2001:db8::/48 include:_spf.esp.test include:_spf.crm.test ~ip4:192.0.2.1 -all",
  dmarc:
    "v=DMARC1; p=reject; sp=quarantine; adkim=s; rua=mailto:dmarc@a.example,mailto:two@a.example; ruf=mailto:f@a.example; fo=1:d",
  bimi: "v=BIMI1; l=https://a.example/logo.svg; a=https://a.example/mark.pem",
  mtaSts: "v=STSv1; id=7",
  tlsRpt: "v=TLSRPTv1; rua=mailto:tls@a.example,https://a.example/tls",
  google: keyRecord,
  s2: otherKeyRecord,
};
export type Text = keyof typeof texts;

export const thirdKeyRecord = toKeyRecord(newRsaKey(2_048));
export const keyData = (record: string) => record.replace(/^.*p=/s, "");

const names: Readonly<Record<Exclude<Text, "spf">, string>> = {
  dmarc: "_dmarc.a.example",
  bimi: "default._bimi.a.example",
  mtaSts: "_mta-sts.a.example",
  tlsRpt: "_smtp._tls.a.example",
  google: "google._domainkey.a.example",
  s2: "s2._domainkey.a.example",
};

export const policyText = [
  "version: STSv1",
  "mode: enforce",
  "mx: mx1.a.example",
  "mx: mx2.a.example",
  "max_age: 604800",
];

const digest = "ab".repeat(32);
const tlsa = { usage: 3, selector: 1, matchingType: 1, certificate: digest };

export type Published = {
  readonly [name in Text]?: string | readonly string[] | readonly (readonly string[])[] | null | "servfail";
} & {
  readonly zone?: Readonly<Record<string, ZoneEntry>>;
  readonly mx?: readonly { readonly preference: number; readonly exchange: string }[];
  readonly ttlSeconds?: number;
  readonly policy?: readonly string[];
  readonly fetchStranger?: FetchDoor;
  readonly world?: World;
};

type Texts = readonly (string | readonly string[])[];

/** One text, several, one in its parts, none, or trouble. */
function toTexts(given: Published[Text], usual: string): Texts {
  if (given === undefined) return [usual];
  if (given === null) return [];
  return typeof given === "string" ? [given] : given;
}

export function zoneOf(published: Published): Zone {
  const { ttlSeconds = 3_600, mx, zone = {} } = published;
  const entries = Object.entries(names).map(([text, name]): [string, ZoneEntry] => {
    const given = published[text as Text];
    if (given === "servfail") return [name, "servfail"];
    return [name, { TXT: toTexts(given, texts[text as Text]), ttlSeconds }];
  });
  const hosts = [
    { preference: 10, exchange: "mx1.a.example" },
    { preference: 10, exchange: "mx2.a.example" },
  ];
  return {
    ...healthy,
    ".": { SOA: [{ primary: "a.root.test", serial: 1, minimum: 300 }] },
    "a.example": {
      ...(healthy["a.example"] as object),
      TXT: published.spf === "servfail" ? "servfail" : [...toTexts(published.spf, texts.spf), "proof=1"],
      MX: mx ?? hosts,
      DS: [{ keyTag: 1, algorithm: 13, digestType: 2, digest }],
      ttlSeconds,
    },
    "mx2.a.example": { A: ["203.0.113.26"], AAAA: ["2001:db8:25::2"] },
    "mail.a.example": { A: ["203.0.113.27"] },
    "_25._tcp.mx1.a.example": { TLSA: [tlsa] },
    "_25._tcp.mx2.a.example": { TLSA: [tlsa] },
    "_spf.esp.test": { TXT: ["v=spf1 ip4:198.51.100.0/24 -all"] },
    "_spf.crm.test": { TXT: ["v=spf1 ip4:192.0.2.128/25 -all"] },
    ...Object.fromEntries(entries),
    ...zone,
  };
}

/** A resolver that checks signatures, and finds them right. */
export function validating(zone: Zone): Dns {
  const dns = createZoneDns(zone);
  return { query: async (name, type) => ({ ...(await dns.query(name, type)), authenticated: true }) };
}

function servePolicy(lines: readonly string[]): FetchDoor {
  const mark = serveMark("a.example", now);
  return async (url, request) => {
    if (/\.(?:svg|pem)$/.test(url)) return await mark(url, request);
    const body = Buffer.from(lines.join("\r\n"));
    return { ok: true, status: 200, headers: { "content-type": "text/plain" }, body, address: "203.0.113.80" };
  };
}

export async function reportOn(published: Published, dns = validating(zoneOf(published))): Promise<DomainReport> {
  const { policy = policyText, fetchStranger = servePolicy(policy), world = {} } = published;
  return check(dns, { fetchStranger, ...world });
}

export async function snapshotOf(published: Published, before: Snapshot | null = null): Promise<Snapshot> {
  return toSnapshot(await reportOn(published), before);
}

/** The report as if it had been made then. */
export function at(report: DomainReport, startedAt: number): DomainReport {
  return { ...report, analysis: { ...report.analysis, startedAt } };
}

export const historyOf = (selectorsSeen: readonly string[]) =>
  known({ sameMessageId: 0, selectorsSeen, keyFirstSeen: null });
