// The provider of a seed mailbox read over IMAP with a password, by the name of its server.

import { type Provider, providers, providerTable } from "../../../analyzer/placement/provider.ts";

const providerOfHost = new Map<string, Provider>(
  providers.flatMap((provider) => providerTable[provider].hosts.map((host) => [host, provider] as const)),
);

/** Null: its placement counts only for itself. */
export function toMailboxProvider(host: string): Provider | null {
  return providerOfHost.get(host) ?? null;
}
