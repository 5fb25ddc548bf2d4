// Slack answers errors with 200 and `ok: false`, and its tokens are of a type of its own. It takes PKCE only from an app
// that was made a public client for good (`pkce_not_allowed` otherwise), so that an app with a secret goes without.

import { type OauthFacts, textOf, type Words, wordsOf } from "./oauth-provider.ts";

export const slack: OauthFacts = {
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
