// What a workspace can be connected to, and how a connection fares.

export const integrationProviders = ["google", "microsoft", "slack", "discord", "imap"] as const;
export type IntegrationProvider = (typeof integrationProviders)[number];

/**
 * connecting: nothing is known yet. connected: all is well. trouble: it fails and is tried again.
 * reconnect: only a person can mend it (a password refused, a consent withdrawn).
 */
export const integrationStatuses = ["connecting", "connected", "trouble", "reconnect"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];
