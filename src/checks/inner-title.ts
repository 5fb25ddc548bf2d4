// A title within a sentence. Nothing is imported here, because a reader's browser loads it too (api/plain-words.ts).

import type { Why } from "./fact.ts";

/** "no reverse DNS"; names and acronyms stay as they are. */
export function toInnerTitle(title: string): string {
  const [first = ""] = title.split(" ");
  const isName = /[A-Z]/.test(first.slice(1)) || names.has(first);
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** First words of titles. */
const names: ReadonlySet<string> = new Set(["Bcc", "Gmail", "Outlook-only", "Yahoo"]);

// Why something is not known, in words that complete "It was not checked: …".

export const whyWords: Readonly<Record<Why | "broken", string>> = {
  timeout: "DNS did not answer",
  servfail: "DNS failed",
  refused: "DNS refused to answer",
  silent: "its server did not answer",
  unfit: "its server gave no answer that can be used",
  budget: "there was no time left to ask",
  off: "it is not switched on",
  "no-session": "no mail server handed the message over, so who sent it is not known",
  "not-public": "the address is not one of the public internet",
  "too-large": "the message is too large",
  "parser-failed": "the message cannot be read",
  "no-message": "there is no message",
  "no-key": "no DKIM key is known; send a message from the domain, or name a selector",
  broken: "the check itself failed, which is a fault of Assay",
};
