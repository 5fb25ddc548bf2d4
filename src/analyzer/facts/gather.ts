// Gathers all facts about one message, in parallel and within one budget: DNS queries and the operator's own scanners.
// Nothing in a stranger's message makes Assay open any other connection.

import { domainToASCII } from "node:url";
import { isSendingAddress, toPlainAddress, toReverseName } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type {
  LinkHost,
  ListState,
  MalwareScan,
  MxFact,
  Ptr,
  Row,
  Surroundings,
} from "../checks/infrastructure-facts.ts";
import { type Dns, toQuestionName } from "../dns/answer.ts";
import { isLabRecord, isReservedName } from "../dns/reserved-names.ts";
import { parseTagList } from "../dns/tag-list.ts";
import { readAuthor } from "../mail/headers/author.ts";
import { fieldsNamed } from "../mail/headers/fields.ts";
import { hostOfListAddress, readListAddresses } from "../mail/headers/list-header.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Outgoing } from "../mail/session/outgoing.ts";
import { isFromPrivate, type SmtpSession } from "../mail/session/session.ts";
import type { Authentication } from "../reports/report.ts";
import { type AuthenticationInput, gatherAuthentication } from "./authentication.ts";
import { gatherListings } from "./blocklists.ts";
import { judgeName } from "./generic-name.ts";
import { gatherHelo } from "./helo.ts";
import type { NamedDomain } from "./listed-domains.ts";
import { familyOf, gatherAddresses, gatherMx, type MailDomain } from "./mx.ts";
import { assumeServer, type JudgedClient } from "./outgoing.ts";
import type { ScannerRow } from "./scanners.ts";

// Whether the hosts in a message's links exist, by DNS only. No link is fetched.

/** One query each. A message with more link hosts is judged by the first ones. */
export const maxLinkHosts = 6;

/** `others`: hosts that are looked up elsewhere, such as that of List-Unsubscribe, which is judged with its header. */
export async function gatherLinkHosts(
  contentDomains: readonly NamedDomain[],
  others: readonly string[],
  dns: Dns,
): Promise<Row<LinkHost>[]> {
  const linked = contentDomains.filter(({ roles }) => roles.includes("link")).map(({ domain }) => domain);
  const asked = linked.filter((host) => !others.includes(host) && isAskable(host)).slice(0, maxLinkHosts);
  return Promise.all(asked.map(async (host) => ({ of: host, fact: await gatherHost(host, dns) })));
}

async function gatherHost(host: string, dns: Dns): Promise<Fact<LinkHost>> {
  const answer = await dns.query(host, "A");
  const why = whyUnknown(answer);
  const exists = answer.status !== "nxdomain";
  if (isReservedName(host) && (!exists || (why !== undefined && !isLabRecord(host)))) return unknown("reserved-name");
  return why === undefined ? known({ host, exists }) : unknown(why);
}

/** No top-level domain is a number. */
const isAddress = /:|(?:^|\.)\d+$/;

/** DNS names: no addresses, no single labels. */
function isAskable(host: string): boolean {
  return host.includes(".") && !isAddress.test(host) && toQuestionName(host) !== null;
}

type GatherInput = Omit<AuthenticationInput, "assumed"> & {
  /** What the workspace says about its outgoing server. */
  readonly outgoing?: Outgoing | null;
  readonly message: Message;
  /** Hosts of links and images. */
  readonly contentDomains: readonly NamedDomain[];
};

export type Sources = {
  /** DNS for one part of the work, which may ask so many new questions. */
  readonly share: (part: Part, maxQuestions: number) => Dns;
  readonly lists: () => Promise<readonly ListState[]>;
  readonly scan: (session: SmtpSession, clientName: string | null) => Promise<readonly ScannerRow[]>;
  readonly findMalware: (message: Message) => Promise<Fact<MalwareScan>>;
};

export type Gathered = {
  readonly client: JudgedClient;
  readonly authentication: Authentication;
  readonly surroundings: Surroundings;
  /** As queried, for a replay. */
  readonly lists: readonly ListState[];
  readonly scanners: readonly ScannerRow[];
};

/**
 * Shares of the 100 queries per message. Each part has its own, so that a flood of links does not use up those for
 * verdicts.
 */
const shares = { verdicts: 40, spfTree: 14, hosts: 20, lists: 20, linkHosts: maxLinkHosts };
export const verdictQuestions = shares.verdicts;
export const maxQuestionsPerMessage = Object.values(shares).reduce((sum, share) => sum + share);
type Part = keyof typeof shares;

