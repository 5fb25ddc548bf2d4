// Whose an SPF record is. Most senders' envelopes lie in a domain of their sending service: its record is not theirs to
// tidy, so it gets no advice, and only a fault that harms this very message is told, with whom to ask.

import { isWithin } from "../../dns/answer.ts";
import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Message } from "../../mail/mime/message.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts } from "../facts.ts";
import type { CameThrough } from "../kind.ts";

export const ownershipFacts = ["message", "own", "kind", "session"] as const;
type OwnershipFacts = Pick<KnownFacts, "message" | "own" | "session"> & {
  readonly kind: Fact<CameThrough>;
};

/** Who must mend the record when that is not the sender: the service by its name, else the domain. */
export function findProvider(
  domain: string,
  { message, own, kind }: Omit<OwnershipFacts, "session">,
): string | null {
  if (!message.known) return null;
  if (own.known && own.value.domains.some((each) => isWithin(domain, each.toLowerCase()))) return null;
  const author = toFromDomain(message.value);
  if (author === null || toRegistrableDomain(domain) === toRegistrableDomain(author)) return null;
  return (kind.known && kind.value.esp?.name) || domain;
}

/** The first of From, as A-labels. */
export function toFromDomain({ from }: Pick<Message, "from">): string | null {
  const written = from.list[0]?.domain;
  return written == null ? null : toAsciiDomain(written);
}

/** The client, as far as its address can be recommended to anybody. */
export function toClientAddress({ session }: Pick<KnownFacts, "session">): string | null {
  return session.known && session.value.isPublic ? session.value.clientAddress : null;
}

/** Why there is no record whose terms could be judged: what `spf-record` tells. */
export function whyNoRecord({ domain, records }: SpfRecord): string | null {
  if (records.length === 0) return `${domain} publishes no SPF record.`;
  return records.length > 1 ? `${domain} publishes ${records.length} SPF records.` : null;
}

/** Why nothing is advised about the record; null where it is the sender's own. */
export function whyNoAdvice(record: SpfRecord, facts: OwnershipFacts): string | null {
  const provider = findProvider(record.domain, facts);
  const notOwn = provider === null ? null : `The SPF record of ${record.domain} is kept by ${provider}.`;
  return whyNoRecord(record) ?? notOwn;
}
