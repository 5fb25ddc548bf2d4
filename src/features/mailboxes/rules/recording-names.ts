// The names under which the provider of a mailbox writes what it saw of a message: Received and
// Authentication-Results. A record under another name isn't used, so a missing name makes a fact unknown, never wrong.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";

const namesOfHost: Readonly<Record<string, readonly string[]>> = {
  "imap.gmail.com": ["google.com"],
  "imap.googlemail.com": ["google.com"],
  "outlook.office365.com": ["outlook.com"],
  "imap-mail.outlook.com": ["outlook.com"],
  "imap.mail.yahoo.com": ["yahoo.com"],
  "imap.aol.com": ["yahoo.com", "aol.com"],
  "imap.mail.me.com": ["icloud.com", "me.com", "apple.com"],
  "imap.fastmail.com": ["messagingengine.com", "fastmail.com"],
};

/** `more`: names that the person who connected the mailbox trusts. */
export function toRecordingNames(host: string, more: readonly string[]): readonly string[] {
  const known = namesOfHost[host] ?? [toRegistrableDomain(host)];
  return [...new Set([...more, ...known])];
}
