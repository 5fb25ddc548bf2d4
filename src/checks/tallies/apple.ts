// Apple's rules for mail to icloud.com, me.com and mac.com. No volume is published that makes a bulk sender.

import type { ProviderRules, Rule } from "../tally.ts";
import { soundForm } from "./gmail.ts";
import {
  dkimPasses,
  dmarcPublished,
  ifClientKnown,
  notFrom,
  sealedByForwarder,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import { consent, unsubscribed } from "./unseen.ts";

const rules: readonly Rule[] = [
  {
    id: "apple.spf",
    sender: "any",
    asks: "SPF passes.",
    explainedBy: ["spf-*"],
    read: spfPasses,
  },
  {
    id: "apple.dkim",
    sender: "any",
    asks: "A DKIM signature passes.",
    explainedBy: ["dkim-*"],
    read: dkimPasses,
  },
  {
    id: "apple.dmarc",
    sender: "bulk",
    asks: "The From domain has a DMARC record.",
    explainedBy: ["dmarc-record.*", "dmarc-syntax.unreadable", "dmarc-syntax.no-policy"],
    read: dmarcPublished,
  },
  {
    id: "apple.reverse-dns",
    sender: "any",
    asks: "The sending address has a reverse name that leads back to it.",
    explainedBy: ["ptr-record.missing", "fcrdns.mismatch"],
    read: ifClientKnown,
  },
  {
    id: "apple.format",
    sender: "any",
    asks: "The message is well formed, as RFC 5322 asks.",
    explainedBy: soundForm,
  },
  {
    id: "apple.own-domain",
    sender: "any",
    asks: "From is no icloud.com, me.com or mac.com address, unless Apple sends the message.",
    explainedBy: ["freemail-from.elsewhere"],
    read: notFrom("Apple", ["icloud.com", "me.com", "mac.com"]),
  },
  {
    id: "apple.clean-links",
    sender: "any",
    asks: "No domain that the message links to or comes from is on a blocklist.",
    explainedBy: ["link-blocklist.listed", "domain-blocklist.listed"],
    reference: "Apple SMTP errors",
  },
  {
    id: "apple.unsubscribe",
    sender: "bulk",
    asks: "Readers see a link that unsubscribes them at once.",
    explainedBy: ["unsubscribe-link.missing", "unsubscribe-link.hidden", "unsubscribe-link.form"],
    read: unlessListPost,
  },
  {
    id: "apple.arc",
    sender: "any",
    asks: "A message that was forwarded bears an ARC chain that holds.",
    explainedBy: ["arc-chain.broken"],
    read: sealedByForwarder,
  },
];

export const appleRules: ProviderRules = {
  provider: "icloud",
  gate: "apple",
  rules,
  reference: "Apple sender rules",
  unseen: [
    "How many readers mark your mail as junk: no limit is published, and there is no feedback loop.",
    consent,
    unsubscribed,
    "How much you send, and how steadily: Apple names no number that makes a bulk sender.",
  ],
};
