// Providers of free mailboxes and their domains, including mailboxes of internet access providers. Mail from such a domain
// that comes from elsewhere is treated as spoofed, and senders can't change the domain's DNS. Domains that are mainly a
// company's own are left out.

import domainsByProvider from "./freemail.json" with { type: "json" };

const providers: ReadonlyMap<string, string> = new Map(
  Object.entries(domainsByProvider).flatMap(([provider, domains]) =>
    domains.split(" ").map((domain) => [domain, provider] as const),
  ),
);

/** The provider of a mailbox domain; null for other domains, including subdomains of a mailbox domain. */
export function freemailProviderOf(domain: string): string | null {
  return providers.get(domain.toLowerCase()) ?? null;
}
