// Whom a mailbox belongs to, as far as its domain tells.

import { toAsciiDomain, toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Message } from "../mail/mime/message.ts";
import { toVisibleCut } from "../visible-text.ts";
import { freemailProviderOf } from "./freemail-table.ts";

type Mailbox = Message["from"]["list"][number];

export type Party = {
  readonly name: string | null;
  readonly address: string;
  readonly local: string;
  /** In A-labels and lower case. */
  readonly domain: string;
  /** The registrable domain, by the public suffix list. */
  readonly organisation: string;
};

/** Null for what is no address of the internet. */
export function toParty({ name, address, local, domain, problem }: Mailbox): Party | null {
  const ascii = domain === null || problem !== null ? null : toAsciiDomain(domain);
  if (local === null || ascii === null) return null;
  return { name, address, local, domain: ascii, organisation: toRegistrableDomain(ascii) };
}

/** Null where From is missing, repeated or unreadable, which is told by another check. */
export function authorOf({ headers, from }: Pick<Message, "headers" | "from">): Party | null {
  const [first] = from.list;
  const isOnce = headers.filter(({ key }) => key === "from").length === 1;
  return isOnce && first ? toParty(first) : null;
}

/** Of the first author that has one, in A-labels and lower case; null where From names none that DNS could know. */
export function fromDomainOf({ from }: Pick<Message, "from">): string | null {
  const domains = from.list.flatMap(({ domain }) => (domain === null ? [] : [toAsciiDomain(domain)]));
  return domains.find((domain) => domain !== null) ?? null;
}

export const noAuthor = "The From header names no sender that could be judged.";

export function isSameMailbox(one: Party, other: Party): boolean {
  return one.local.toLowerCase() === other.local.toLowerCase() && one.domain === other.domain;
}

const maxShownLength = 150;

/** What a stranger wrote, fit to stand in a sentence. */
export function quoted(text: string): string {
  return toVisibleCut(text.trim(), maxShownLength);
}

const domainForReaders = "example.com";

/** The domain that a header to paste is written with. */
export function domainToPaste(message: Pick<Message, "headers" | "from">): string {
  const domain = authorOf(message)?.domain ?? domainForReaders;
  // Nobody can serve a page there, or publish a record.
  return freemailProviderOf(domain) === null ? domain : domainForReaders;
}

/** That of the list which sent a post on. */
export function listDomainToPaste({ sender }: Pick<Message, "sender">): string {
  const domain = sender.list[0]?.domain ?? null;
  return (domain === null ? null : toAsciiDomain(domain)) ?? domainForReaders;
}
