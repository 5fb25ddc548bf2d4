// Every provider there is. A new one by OAuth is a file of facts beside these, a row here and in config.ts
// (`oauthProviders`), and a name in integration.ts.

import { type OauthProvider, oauthProviders } from "../config.ts";
import { discord } from "./discord.ts";
import { google } from "./google.ts";
import type { IntegrationProvider } from "./integration.ts";
import { microsoft } from "./microsoft.ts";
import type { OauthFacts } from "./oauth-provider.ts";
import { slack } from "./slack.ts";

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
