// Gathers all facts about one domain, in parallel and within one budget, for monitoring and the command line. It uses
// the gatherers for messages, so that there is one set of DNS rules.

import type { Bimi } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { History, KnownFacts } from "../checks/facts.ts";
import { inferParked } from "../checks/infer-parked.ts";
import type {
  ListState,
  MtaSts,
  MtaStsPolicyAnswer,
  MxCertificate,
  MxFact,
  Row,
  SenderListing,
} from "../checks/infrastructure-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { findListRow } from "../dns/dnsbl.ts";
import type { DomainFacts, Guesses } from "../reports/domain-report.ts";
import { gatherDomainBimi } from "./bimi.ts";
import type { BimiFiles } from "./bimi-files.ts";
import { gatherListings, maxListQuestions, maxTextQuestions } from "./blocklists.ts";
import { gatherDkimKeys, maxSelectorQuestions } from "./dkim-keys.ts";
import { gatherDmarc } from "./dmarc.ts";
import { gatherDane, gatherDnssec, gatherMtaSts, gatherTlsRpt } from "./domain.ts";
import type { AskCertificate } from "./doors.ts";
import { homelessPolicy, toPolicyHost } from "./mta-sts-policy.ts";
import { gatherBothFamilies, gatherMx } from "./mx.ts";
import { gatherSpfRecord } from "./spf-record.ts";
import { type AskServer, gatherZone } from "./zone.ts";

// What the operator's lists say about the addresses that a domain was seen sending from.

const maxSenders = 20;
/** Ten lists for each address. Most answers are cached from the hour before. */
const maxSenderQuestions = 200;

/** `addresses`: most recently seen first. */
async function gatherSenderListings(
  addresses: readonly string[],
  lists: readonly ListState[],
  dns: Dns,
): Promise<Fact<readonly Row<SenderListing>[]>> {
  if (addresses.length === 0) return known([]);
  const zones = lists.filter((state) => state.with !== "domain" && findListRow(state.zone)?.kind !== "allow");
  if (zones.length === 0) return unknown("off");
  const rows = await Promise.all(
    addresses.slice(0, maxSenders).map(async (address) => {
      const { listings } = await gatherListings({ address, domains: [], zones }, dns);
      if (!listings.known) return [{ of: address, fact: listings }];
      return listings.value.map(({ of, fact }) => toRow(address, of, fact));
    }),
  );
  return known(rows.flat());
}

function toRow(address: string, zone: string, fact: Fact<Omit<SenderListing, "address">>): Row<SenderListing> {
  return { of: `${address} at ${zone}`, fact: fact.known ? known({ address, ...fact.value }) : fact };
}

type DomainQuestion = {
  /** In A-labels and lower case. */
  readonly domain: string;
  /** Selectors that the user entered. */
  readonly configured: readonly string[];
  /** Addresses that it was seen sending from, most recent first. */
  readonly senders: readonly string[];
  /** Selectors to guess if none was entered and none was seen. */
  readonly guesses: Guesses;
  /** From tests of mail that the domain sent. */
  readonly history: Fact<History>;
  /** The certificates of the MX hosts when they were last checked. Null: check them now. */
  readonly certificates: readonly Row<MxCertificate>[] | null;
};

export type DomainSources = {
  /** DNS for one part of the work, limited to so many new queries. */
  readonly share: (part: DomainPart, maxQuestions: number) => Dns;
  /** The same resolver with signature checks turned off; null if there is none. */
  readonly unchecked: Dns | null;
  readonly lists: () => Promise<readonly ListState[]>;
  readonly fetchPolicy: (domain: string) => Promise<Fact<MtaStsPolicyAnswer>>;
  readonly fetchBimiFiles: (bimi: Bimi) => Promise<BimiFiles>;
  readonly askServer: AskServer;
  /** Null: mail servers must not be contacted. */
  readonly askCertificate: AskCertificate | null;
};

type GatheredDomain = Omit<DomainFacts, "own"> & { readonly lists: readonly ListState[] };

/**
 * A typical domain takes about 120. Each part has its own share, so that an endless SPF record does not use up the
 * others.
 */
const shares = {
  spf: 70,
  keys: maxSelectorQuestions,
  policies: 50,
  hosts: 50,
  zone: 50,
  lists: maxListQuestions + maxTextQuestions,
  senders: maxSenderQuestions,
};
export const maxQuestionsPerDomain = Object.values(shares).reduce((sum, share) => sum + share);
type DomainPart = keyof typeof shares;

