// Reads the account that gave consent. The web app doesn't need it, and its parser of addresses is large.

import { readEmail } from "../../../platform/contract/emails.ts";
import { type GivenAccount, type OauthFacts, textOf, type Words } from "./oauth-provider.ts";

/** Null: missing or unusable. `claims`: from the ID token, or from the user's record. */
export function readGivenAccount({ gives }: OauthFacts, claims: Words, answer: Words): GivenAccount | null {
  if (gives.is === "channel") return gives.readAccount(answer);
  const addresses = gives.addressClaims.map((claim) => readEmail(textOf(claims[claim]) ?? ""));
  // In the canonical form of accounts.
  const account = addresses.find((address) => address !== undefined);
  if (account === undefined) return null;
  return { account, grant: textOf(claims.sub) ?? account, webhookUrl: null };
}
