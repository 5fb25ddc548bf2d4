// The DKIM keys that a domain is known to publish: those that the user entered, those that its mail was signed with,
// and guesses. Selectors are guessed only if none was entered and none that was seen is still in use. Only an entered
// selector can be missing.

import type { DkimKey } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { PublishedKey } from "../checks/facts.ts";
import { isUsableKey } from "../checks/infer-parked.ts";
import { type Dns, type DnsAnswer, textsOf } from "../dns/answer.ts";
import { isKeyRecord, type KeyRecord, readKeyRecord } from "../dns/dkim-key.ts";
import { toKeyName } from "../dns/signing-names.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import type { Guesses } from "../reports/domain-report.ts";
import { toProbeLabel } from "./mx.ts";

// Selectors that services use for all customers. DNS cannot list keys (RFC 6376 §3.6.2), so these are tried for a
// domain without a known selector. A missing one proves nothing. Random selectors per customer (Amazon SES, HubSpot,
// Salesforce) are left out.

const rows: readonly (readonly [service: string, ...selectors: string[]])[] = [
  ["self-hosted", "default", "dkim", "mail", "email", "smtp", "mta", "key1", "key2", "dkim1024", "dkim2048", "dk"],
  ["several services", "s1", "s2", "k1", "k2", "k3", "sig1"],
  ["Google Workspace", "google", "20230601"],
  ["Microsoft 365", "selector1", "selector2"],
  ["Mandrill", "mandrill", "mte1", "mte2"],
  ["Global Micro", "mxvault"],
  ["Everlytic", "everlytickey1", "everlytickey2", "eversrv"],
  ["Postmark", "pm"],
  ["Zoho", "zmail", "zoho"],
  ["Fastmail", "fm1", "fm2", "fm3"],
  ["Proton Mail", "protonmail", "protonmail2", "protonmail3"],
  ["SendGrid", "sm", "smtpapi"],
  ["Mailjet", "mailjet"],
  ["Mailgun", "mg", "mailo", "krs", "pic"],
  ["Constant Contact", "ctct1", "ctct2"],
  ["Campaign Monitor", "cm"],
  ["Brevo", "brevo1", "brevo2", "sib", "sendinblue"],
  ["Klaviyo", "kl", "kl2"],
  ["turboSMTP", "turbo-smtp"],
  ["MailerLite", "litesrv", "ml"],
  ["Resend", "resend"],
  ["SparkPost", "scph0316"],
];

export const wellKnownSelectors: readonly string[] = rows.flatMap(([, ...selectors]) => selectors);

type Selectors = {
  readonly configured: readonly string[];
  /** Seen in signatures of mail from the domain. */
  readonly seen: readonly string[];
  readonly guesses: Guesses;
};

/** No sender uses more at a time. */
const maxConfigured = 20;
const maxSeen = 20;
/** The guesses, the name above them, and a name that cannot have been published. */
export const maxSelectorQuestions = maxSeen + Math.max(maxConfigured, wellKnownSelectors.length + 2);

type Source = Exclude<PublishedKey["source"], "signature">;
type Row = {
  readonly selector: string;
  readonly source: Source;
  readonly name: string;
  readonly asked: Fact<AskedKey>;
};

/** Unknown if DNS did not answer for a required key, or not at all. */
export async function gatherDkimKeys(
  domain: string,
  selectors: Selectors,
  dns: Dns,
): Promise<Fact<readonly PublishedKey[]>> {
  const rows = await askAll(domain, toNamed(selectors), dns);
  const isConfigured = ({ source }: Row) => source === "configured";
  const named = toKeys(domain, rows, isConfigured);
  if (rows.some((row) => isConfigured(row) || !row.asked.known)) return named;
  if (!named.known || named.value.some(isUsableKey)) return named;
  const guessed = await probe(domain, selectors.guesses, dns);
  if (!guessed.known) return guessed;
  const own = new Set(rows.map(({ selector }) => selector));
  return known([...named.value, ...guessed.value.filter(({ selector }) => !own.has(selector))]);
}

/** `mustAnswer`: rows that must be answered to know the keys. */
function toKeys(
  domain: string,
  rows: readonly Row[],
  mustAnswer: (row: Row) => boolean,
): Fact<readonly PublishedKey[]> {
  const silent = rows.filter(({ asked }) => !asked.known);
  const keys = rows.flatMap((row) => toPublished(domain, row) ?? []);
  const decisive = silent.find(mustAnswer) ?? (keys.length === 0 && silent[0]);
  return decisive && !decisive.asked.known ? unknown(decisive.asked.why) : known(keys);
}

