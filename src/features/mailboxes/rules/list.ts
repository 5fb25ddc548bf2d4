// All providers, with everything that is special about them. A new OAuth provider needs a row here and its name in
// config.ts (`oauthProviders`), which names its settings.

import type { OauthProvider } from "../../../platform/settings/config.ts";
import { type IntegrationFacts, type OauthFacts, textOf, type Words, wordsOf } from "./oauth-provider.ts";

// Work accounts often have no `email` claim. Their user name is then an address. There is no revocation endpoint: users
// withdraw consent in their account settings.

const outlookScope = "https://outlook.office.com/IMAP.AccessAsUser.All";

const microsoft: OauthFacts = {
  label: "Microsoft",
  purpose: "Shows where your tests land in an Outlook mailbox.",
  card: {
    title: "Outlook and Microsoft 365",
    what: "Microsoft mailbox",
    says: "Shows placement at Outlook.com. Microsoft no longer accepts passwords over IMAP.",
    note: "Access expires after 90 days of inactivity.",
  },
  server: { discovers: true, issuer: "https://login.microsoftonline.com/common/v2.0" },
  scopes: ["openid", "email", "profile", "offline_access", outlookScope],
  neededScopes: [outlookScope],
  authorizeParameters: { prompt: "select_account" },
  pkce: "always",
  isOpenId: true,
  gives: {
    is: "mailbox",
    server: { host: "outlook.office365.com", port: 993, tls: "implicit" },
    seedProvider: "outlook",
    addressClaims: ["email", "preferred_username"],
  },
  lapseNote: "Microsoft also ends access that has not been used for 90 days.",
};

// Slack answers errors with status 200 and `ok: false`, and its tokens have their own type. It accepts PKCE only from
// an app that was permanently made a public client (`pkce_not_allowed` otherwise), so an app with a secret doesn't use
// PKCE.

const slack: OauthFacts = {
  label: "Slack",
  purpose: "Posts alerts to a channel of your choice.",
  card: toChannelCard("Slack"),
  server: {
    discovers: false,
    issuer: "https://slack.com",
    authorizeUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    revokePath: "auth.revoke",
  },
  scopes: ["incoming-webhook"],
  neededScopes: [],
  authorizeParameters: {},
  pkce: "without a secret",
  isOpenId: false,
  gives: {
    is: "channel",
    alertKind: "slack",
    readAccount: (answer) => {
      const webhook = wordsOf(answer.incoming_webhook);
      const team = wordsOf(answer.team);
      const [webhookUrl, channel, teamId] = [textOf(webhook.url), textOf(webhook.channel), textOf(team.id)];
      if (webhookUrl === null || channel === null || teamId === null) return null;
      // All channels of a team share one token.
      return { account: `${textOf(team.name) ?? teamId} ${channel}`, grant: teamId, webhookUrl };
    },
  },
  tidyAnswer,
  lapseNote: "",
};

function tidyAnswer(answer: Words): { readonly isError: boolean; readonly answer: Words } {
  if (answer.ok === false) return { isError: true, answer: { error: textOf(answer.error) ?? "unknown" } };
  return { isError: false, answer: { ...answer, token_type: "bearer" } };
}

// Gmail accepts XOAUTH2 only with this scope, which is a restricted one. The client of an operator without Google's
// verification stays in "Testing", where refresh tokens expire after 7 days. An app password is the better choice
// there.

const gmailScope = "https://mail.google.com/";

const google: OauthFacts = {
  label: "Google",
  purpose: "Shows where your tests land in a Gmail mailbox.",
  card: {
    title: "Gmail (OAuth)",
    what: "Gmail mailbox",
    says: "Shows placement at Gmail. Assay doesn’t store a password.",
    note: "Try an app password first. Unless Google has verified this server’s OAuth client, you’ll have to reconnect every 7 days.",
  },
  server: { discovers: true, issuer: "https://accounts.google.com" },
  scopes: ["openid", "email", gmailScope],
  neededScopes: [gmailScope],
  // Without both, only the first consent returns a refresh token.
  authorizeParameters: { access_type: "offline", prompt: "consent" },
  pkce: "always",
  isOpenId: true,
  gives: {
    is: "mailbox",
    server: { host: "imap.gmail.com", port: 993, tls: "implicit" },
    seedProvider: "gmail",
    addressClaims: ["email"],
  },
  lapseNote: "Access through an unverified Google app ends after 7 days. An app password over IMAP has no such limit.",
};

// The webhook that the user chose comes with the token, and outlives it.

const discord: OauthFacts = {
  label: "Discord",
  purpose: "Posts alerts to a channel of your choice.",
  card: toChannelCard("Discord"),
  server: {
    discovers: false,
    issuer: "https://discord.com",
    authorizeUrl: "https://discord.com/oauth2/authorize",
    tokenUrl: "https://discord.com/api/oauth2/token",
    revokePath: "token/revoke",
  },
  scopes: ["webhook.incoming"],
  neededScopes: ["webhook.incoming"],
  authorizeParameters: {},
  pkce: "always",
  isOpenId: false,
  gives: {
    is: "channel",
    alertKind: "discord",
    readAccount: (answer) => {
      const webhook = wordsOf(answer.webhook);
      const [webhookUrl, name, channel] = [textOf(webhook.url), textOf(webhook.name), textOf(webhook.channel_id)];
      if (webhookUrl === null || channel === null) return null;
      // Discord doesn't return the channel's name.
      const account = `${name ?? "Webhook"} (channel ${channel})`;
      return { account, grant: textOf(webhook.id) ?? webhookUrl, webhookUrl };
    },
    deletesWebhook: true,
  },
  lapseNote: "",
};

function toChannelCard(label: string): OauthFacts["card"] {
  return {
    title: label,
    what: `${label} channel`,
    says: `Posts alerts to a channel you choose in ${label}. Assay can’t read messages there.`,
    note: null,
  };
}

export const oauthFacts: Readonly<Record<OauthProvider, OauthFacts>> = { google, microsoft, slack, discord };
export const oauthProviders = Object.keys(oauthFacts) as readonly OauthProvider[];

/** `connect`: the endpoint that takes the password of such a mailbox. */
export const passwordFacts = {
  imap: {
    label: "IMAP",
    purpose: "Shows where your tests land in any mailbox, using its password.",
    scopes: [],
    connect: "POST /api/integrations/imap",
  },
} satisfies Readonly<Record<string, IntegrationFacts & { readonly connect: string }>>;

type PasswordProvider = keyof typeof passwordFacts;
export type IntegrationProvider = OauthProvider | PasswordProvider;

const integrationTable: Readonly<Record<IntegrationProvider, IntegrationFacts>> = { ...oauthFacts, ...passwordFacts };
export const integrationProviders = Object.keys(integrationTable) as readonly IntegrationProvider[];

export function factsOf(provider: IntegrationProvider): IntegrationFacts {
  return integrationTable[provider];
}

export function isOauthProvider(name: string): name is OauthProvider {
  return Object.hasOwn(oauthFacts, name);
}

/** Otherwise, it gives a channel for alerts. */
export function givesMailbox(provider: IntegrationProvider): boolean {
  return isPasswordProvider(provider) || oauthFacts[provider].gives.is === "mailbox";
}

/** Connected with a password, which is stored. */
export function isPasswordProvider(name: string): name is PasswordProvider {
  return Object.hasOwn(passwordFacts, name);
}
