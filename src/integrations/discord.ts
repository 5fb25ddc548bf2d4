// The webhook that a person chose comes beside the token, and outlives it.

import { type OauthFacts, textOf, wordsOf } from "./oauth-provider.ts";

export const discord: OauthFacts = {
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
