// Every provider there is. A new one by OAuth is a file of facts beside these, a row here and in config.ts
// (`oauthProviders`), and a name in integration.ts.

import { type OauthProvider, oauthProviders } from "../config.ts";
import type { IntegrationProvider } from "./integration.ts";
import { type OauthFacts, readMailboxAccount, textOf, type Words, wordsOf } from "./oauth-provider.ts";

// Work accounts often tell no `email`; their user name is an address then. There is nothing to revoke a token with: the
// consent is taken back on the account's own pages.

const outlookScope = "https://outlook.office.com/IMAP.AccessAsUser.All";

const microsoft: OauthFacts = {
  label: "Microsoft",
  purpose: "Reads where a test landed in an Outlook mailbox of your own.",
  server: { discovers: true, issuer: "https://login.microsoftonline.com/common/v2.0" },
  scopes: ["openid", "email", "profile", "offline_access", outlookScope],
  neededScopes: [outlookScope],
  authorizeParameters: { prompt: "select_account" },
  pkce: "always",
  isOpenId: true,
  mailbox: {
    server: { host: "outlook.office365.com", port: 993, tls: "implicit" },
    seedProvider: "outlook",
  },
  readAccount: (claims) => readMailboxAccount(claims, ["email", "preferred_username"]),
  lapseNote: "A consent that is not used for 90 days ends too.",
};

// Slack answers errors with 200 and `ok: false`, and its tokens are of a type of its own. It takes PKCE only from an app
// that was made a public client for good (`pkce_not_allowed` otherwise), so that an app with a secret goes without.

const slack: OauthFacts = {
  label: "Slack",
  purpose: "Posts alerts to a channel that you choose.",
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
  mailbox: null,
  readAccount: (_claims, answer) => {
    const webhook = wordsOf(answer.incoming_webhook);
    const team = wordsOf(answer.team);
    const [webhookUrl, channel, teamId] = [textOf(webhook.url), textOf(webhook.channel), textOf(team.id)];
    if (webhookUrl === null || channel === null || teamId === null) return null;
    // All channels of a team share one token.
    return { account: `${textOf(team.name) ?? teamId} ${channel}`, grant: teamId, webhookUrl };
  },
  tidyAnswer,
  lapseNote: "",
};

function tidyAnswer(answer: Words): { readonly isError: boolean; readonly answer: Words } {
  if (answer.ok === false) return { isError: true, answer: { error: textOf(answer.error) ?? "unknown" } };
  return { isError: false, answer: { ...answer, token_type: "bearer" } };
}

// Gmail takes XOAUTH2 with one scope alone, which is a restricted one: the client of an operator who is not verified by
// Google stays in "Testing", where refresh tokens die after 7 days. Hence an app password is the better way there.

const gmailScope = "https://mail.google.com/";

const google: OauthFacts = {
  label: "Google",
  purpose: "Reads where a test landed in a Gmail mailbox of your own.",
  server: { discovers: true, issuer: "https://accounts.google.com" },
  scopes: ["openid", "email", gmailScope],
  neededScopes: [gmailScope],
  // Without both a refresh token comes with the first consent alone.
  authorizeParameters: { access_type: "offline", prompt: "consent" },
  pkce: "always",
  isOpenId: true,
  mailbox: {
    server: { host: "imap.gmail.com", port: 993, tls: "implicit" },
    seedProvider: "gmail",
  },
  readAccount: (claims) => readMailboxAccount(claims, ["email"]),
  lapseNote:
    "Consent to a client that Google has not verified ends after 7 days; an app password by IMAP does not.",
};

// The webhook that a person chose comes beside the token, and outlives it.

const discord: OauthFacts = {
  label: "Discord",
  purpose: "Posts alerts to a channel that you choose.",
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
  mailbox: null,
  readAccount: (_claims, answer) => {
    const webhook = wordsOf(answer.webhook);
    const [webhookUrl, name, channel] = [
      textOf(webhook.url),
      textOf(webhook.name),
      textOf(webhook.channel_id),
    ];
    if (webhookUrl === null || channel === null) return null;
    // The channel's name is not told.
    const account = `${name ?? "Webhook"} (channel ${channel})`;
    return { account, grant: textOf(webhook.id) ?? webhookUrl, webhookUrl };
  },
  deletesWebhook: true,
  lapseNote: "",
};

export const oauthFacts: Readonly<Record<OauthProvider, OauthFacts>> = { google, microsoft, slack, discord };

const imap = {
  label: "IMAP",
  purpose: "Reads where a test landed in any mailbox of your own, by its password.",
  scopes: [],
} as const;

/** What lists show of a provider. */
export function shownFacts(provider: IntegrationProvider): Pick<OauthFacts, "label" | "purpose" | "scopes"> {
  return isOauthProvider(provider) ? oauthFacts[provider] : imap;
}

export function isOauthProvider(name: string): name is OauthProvider {
  return oauthProviders.some((provider) => provider === name);
}
