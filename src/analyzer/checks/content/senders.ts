// Who sent the message, for judging its links: the organization in From, and every domain with a valid DKIM signature.

import { hostOfListAddress, readListAddresses } from "../../mail/headers/list-header.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Link } from "../../mail/links/links.ts";
import type { Message } from "../../mail/mime/message.ts";
import type { Dkim } from "../authentication-facts.ts";
import type { Raised } from "../check.ts";
import { espOfDomain, findEsp } from "../esp.ts";
import type { Fact } from "../fact.ts";
import type { Session } from "../facts.ts";
import { valuesOf } from "../mail-domain.ts";
import { fromDomainOf } from "../party.ts";
import type { Data } from "../words.ts";
import { maxRaised, shown } from "./shown.ts";

export type Senders = {
  readonly fromDomain: string | null;
  /** Name of the email service that sent the message. */
  readonly esp: string | null;
  readonly organisations: ReadonlySet<string>;
  /** A valid signature belongs to the organization in From. */
  readonly isSigned: boolean;
  /** Organizations that the message names as its service: in List-Unsubscribe, any signature, or the return path. */
  readonly services: ReadonlySet<string>;
};

export type HostName = { readonly host: string | null; readonly orgDomain: string | null };

export function toSenders(message: Message, dkim: Fact<Dkim>, session: Fact<Session>): Senders {
  const fromDomain = fromDomainOf(message);
  const signatures = dkim.known ? dkim.value.signatures : [];
  const signers = signatures.flatMap(({ result, domain }) => (result === "pass" && domain !== null ? [domain] : []));
  const domains = fromDomain === null ? signers : [fromDomain, ...signers];
  const esp = findEsp({ headers: message.headers, domains })?.name ?? null;
  const from = fromDomain === null ? null : toRegistrableDomain(fromDomain);
  const mailFrom = session.known ? session.value.mailFrom : null;
  const named = [
    ...valuesOf(message, "list-unsubscribe").flatMap((value) => readListAddresses(value).uris),
    ...(mailFrom === null ? [] : [`mailto:${mailFrom}`]),
  ].map(hostOfListAddress);
  const services = [...named, ...signatures.map(({ domain }) => domain)].filter((host) => host !== null);
  return {
    fromDomain,
    esp,
    organisations: new Set(domains.map(toRegistrableDomain)),
    isSigned: signers.some((domain) => toRegistrableDomain(domain) === from),
    services: new Set(services.map(toRegistrableDomain)),
  };
}

/** A host of the email service that sent the message: its click tracking isn't misleading. */
export function isOfOwnService(host: string, { esp }: Senders): boolean {
  return esp !== null && espOfDomain(host)?.name === esp;
}

export function isOwn({ host, orgDomain }: HostName, { organisations }: Senders): boolean {
  const organisation = orgDomain ?? host;
  return organisation !== null && organisations.has(organisation);
}

// How links appear in findings: each one once, up to a limit.

/** One finding per subject, in the order of the links. */
export function raiseEach<Finding extends string>(
  finding: Finding,
  links: readonly Link[],
  describe: (link: Link) => { readonly subject: string; readonly data: Data },
): Raised<Finding>[] {
  const raised = new Map<string, Raised<Finding>>();
  for (const link of links) {
    const { subject, data } = describe(link);
    if (raised.has(subject)) continue;
    raised.set(subject, { finding, subject: shown(subject), data, evidence: { link: toEvidence(link) } });
    if (raised.size >= maxRaised) break;
  }
  return [...raised.values()];
}

export function toEvidence({ href, text, host, place }: Link): Readonly<Record<string, unknown>> {
  return { href, text, host, place };
}
