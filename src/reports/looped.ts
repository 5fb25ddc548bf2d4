// A message that Assay sent to itself over its own listener. Its return path, Message-ID, List-* headers and links to
// this server come from us, so they say nothing about the sender's mail.

import type { KnownFacts } from "../checks/facts.ts";
import { fromDomainOf } from "../checks/party.ts";
import type { Outcome } from "../checks/run.ts";
import { readListAddresses } from "../mail/headers/list-header.ts";
import type { Link } from "../mail/links/links.ts";

type Facts = Partial<KnownFacts>;

const why = "Assay sent this message to itself.";

/** Checks of what Assay writes into the message or its envelope. */
const ours = /^(?:spf-.*|envelope-.*|message-id|list-unsubscribe|one-click|list-id|list-headers)$/;
/** Checks that depend on authentication if nothing is signed: only SPF is left, and the return path is ours. */
const ofSignatures = /^(?:dkim-.*|dmarc-result|arc-chain|bimi-.*)$/;
/** Checks of the From domain, if it is a seed inbox domain. */
const ofFromDomain = /^(?:dkim-.*|dmarc-.*|bimi-.*|from-domain|mx-hosts|domain-blocklist)$/;

export function isLooped({ session }: Facts): boolean {
  return session?.known === true && session.value.isLooped;
}

/** Leaves out links to this server. */
export function withoutOwnLinks<T extends Facts>(facts: T): T {
  const { links, linkHosts } = facts;
  const own = isLooped(facts) ? toOwnOrigin(facts) : null;
  if (own === null || !links?.known) return facts;
  const list = links.value.list.filter((link) => !isAt(link, own));
  const total = links.value.total - (links.value.list.length - list.length);
  const hosts = linkHosts?.known && {
    ...linkHosts,
    value: linkHosts.value.filter(({ of }) => of !== own.hostname),
  };
  return { ...facts, links: { known: true, value: { list, total } }, ...(hosts && { linkHosts: hosts }) };
}

/** `facts`: with all links. */
export function withoutOwnDoing(outcomes: readonly Outcome[], facts: Facts): readonly Outcome[] {
  if (!isLooped(facts)) return outcomes;
  const patterns = [
    ours,
    ...(isUnsigned(facts) ? [ofSignatures] : []),
    ...(isFromSeedDomain(facts) ? [ofFromDomain] : []),
    ...(hasOwnUnsubscribe(facts) ? [/^unsubscribe-link$/] : []),
  ];
  return outcomes.map((outcome) =>
    patterns.some((pattern) => pattern.test(outcome.check))
      ? { check: outcome.check, outcome: "not-applicable", why }
      : outcome,
  );
}

/** This server's web address, from the List-Unsubscribe header that it wrote. */
function toOwnOrigin({ message }: Facts): URL | null {
  if (!message?.known) return null;
  const value = message.value.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  const { https, http } = readListAddresses(value);
  return URL.parse(https[0] ?? http[0] ?? "");
}

function isAt({ href }: Pick<Link, "href">, { origin }: URL): boolean {
  return URL.parse(href)?.origin === origin;
}

function hasOwnUnsubscribe(facts: Facts): boolean {
  const own = toOwnOrigin(facts);
  const list = facts.links?.known ? facts.links.value.list : [];
  return own !== null && list.some((link) => link.role === "unsubscribe" && isAt(link, own));
}

function isUnsigned({ dkim }: Facts): boolean {
  return dkim?.known === true && dkim.value.signatures.length === 0;
}

function isFromSeedDomain({ message, session }: Facts): boolean {
  if (!message?.known || !session?.known) return false;
  const mailFrom = session.value.mailFrom ?? "";
  const domain = mailFrom.slice(mailFrom.lastIndexOf("@") + 1).toLowerCase();
  return domain !== "" && fromDomainOf(message.value) === domain;
}
