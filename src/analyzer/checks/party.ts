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
  return freemailProviderOf(domain) === null ? domain : domainForReaders;
}

/** The domain of the mailing list that sent the post. */
export function listDomainToPaste({ sender }: Pick<Message, "sender">): string {
  const domain = sender.list[0]?.domain ?? null;
  return (domain === null ? null : toAsciiDomain(domain)) ?? domainForReaders;
}
