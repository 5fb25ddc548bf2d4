// The owner of a mailbox, as far as its domain shows.

import { toAsciiDomain, toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Message } from "../mail/mime/message.ts";
import { toVisibleCut } from "../visible-text.ts";
import { freemailProviderOf } from "./freemail-table.ts";

type Mailbox = Message["from"]["list"][number];

export type Party = {
  readonly name: string | null;
  readonly address: string;
  readonly local: string;
  /** In A-labels and lowercase. */
  readonly domain: string;
  /** The registrable domain according to the Public Suffix List. */
  readonly organisation: string;
};

/** Null for anything that is not an internet email address. */
export function toParty({ name, address, local, domain, problem }: Mailbox): Party | null {
  const ascii = domain === null || problem !== null ? null : toAsciiDomain(domain);
  if (local === null || ascii === null) return null;
  return { name, address, local, domain: ascii, organisation: toRegistrableDomain(ascii) };
}

/** Null if From is missing, repeated or unreadable, which `from-header` reports. */
export function authorOf({ headers, from }: Pick<Message, "headers" | "from">): Party | null {
  const [first] = from.list;
  const isOnce = headers.filter(({ key }) => key === "from").length === 1;
  return isOnce && first ? toParty(first) : null;
}

/** What a recipient reads as the sender. */
export type ShownAuthor = Pick<Party, "local" | "domain" | "organisation"> & {
  readonly name: string;
  /** As written. Empty if From has nothing like an address. */
  readonly address: string;
};

const maxAuthors = 20;

/**
 * Email clients show the author of a From header that they can't parse, too: the text in front of the last bracket, of
 * which each part between commas may be a name. The domain is as written where it is invalid, and empty where there is none.
 */
export function shownAuthorsOf(message: Pick<Message, "headers" | "from" | "fromText">): readonly ShownAuthor[] {
  if (authorOf(message) !== null)
    return message.from.list
      .slice(0, maxAuthors)
      .flatMap((one) => toParty(one) ?? [])
      .map((party) => ({ ...party, name: party.name ?? "" }));
  const text = (message.fromText ?? "").slice(0, longestFrom);
  const at = text.lastIndexOf("<");
  const names = (at < 0 ? text : text.slice(0, at))
    .replace(/<[^<>]*>/g, " ")
    .split(",", maxAuthors)
    .map((each) => each.replace(atEdges, ""))
    .filter((each) => each !== "");
  const [before = "", after = ""] = cutAtLast(text.slice(at + 1), "@");
  const [written = ""] = after.split(outsideAddress, 1);
  const local = written === "" ? "" : (before.split(outsideAddress).at(-1) ?? "");
  const domain = toAsciiDomain(written) ?? written.toLowerCase();
  const address = written === "" ? "" : `${local}@${written}`;
  if (names.length === 0 && written !== "") names.push("");
  return names.map((name) => ({ name, address, local, domain, organisation: toRegistrableDomain(domain) }));
}

const longestFrom = 1_000;
const outsideAddress = /[\s@<>"'()]/;

/** Empty if there is no such sign. */
function cutAtLast(text: string, sign: string): readonly string[] {
  const at = text.lastIndexOf(sign);
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + sign.length)];
}

const atEdges = /^[\s"'“”‹›<>(),;:_|]+|[\s"'“”‹›<>(),;:_|]+$/gu;

/** The first valid domain in From, in A-labels and lowercase; null if there is none. */
export function fromDomainOf({ from }: Pick<Message, "from">): string | null {
  const domains = from.list.flatMap(({ domain }) => (domain === null ? [] : [toAsciiDomain(domain)]));
  return domains.find((domain) => domain !== null) ?? null;
}

export const noAuthor = "The From header has no sender that can be checked.";

export function isSameMailbox(one: Party, other: Party): boolean {
  return one.local.toLowerCase() === other.local.toLowerCase() && one.domain === other.domain;
}

const maxShownLength = 150;

/** Text from a message, made safe and short for a sentence. */
export function quoted(text: string): string {
  return toVisibleCut(text.trim(), maxShownLength);
}

const domainForReaders = "example.com";

/** The domain in headers that users paste. */
export function domainToPaste(message: Pick<Message, "headers" | "from">): string {
  const domain = authorOf(message)?.domain ?? domainForReaders;
  // Users of a free mailbox can't publish pages or DNS records at its domain.
  return freemailProviderOf(domain) === null && !isLocalName(domain) ? domain : domainForReaders;
}

/** The address in a From header that users paste. Not one at a domain that public DNS can't have. */
export function addressToPaste({ address, domain }: Pick<Party, "address" | "domain">): string {
  return toAsciiDomain(domain) === null || isLocalName(domain) ? "you@your-domain.example" : quoted(address);
}

/** Endings that don't exist in public DNS. */
const privateEnds = /\.(?:local|lan|localdomain|localhost|internal|intranet|corp|home|private|generated)$/i;

/** A name that public DNS can't have. */
export function isLocalName(host: string): boolean {
  return !host.includes(".") || privateEnds.test(host);
}

/** The domain of the mailing list that sent the post. */
export function listDomainToPaste({ sender }: Pick<Message, "sender">): string {
  const domain = sender.list[0]?.domain ?? null;
  return (domain === null ? null : toAsciiDomain(domain)) ?? domainForReaders;
}