export async function gatherFacts(heard: GatherInput, sources: Sources): Promise<Gathered> {
  const share = (part: Part) => sources.share(part, shares[part]);
  const { receiver, message, contentDomains, outgoing = null } = heard;
  const hosts = share("hosts");
  const { assumed, client: judgedClient } = await assumeServer(heard, outgoing, hosts);
  const { session } = judgedClient;
  const input = { ...heard, session, assumed };
  const asking = gatherPtr(session.clientAddress, hosts);
  const [authentication, ptr, helo, mailDomains, linkHosts, malware, reputation] = await Promise.all([
    gatherAuthentication(input, { verdicts: share("verdicts"), spfTree: share("spfTree") }),
    asking,
    assumed?.address ? unknown("not-seen") : gatherHelo(session, { names: [receiver], addresses: [] }, hosts),
    gatherMx(toMailDomains(message, session.mailFrom), hosts),
    gatherLinkHosts(contentDomains, unsubscribeHosts(message), share("linkHosts")),
    sources.findMalware(message),
    asking.then((found) => {
      const clientNames = found.known ? found.value.names : [];
      const domains = [...toNamedDomains(input, clientNames), ...contentDomains];
      return gatherReputation({ input, clientNames, domains }, sources);
    }),
  ]);
  const { lists, scanners, listings, allows, domains } = reputation;
  const isPrivate = isFromPrivate(session);
  const ofClient = <T>(fact: Fact<T>) => (fact.known && isPrivate ? unknown("not-public") : fact);
  const client = { ptr: ofClient(ptr), helo: ofClient(helo) };
  const listed = { listings: ofClient(listings), allows: ofClient(allows), domains };
  const mx = mailDomains.map(withoutReserved);
  return {
    client: judgedClient,
    authentication: withoutTestDomain(authentication, input, mx),
    surroundings: { ...client, mx, linkHosts, ...listed, scanners, malware },
    lists,
    scanners,
  };
}

/** A resolver with records for such a name, as in a lab, is believed. The public example.com accepts no mail. */
function withoutReserved({ of, fact }: Row<MxFact>): Row<MxFact> {
  const isOwn = fact.known ? fact.value.exists && !fact.value.nullMx : isLabRecord(of);
  return isOwn || !isReservedName(of) ? { of, fact } : { of, fact: unknown("reserved-name") };
}

/** A From domain that can't have records isn't judged by them. Other domains of the message are. */
function withoutTestDomain(
  authentication: Authentication,
  { section, session }: GatherInput,
  mx: readonly Row<MxFact>[],
): Authentication {
  const author = readAuthor(section);
  if (!author.ok || author.rivals.length > 0 || hasLabRecord(authentication)) return authentication;
  const own = mx.find(({ of }) => of === author.domain)?.fact;
  if (own?.known !== false || own.why !== "reserved-name") return authentication;
  const none = unknown("reserved-name");
  const isReserved = (name: string | null) => name !== null && isReservedName(name);
  const [envelope] = domainBehindAt(session.mailFrom);
  return {
    ...authentication,
    ...(isReserved(envelope ?? session.helo) && { spf: none, spfRecord: none }),
    ...(isReserved(session.helo) && { spfHelo: none }),
    dkim: withoutTestSignatures(authentication.dkim, isReserved),
    dmarc: none,
    dmarcResult: none,
    bimi: none,
  };
}

function hasLabRecord({ dmarc }: Authentication): boolean {
  return dmarc.known && dmarc.value.recordsAt !== null && isLabRecord(dmarc.value.recordsAt);
}

function withoutTestSignatures(
  dkim: Authentication["dkim"],
  isReserved: (name: string | null) => boolean,
): Authentication["dkim"] {
  if (!dkim.known) return unknown("reserved-name");
  const { signatures, best } = dkim.value;
  const left = signatures.filter(({ domain, result }) => result === "pass" || !isReserved(domain));
  const first = left.findIndex((one) => one === signatures[best ?? -1]);
  return left.length === 0
    ? unknown("reserved-name")
    : known({ ...dkim.value, signatures: left, best: first < 0 ? null : first });
}

type GatherTargets = {
  readonly input: GatherInput;
  readonly clientNames: readonly string[];
  readonly domains: readonly NamedDomain[];
};

