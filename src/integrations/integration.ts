// What a workspace can be connected to, and how a connection fares.

import { type Provider, providers, providerTable } from "../placement/provider.ts";

export const integrationProviders = ["google", "microsoft", "slack", "discord", "imap"] as const;
export type IntegrationProvider = (typeof integrationProviders)[number];

/**
 * connecting: nothing is known yet. connected: all is well. trouble: it fails and is tried again.
 * reconnect: only a person can mend it (a password refused, a consent withdrawn).
 */
export const integrationStatuses = ["connecting", "connected", "trouble", "reconnect"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

// Whose a seed mailbox is that is read by IMAP with a password, by its server's name.

const providerOfHost = new Map<string, Provider>(
  providers.flatMap((provider) => providerTable[provider].hosts.map((host) => [host, provider] as const)),
);

/** Null: its placement counts for itself alone. */
export function toMailboxProvider(host: string): Provider | null {
  return providerOfHost.get(host) ?? null;
}
