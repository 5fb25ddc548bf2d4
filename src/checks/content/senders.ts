// Whose message it is, as far as its links are concerned: the organisation of From, and those whose signature holds.

import type { Message } from "../../mail/message.ts";
import { toRegistrableDomain } from "../../mail/registrable-domain.ts";
import type { Dkim } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import { fromDomainOf } from "../party.ts";

export type Senders = {
  readonly fromDomain: string | null;
  readonly organisations: ReadonlySet<string>;
};

type Place = { readonly host: string | null; readonly orgDomain: string | null };

export function toSenders(message: Message, dkim: Fact<Dkim>): Senders {
  const fromDomain = fromDomainOf(message);
  const signers = dkim.known ? dkim.value.signatures.filter(({ result }) => result === "pass") : [];
  const domains = [fromDomain, ...signers.map(({ domain }) => domain)].filter((domain) => domain !== null);
  return { fromDomain, organisations: new Set(domains.map(toRegistrableDomain)) };
}

export function isOwn({ host, orgDomain }: Place, { organisations }: Senders): boolean {
  const organisation = orgDomain ?? host;
  return organisation !== null && organisations.has(organisation);
}
