// A message that Assay sent to itself over its own listener. Its return path, Message-ID, List-* headers and links to
// this server come from us, so they say nothing about the sender's mail.

import type { KnownFacts } from "../checks/facts.ts";
import { fromDomainOf } from "../checks/party.ts";
import type { Outcome } from "../checks/run.ts";
import { readListAddresses } from "../mail/headers/list-header.ts";
import type { Link } from "../mail/links/links.ts";

type Facts = Partial<KnownFacts>;

const why = "Assay sent this message to itself.";

/** Checks of what Assay writes into the message. */
const ours = /^(?:message-id|list-unsubscribe|one-click|list-id|list-headers)$/;
/** Checks of the return path, which is ours, so that the sender's is unknown. */
const ofReturnPath = /^(?:spf-.*|envelope-.*)$/;
/** Checks of the From domain, if it is a seed inbox domain. */
const ofFromDomain = /^(?:dkim-.*|dmarc-.*|bimi-.*|arc-chain|from-domain|mx-hosts|domain-blocklist)$/;

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
  const hosts = linkHosts?.known && { ...linkHosts, value: linkHosts.value.filter(({ of }) => of !== own.hostname) };
  return { ...facts, links: { known: true, value: { list, total } }, ...(hosts && { linkHosts: hosts }) };
}

/** `facts`: with all links. */
export function withoutOwnDoing(outcomes: readonly Outcome[], facts: Facts): readonly Outcome[] {
  if (!isLooped(facts)) return outcomes;
  const absent = [ours, ...(hasOwnUnsubscribe(facts) ? [/^unsubscribe-link$/] : [])];
  const unseen = [ofReturnPath, ...(isFromSeedDomain(facts) ? [ofFromDomain] : [])];
  return outcomes.map((outcome) => {
    const { check } = outcome;
    if (absent.some((pattern) => pattern.test(check))) return { check, outcome: "not-applicable", why };
    if (outcome.outcome === "skipped" && outcome.why === "reserved-name") return outcome;
    return unseen.some((pattern) => pattern.test(check)) ? { check, outcome: "skipped", why: "not-public" } : outcome;
  });
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

function isFromSeedDomain({ message, session }: Facts): boolean {
  if (!message?.known || !session?.known) return false;
  const mailFrom = session.value.mailFrom ?? "";
  const domain = mailFrom.slice(mailFrom.lastIndexOf("@") + 1).toLowerCase();
  return domain !== "" && fromDomainOf(message.value) === domain;
}
