// What a bare domain publishes about the protection of its mail: MTA-STS, TLS reports, DANE, DNSSEC.

import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { Dane, DaneHost, Dnssec, MtaSts, TlsaRecord, TlsRpt } from "../checks/infrastructure-facts.ts";
import { type Dns, type DnsAnswer, textsOf } from "../dns/answer.ts";
import { hasMtaStsVersion, isMtaStsRecord, parseMtaStsRecord } from "../dns/mta-sts.ts";
import { isSpfRecord } from "../dns/spf.ts";
import { hasTlsRptVersion, isTlsRptRecord, parseTlsRpt, whyTlsaUnusable } from "../dns/tls-rpt.ts";
import { toStorableCut } from "../mail/text/bounds.ts";

/** They are shown to users, and more than one is an error anyway. */
const maxRecordsShown = 10;
const maxRecordLength = 2_000;
const maxDaneHosts = 10;
const maxTlsaRecords = 50;

/** Does not fetch the policy: see fetchMtaStsPolicy. */
export async function gatherMtaSts(domain: string, dns: Dns): Promise<Fact<MtaSts>> {
  const texts = await gatherTexts(`_mta-sts.${domain}`, [hasMtaStsVersion, isMtaStsRecord], dns);
  if (!texts.known) return texts;
  const reading = readOnly(texts.value.records, parseMtaStsRecord);
  const records = toRecordsShown(texts.value.records);
  const { spfInPlace } = texts.value;
  const shared = { domain, records, policy: unknown("off"), spfInPlace } as const;
  return known(
    reading.ok
      ? { ...shared, id: reading.record?.id ?? null, problem: null }
      : { ...shared, id: null, problem: reading.problem },
  );
}

export async function gatherTlsRpt(domain: string, dns: Dns): Promise<Fact<TlsRpt>> {
  const texts = await gatherTexts(`_smtp._tls.${domain}`, [hasTlsRptVersion, isTlsRptRecord], dns);
  if (!texts.known) return texts;
  const reading = readOnly(texts.value.records, parseTlsRpt);
  const records = toRecordsShown(texts.value.records);
  const { spfInPlace } = texts.value;
  if (!reading.ok) return known({ domain, records, rua: [], problem: reading.problem, spfInPlace });
  const { rua = [], repeated = [] } = reading.record ?? {};
  return known({ domain, records, rua, problem: null, repeated, spfInPlace });
}

type Reading<T> = { readonly ok: true; readonly record: T | null } | { readonly ok: false; readonly problem: string };

/** RFC 8461 §3.1, RFC 8460 §3: several records count as none. */
function readOnly<T>(texts: readonly string[], parse: (text: string) => Reading<T>): Reading<T> {
  const [text] = texts;
  if (text === undefined) return { ok: true, record: null };
  return texts.length === 1 ? parse(text) : { ok: false, problem: `there are ${texts.length} records` };
}

/** The records, or if there are none, texts that were meant as one. */
async function gatherTexts(
  name: string,
  [isRecord, isMeant]: readonly [isRecord: IsWanted, isMeant: IsWanted],
  dns: Dns,
): Promise<Fact<Texts>> {
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const texts = textsOf(answer);
  const records = texts.some(isRecord) ? texts.filter(isRecord) : texts.filter(isMeant);
  return known({ records, spfInPlace: records.length > 0 ? null : findSpf(texts) });
}

type Texts = { readonly records: readonly string[]; readonly spfInPlace: string | null };

function findSpf(texts: readonly string[]): string | null {
  const spf = texts.find(isSpfRecord);
  return spf === undefined ? null : toStorableCut(spf, maxRecordLength);
}

type IsWanted = (text: string) => boolean;

function toRecordsShown(texts: readonly string[]): string[] {
  return texts.slice(0, maxRecordsShown).map((text) => toStorableCut(text, maxRecordLength));
}

/** `mxHosts`: where the domain's mail goes (RFC 7672 §3.1). */
export async function gatherDane(mxHosts: readonly string[], dns: Dns): Promise<Dane> {
  const isValidating = await asksValidatingResolver(dns);
  const hosts = [...new Set(mxHosts.map((host) => host.toLowerCase()))].slice(0, maxDaneHosts);
  return {
    hosts: await Promise.all(
      hosts.map(async (host) => ({ of: host, fact: await gatherDaneHost(host, isValidating, dns) })),
    ),
  };
}

async function gatherDaneHost(host: string, isValidating: Fact<boolean>, dns: Dns): Promise<Fact<DaneHost>> {
  const answer = await dns.query(`_25._tcp.${host}`, "TLSA");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  return known({ secure: toSecure(answer, isValidating), records: toTlsaRecords(answer) });
}

function toTlsaRecords(answer: DnsAnswer): TlsaRecord[] {
  return answer.records.slice(0, maxTlsaRecords).flatMap((record) => {
    if (record.type !== "TLSA") return [];
    const { usage, selector, matchingType, certificate } = record.fields;
    const read = { usage: Number(usage), selector: Number(selector), matching: Number(matchingType) };
    return [{ ...read, problem: whyTlsaUnusable({ ...read, association: String(certificate ?? "") }) }];
  });
}

/**
 * `unchecked`: the same resolver with signature checks turned off (CD). Only this distinguishes a broken signature from
 * a server that is down. Without it, such a domain is unknown.
 */
export async function gatherDnssec(domain: string, dns: Dns, unchecked: Dns | null = null): Promise<Fact<Dnssec>> {
  const [ds, soa, isValidating] = await Promise.all([
    dns.query(domain, "DS"),
    dns.query(domain, "SOA"),
    asksValidatingResolver(dns),
  ]);
  const trouble = [soa, ds].find((answer) => whyUnknown(answer) !== undefined);
  if (trouble === undefined) {
    // A name inside a signed zone has no separate DS record.
    const signed = ds.records.length > 0 || soa.authenticated;
    return known({ domain, signed, validated: toSecure(soa, isValidating), bogus: false });
  }
  const why = whyUnknown(trouble) ?? "servfail";
  if (trouble.status !== "servfail" || unchecked === null) return unknown(why);
  const again = await unchecked.query(domain, trouble.type);
  if (whyUnknown(again) !== undefined) return unknown(why);
  return known({ domain, signed: true, validated: known(false), bogus: true });
}

/** The AD flag means yes. Without it, the answer is no only if the resolver checks signatures at all. */
function toSecure(answer: DnsAnswer, isValidating: Fact<boolean>): Fact<boolean> {
  if (answer.authenticated) return known(true);
  if (!isValidating.known) return isValidating;
  return isValidating.value ? known(false) : unknown("off");
}

/** The root is always signed. A resolver that does not validate it does not validate anything. */
async function asksValidatingResolver(dns: Dns): Promise<Fact<boolean>> {
  const answer = await dns.query(".", "SOA");
  const why = whyUnknown(answer);
  return why === undefined ? known(answer.authenticated) : unknown(why);
}
