// Adapts a title for use inside a sentence. Imports nothing, because the web app loads it too (analyzer/words/plain-words.ts).

import type { Why } from "./fact.ts";

/** Lowercases the first letter ("no reverse DNS"), but not in names and acronyms. */
export function toInnerTitle(title: string): string {
  const [first = ""] = title.split(" ");
  const isName = /[A-Z]/.test(first.slice(1)) || names.has(first);
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Names that titles start with. */
const names: ReadonlySet<string> = new Set(["Bcc", "Gmail", "Outlook-only", "Yahoo"]);

// Why something is unknown. Each completes "Not checked: …" and "because …".

export const whyWords: Readonly<Record<Why | "broken", string>> = {
  timeout: "DNS did not respond",
  servfail: "DNS failed",
  refused: "DNS refused the query",
  "private-dns": "the DNS server does not resolve public names",
  silent: "the server did not respond",
  unfit: "the server's response was unusable",
  budget: "the lookup or time limit was reached",
  off: "turned off",
  unused: "the blocklists failed their own test, so they are not used",
  "no-session": "the message did not arrive over SMTP, so the sender's session is unknown",
  "not-public": "the IP address is not public",
  "not-seen": "Assay did not see your outgoing server",
  "reserved-name": "the domain is a name for tests, which has no DNS records",
  "too-large": "a part of the message exceeds a limit of Assay",
  "over-scan-limit": "it exceeds a limit of the malware scanner",
  encrypted: "an encrypted file can't be scanned",
  "parser-failed": "the message could not be parsed",
  "no-message": "there is no message",
  "no-key": "no DKIM key is known. Send a message from the domain, or enter a selector",
  broken: "the check itself failed, which is a bug in Assay",
};
