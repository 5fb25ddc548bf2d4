// The status of a connection.

import { type Provider, providers, providerTable } from "../../../analyzer/placement/provider.ts";

/**
 * connecting: nothing is known yet. connected: everything works. trouble: it fails and is retried. reconnect: only a
 * person can fix it (wrong password, consent withdrawn).
 */
export const integrationStatuses = ["connecting", "connected", "trouble", "reconnect"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

// The provider of a seed mailbox read over IMAP with a password, by the name of its server.

const providerOfHost = new Map<string, Provider>(
  providers.flatMap((provider) => providerTable[provider].hosts.map((host) => [host, provider] as const)),
);

/** Null: its placement counts only for itself. */
export function toMailboxProvider(host: string): Provider | null {
  return providerOfHost.get(host) ?? null;
}
