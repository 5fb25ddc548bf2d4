// Work accounts often have no `email` claim. Their user name is then an address. There is no revocation endpoint: users
// withdraw consent in their account settings.

import { type OauthFacts, readMailboxAccount } from "./oauth-provider.ts";

const mailScope = "https://outlook.office.com/IMAP.AccessAsUser.All";

export const microsoft: OauthFacts = {
  label: "Microsoft",
  purpose: "Shows where your tests land in an Outlook mailbox.",
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
  lapseNote: "Microsoft also ends a consent that is not used for 90 days.",
};
