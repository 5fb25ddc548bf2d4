// Gmail takes XOAUTH2 with one scope alone, which is a restricted one: the client of an operator who is not verified by
// Google stays in "Testing", where refresh tokens die after 7 days. Hence an app password is the better way there.

import { type OauthFacts, readMailboxAccount } from "./oauth-provider.ts";

const mailScope = "https://mail.google.com/";

export const google: OauthFacts = {
  label: "Google",
  purpose: "Reads where a test landed in a Gmail mailbox of your own.",
  server: { discovers: true, issuer: "https://accounts.google.com" },
  scopes: ["openid", "email", mailScope],
  neededScopes: [mailScope],
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
