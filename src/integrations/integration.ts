// What a workspace can be connected to, and how a connection fares.

import type { Provider } from "../placement/provider.ts";

export const integrationProviders = ["google", "microsoft", "slack", "discord", "imap"] as const;
export type IntegrationProvider = (typeof integrationProviders)[number];

/**
 * connecting: nothing is known yet. connected: all is well. trouble: it fails and is tried again.
 * reconnect: only a person can mend it (a password refused, a consent withdrawn).
 */
export const integrationStatuses = ["connecting", "connected", "trouble", "reconnect"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

// Whose a seed mailbox is that is read by IMAP with a password, by its server's name.

/** As the providers name them in their own instructions. */
const providerOfHost: Readonly<Record<string, Provider>> = {
  "imap.gmail.com": "gmail",
  "imap.googlemail.com": "gmail",
  "outlook.office365.com": "outlook",
  "imap-mail.outlook.com": "outlook",
  "imap.mail.yahoo.com": "yahoo",
  "imap.aol.com": "yahoo",
  "imap.mail.me.com": "icloud",
};

/** Null: its placement counts for itself alone. */
export function toMailboxProvider(host: string): Provider | null {
  return providerOfHost[host] ?? null;
}
