// Work accounts often tell no `email`; their user name is an address then. There is nothing to revoke a token with: the
// consent is taken back on the account's own pages.

import { type OauthFacts, readMailboxAccount } from "./oauth-provider.ts";

const mailScope = "https://outlook.office.com/IMAP.AccessAsUser.All";

export const microsoft: OauthFacts = {
  label: "Microsoft",
  purpose: "Reads where a test landed in an Outlook mailbox of your own.",
  server: { discovers: true, issuer: "https://login.microsoftonline.com/common/v2.0" },
  scopes: ["openid", "email", "profile", "offline_access", mailScope],
  neededScopes: [mailScope],
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