export async function gatherDomain(
  { domain, configured, senders, guesses, history, certificates }: DomainQuestion,
  sources: DomainSources,
): Promise<GatheredDomain> {
  const share = (part: DomainPart) => sources.share(part, shares[part]);
  const [policies, hosts] = [share("policies"), share("hosts")];
  const seen = history.known ? history.value.selectorsSeen : [];
  const asking = gatherDkimKeys(domain, { configured, seen, guesses }, share("keys"));
  const [
    spfRecord,
    dkimKeys,
    { dmarc, bimi },
    { mx, mxCertificates, dane },
    mtasts,
    tlsrpt,
    dnssec,
    zone,
    { lists, ...listings },
  ] = await Promise.all([
    gatherSpfRecord(domain, share("spf")),
    asking,
    gatherPolicies(domain, policies, sources),
    gatherHosts({ domain, certificates }, hosts, sources),
    gatherMtaStsWithPolicy(domain, policies, sources.fetchPolicy),
    gatherTlsRpt(domain, policies),
    gatherDnssec(domain, policies, sources.unchecked),
    asking.then((keys) => gatherZone(domain, toSelectors(keys), share("zone"), sources.askServer)),
    gatherReputation({ domain, senders }, sources),
  ]);
  const parked = inferParked(domain, { spfRecord, dkimKeys, mx: known(mx), history });
  const policed = { spfRecord, dkimKeys, dmarc, bimi, mtasts, tlsrpt };
  return { ...policed, mx: known(mx), mxCertificates, dane, dnssec, zone, ...listings, parked, history, lists };
}

async function gatherPolicies(
  domain: string,
  dns: Dns,
  { fetchBimiFiles }: Pick<DomainSources, "fetchBimiFiles">,
): Promise<Pick<DomainFacts, "dmarc" | "bimi">> {
  const dmarc = await gatherDmarc(domain, dns);
  const bimi = dmarc.known ? await gatherDomainBimi(dmarc.value, dns) : dmarc;
  if (!bimi.known || bimi.value.l === null) return { dmarc, bimi };
  return { dmarc, bimi: known({ ...bimi.value, ...(await fetchBimiFiles(bimi.value)) }) };
}

type Hosts = Pick<DomainFacts, "mxCertificates" | "dane"> & { readonly mx: readonly Row<MxFact>[] };

async function gatherHosts(
  { domain, certificates }: Pick<DomainQuestion, "domain" | "certificates">,
  dns: Dns,
  { askCertificate }: Pick<DomainSources, "askCertificate">,
): Promise<Hosts> {
  const mx = await gatherMx([{ domain, depth: "hosts" }], dns);
  const fact = mx[0]?.fact ?? unknown("budget");
  if (!fact.known) return { mx, mxCertificates: fact, dane: fact };
  const named = fact.value.hosts.filter(({ literal, name }) => !literal && name !== ".");
  const names = named.map(({ name }) => name);
  const [dane, mxCertificates] = await Promise.all([
    gatherDane(names, dns),
    gatherMxCertificates(names, certificates, askCertificate),
  ]);
  return { mx, mxCertificates, dane: known(dane) };
}

async function gatherMtaStsWithPolicy(
  domain: string,
  dns: Dns,
  fetchPolicy: DomainSources["fetchPolicy"],
): Promise<Fact<MtaSts>> {
  const mtasts = await gatherMtaSts(domain, dns);
  if (!mtasts.known || mtasts.value.id === null) return mtasts;
  // If the host does not answer, our network may be the cause. If DNS has no address for it, the domain is.
  const addresses = await gatherBothFamilies(toPolicyHost(domain), dns);
  const isHomeless = addresses.known && addresses.value.length === 0;
  const policy = isHomeless ? known(homelessPolicy(domain)) : await fetchPolicy(domain);
  return known({ ...mtasts.value, policy });
}

function toSelectors(keys: KnownFacts["dkimKeys"]): string[] {
  return keys.known ? keys.value.map(({ selector }) => selector) : [];
}

async function gatherReputation(
  { domain, senders }: Pick<DomainQuestion, "domain" | "senders">,
  { lists: states, share }: DomainSources,
): Promise<Pick<GatheredDomain, "uribl" | "senderListings" | "lists">> {
  const lists = await states();
  const zones = lists.filter((state) => state.with === "domain");
  const questions = { address: null, domains: [{ domain, roles: ["from"] }], zones };
  const [{ domains: uribl }, senderListings] = await Promise.all([
    gatherListings(questions, share("lists", shares.lists)),
    gatherSenderListings(senders, lists, share("senders", shares.senders)),
  ]);
  return { uribl, senderListings, lists };
}

// The certificates of a monitored domain's MX hosts after STARTTLS, from now or from the last check.

/** The number of MX hosts to check per domain. The first ones take the mail. */
const maxHosts = 5;

/** `before`: the result of the last check, which is used instead. Null: check now, if allowed. */
async function gatherMxCertificates(
  names: readonly string[],
  before: readonly Row<MxCertificate>[] | null,
  ask: AskCertificate | null,
): Promise<Fact<readonly Row<MxCertificate>[]>> {
  const hosts = [...new Set(names.map((name) => name.toLowerCase()))].slice(0, maxHosts);
  if (before !== null) return known(before.filter(({ of }) => hosts.includes(of)));
  if (ask === null) return unknown("off");
  return known(await Promise.all(hosts.map(async (host) => ({ of: host, fact: await ask(host) }))));
}
