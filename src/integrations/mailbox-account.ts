import { readEmail } from "../accounts/emails.ts";
import { type GivenAccount, textOf, type Words } from "./oauth-provider.ts";

/** Of a mailbox: its address, in the one form that names an account. */
export function readMailboxAccount(claims: Words, addressClaims: readonly string[]): GivenAccount | null {
  const addresses = addressClaims.map((claim) => readEmail(textOf(claims[claim]) ?? ""));
  const account = addresses.find((address) => address !== undefined);
  if (account === undefined) return null;
  return { account, grant: textOf(claims.sub) ?? account, webhookUrl: null };
}
