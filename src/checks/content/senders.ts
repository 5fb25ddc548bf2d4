// Whose message it is, as far as its links are concerned: the organisation of From, and those whose signature holds.

import type { Message } from "../../mail/message.ts";
import { toRegistrableDomain } from "../../mail/registrable-domain.ts";
import type { Dkim } from "../authentication-facts.ts";
import { espOfDomain, findEsp } from "../esp.ts";
import type { Fact } from "../fact.ts";
import { fromDomainOf } from "../party.ts";

export type Senders = {
  readonly fromDomain: string | null;
  /** The service that sent it, by its name. */
  readonly esp: string | null;
  readonly organisations: ReadonlySet<string>;
};

type Place = { readonly host: string | null; readonly orgDomain: string | null };

export function toSenders(message: Message, dkim: Fact<Dkim>): Senders {
  const fromDomain = fromDomainOf(message);
  const signers = dkim.known ? dkim.value.signatures.filter(({ result }) => result === "pass") : [];
  const domains = [fromDomain, ...signers.map(({ domain }) => domain)].filter((domain) => domain !== null);
  const esp = findEsp({ headers: message.headers, domains })?.name ?? null;
  return { fromDomain, esp, organisations: new Set(domains.map(toRegistrableDomain)) };
}

/** A host of the service that sent the message: what it counts there is no lie of the sender's. */
export function isOfOwnService(host: string, { esp }: Senders): boolean {
  return esp !== null && espOfDomain(host)?.name === esp;
}

export function isOwn({ host, orgDomain }: Place, { organisations }: Senders): boolean {
  const organisation = orgDomain ?? host;
  return organisation !== null && organisations.has(organisation);
}