function toNamed({ configured, seen }: Selectors): ReadonlyMap<string, Source> {
  const named = new Map<string, Source>();
  for (const selector of seen.slice(0, maxSeen)) named.set(selector.toLowerCase(), "seen");
  for (const selector of configured.slice(0, maxConfigured)) named.set(selector.toLowerCase(), "configured");
  return named;
}

function askAll(domain: string, selectors: ReadonlyMap<string, Source>, dns: Dns): Promise<Row[]> {
  const names = [...selectors].flatMap(([selector, source]) => {
    const name = toKeyName(selector, domain);
    return name === null ? [] : [{ selector, source, name }];
  });
  return Promise.all(names.map(async (row) => ({ ...row, asked: await askDkimKey(row.name, dns) })));
}

/** A single query for most domains without keys: there is nothing below a name that does not exist (RFC 8020). */
async function probe(domain: string, { found, all }: Guesses, dns: Dns): Promise<Fact<readonly PublishedKey[]>> {
  const above = await dns.query(`_domainkey.${domain}`, "TXT");
  // A key that was seen before is looked up by name, so that its absence is a fact.
  const tried = all && above.status !== "nxdomain" ? [...new Set([...wellKnownSelectors, ...found])] : found;
  const why = whyUnknown(above);
  if (tried.length === 0) return why === undefined ? known([]) : unknown(why);
  const rows = await guess(domain, tried, dns);
  return toKeys(domain, rows, ({ selector }) => found.includes(selector));
}

/** If a wildcard answers for every name, an answer for a guessed name means nothing. */
async function guess(domain: string, selectors: readonly string[], dns: Dns): Promise<Row[]> {
  const [wildcard, rows] = await Promise.all([
    askDkimKey(`${toProbeLabel(domain)}._domainkey.${domain}`, dns),
    askAll(domain, new Map(selectors.map((selector) => [selector, "probed" as const])), dns),
  ]);
  const everywhere = wildcard.known ? wildcard.value.key.records.join("\n") : "";
  if (everywhere === "") return rows;
  return rows.filter(({ asked }) => !asked.known || asked.value.key.records.join("\n") !== everywhere);
}

/** Null for a key that is missing and was not expected. */
function toPublished(domain: string, { selector, source, asked }: Row): PublishedKey | null {
  if (!asked.known) return null;
  const { key, records } = asked.value;
  const isThere = source === "probed" ? records.some(isKeyRecord) : key.records.length > 0;
  return isThere || source === "configured" ? { ...key, selector, domain, source } : null;
}

// The key at a name, for the signatures of a message and for the monitor of a domain.

export type AskedKey = {
  readonly key: DkimKey;
  /** The key records, including invalid ones. Other texts count only if there is no key record. */
  readonly records: readonly KeyRecord[];
};

/** A name should have one key record. A few more are read, but there is no reason to publish this many. */
const maxRecords = 10;
/** Room for a key of 16,384 bits. */
const maxShownLength = 4_096;

export async function askDkimKey(name: string, dns: Dns): Promise<Fact<AskedKey>> {
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const asked = read.get(answer) ?? readAnswer(name, answer);
  read.set(answer, asked);
  return known(asked);
}

/** A key is imported once per DNS answer, because importing is a tenth of the work for a short message. */
const read = new WeakMap<DnsAnswer, AskedKey>();

function readAnswer(name: string, answer: DnsAnswer): AskedKey {
  const texts = textsOf(answer);
  const all = texts.slice(0, maxRecords).map(readKeyRecord);
  const keys = all.filter(isKeyRecord);
  const records = keys.length > 0 ? keys : all;
  return { key: toFact(name, texts.slice(0, maxRecords), records, keys.length), records };
}

function toFact(name: string, texts: readonly string[], records: readonly KeyRecord[], keyCount: number): DkimKey {
  const shown = records.find(({ faults }) => faults.length === 0) ?? records[0];
  return {
    name,
    records: texts.map(toShown),
    type: shown?.type == null ? null : toShown(shown.type),
    bits: shown?.bits ?? null,
    revoked: shown?.revoked ?? false,
    testing: shown?.testing ?? false,
    strictIdentity: shown?.strictIdentity ?? false,
    hashes: shown?.hashes?.map(toShown) ?? null,
    services: shown?.services.map(toShown) ?? [],
    faults: [
      ...(records.length === 0 ? [{ fault: "missing" as const, says: `there is no DKIM key at ${name}` }] : []),
      ...(keyCount > 1 ? [{ fault: "several" as const, says: `there are ${keyCount} key records at ${name}` }] : []),
      ...(shown?.faults ?? []),
    ],
  };
}

function toShown(text: string): string {
  return toStorableCut(Buffer.from(text, "latin1").toString("utf8"), maxShownLength);
}
