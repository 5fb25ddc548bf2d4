// Whose a seed mailbox is that is read by IMAP with a password, by its server's name.

import type { Provider } from "../placement/provider.ts";

/** As the providers name them in their own instructions. */
const providerOfHost: Readonly<Record<string, Provider>> = {
  "imap.gmail.com": "gmail",
  "imap.googlemail.com": "gmail",
  "outlook.office365.com": "outlook",
  "imap-mail.outlook.com": "outlook",
  "imap.mail.yahoo.com": "yahoo",
  "imap.aol.com": "yahoo",
  "imap.mail.me.com": "icloud",
};

/** Null: its placement counts for itself alone. */
export function toMailboxProvider(host: string): Provider | null {
  return providerOfHost[host] ?? null;
}