async function gatherReputation({ input, clientNames, domains }: GatherTargets, sources: Sources) {
  const scanning = sources.scan(input.session, clientNames[0] ?? null);
  const lists = await sources.lists();
  const questions = { address: input.session.clientAddress, domains, zones: lists };
  const listings = await gatherListings(questions, sources.share("lists", shares.lists));
  return { ...listings, lists, scanners: await scanning };
}

/** The From domain with its MX hosts. For the others, only whether they exist. */
function toMailDomains(message: Message, mailFrom: string | null): MailDomain[] {
  const { from, replyTo } = message;
  const first = domainsIn(from).slice(0, 1);
  const others = [...domainsIn(replyTo).slice(0, 1), ...domainBehindAt(mailFrom), ...unsubscribeHosts(message)];
  return [
    ...first.map((domain) => ({ domain, depth: "hosts" as const })),
    ...others.map((domain) => ({ domain, depth: "existence" as const })),
  ];
}

function toNamedDomains({ session, section, message }: GatherInput, clientNames: readonly string[]): NamedDomain[] {
  const signing = fieldsNamed(section, "dkim-signature")
    .slice(0, maxSigners)
    .flatMap(({ value }) => parseTagList(value).tags.flatMap((tag) => (tag.name === "d" ? [tag.value] : [])));
  const byRole: Readonly<Record<string, readonly string[]>> = {
    from: domainsIn(message.from),
    dkim: signing,
    mailfrom: domainBehindAt(session.mailFrom),
    "reply-to": domainsIn(message.replyTo),
    helo: session.helo === null ? [] : [session.helo],
    ptr: clientNames,
  };
  return Object.entries(byRole).flatMap(([role, domains]) => domains.map((domain) => ({ domain, roles: [role] })));
}

/** The hosts of the first URL and the first mailto:, which are the ones that email clients use. */
function unsubscribeHosts({ headers }: Message): string[] {
  const value = headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  const { https, mailto } = readListAddresses(value);
  return [https[0], mailto[0]].flatMap((uri) => toAscii((uri && hostOfListAddress(uri)) ?? ""));
}

const maxSigners = 20;

function domainsIn({ list }: Message["from"]): string[] {
  return list.flatMap(({ domain }) => (domain === null ? [] : toAscii(domain)));
}

function domainBehindAt(address: string | null): string[] {
  return address?.includes("@") ? toAscii(address.slice(address.lastIndexOf("@") + 1)) : [];
}

function toAscii(domain: string): string[] {
  const ascii = domainToASCII(domain).replace(/\.$/, "");
  return ascii !== "" && toQuestionName(ascii) !== null ? [ascii] : [];
}

// The reverse DNS names of the client's address, and whether they resolve back to it (RFC 8601 §3). Anyone can put any
// name into the reverse zone of their address.

/** RFC 7208 §5.5 has the same limit. */
const maxConfirmed = 10;
const maxNames = 50;

/** `clientAddress`: null without a session. */
export async function gatherPtr(clientAddress: string | null, dns: Dns): Promise<Fact<Ptr>> {
  const address = clientAddress === null ? undefined : toPlainAddress(clientAddress);
  if (clientAddress === null) return unknown("no-session");
  if (address === undefined || !isSendingAddress(address)) return unknown("not-public");
  const answer = await dns.query(toReverseName(address), "PTR");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const targets = answer.records.flatMap((record) => (record.type === "PTR" ? [record.target] : []));
  const names = [...new Set(targets.map((name) => name.toLowerCase()))].sort();
  const forward = await Promise.all(
    names
      .slice(0, maxConfirmed)
      .map(async (name) => ({ name, addresses: await gatherAddresses(name, familyOf(address), dns) })),
  );
  const confirmed = forward
    .filter(({ addresses }) => addresses.known && addresses.value.includes(address))
    .map(({ name }) => name);
  const { generic, pattern } = judgeNames(confirmed.length > 0 ? confirmed : names, address);
  return known({ count: names.length, names: names.slice(0, maxNames), forward, confirmed, generic, pattern });
}

/** Receivers read one of several names, so one non-generic name is enough. */
function judgeNames(names: readonly string[], address: string): Pick<Ptr, "generic" | "pattern"> {
  const judged = names.slice(0, maxConfirmed).map((name) => judgeName(name, address));
  const first = judged[0];
  if (!first || judged.includes(null)) return { generic: null, pattern: null };
  return { generic: first.kind, pattern: first.pattern };
}
