// Who owns an SPF record. Most return paths use a domain of the sender's email service, whose record the sender cannot
// change. Such a record gets no advice. Only an error that breaks SPF for this message is reported, with whom to ask.

import { isWithin } from "../../dns/answer.ts";
import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Message } from "../../mail/mime/message.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts } from "../facts.ts";
import type { CameThrough } from "../kind.ts";

export const ownershipFacts = ["message", "own", "kind", "session"] as const;
type OwnershipFacts = Pick<KnownFacts, "message" | "own" | "session"> & { readonly kind: Fact<CameThrough> };

/** Who must fix the record if not the sender: the email service by name, or else the domain. */
export function findProvider(domain: string, { message, own, kind }: Omit<OwnershipFacts, "session">): string | null {
  if (!message.known) return null;
  if (own.known && own.value.domains.some((each) => isWithin(domain, each.toLowerCase()))) return null;
  const author = toFromDomain(message.value);
  if (author === null || toRegistrableDomain(domain) === toRegistrableDomain(author)) return null;
  return (kind.known && kind.value.esp?.name) || domain;
}

/** The domain of the first From address, as A-labels. */
export function toFromDomain({ from }: Pick<Message, "from">): string | null {
  const written = from.list[0]?.domain;
  return written == null ? null : toAsciiDomain(written);
}

/** The client's address, if it is public and so can go into a record. */
export function toClientAddress({ session }: Pick<KnownFacts, "session">): string | null {
  return session.known && session.value.isPublic ? session.value.clientAddress : null;
}

/** Why there is no single record to judge, which `spf-record` reports; null if there is one. */
export function whyNoRecord({ domain, records }: SpfRecord): string | null {
  if (records.length === 0) return `${domain} publishes no SPF record.`;
  return records.length > 1 ? `${domain} publishes ${records.length} SPF records.` : null;
}

/** Why the record gets no advice; null if it is the sender's own. */
export function whyNoAdvice(record: SpfRecord, facts: OwnershipFacts): string | null {
  const provider = findProvider(record.domain, facts);
  const notOwn =
    provider === null ? null : `The SPF record for ${record.domain} belongs to ${provider}, not to the sender.`;
  return whyNoRecord(record) ?? notOwn;
}
