// Apple's rules for mail to icloud.com, me.com and mac.com. Apple publishes no threshold for bulk senders.

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
  { id: "apple.spf", sender: "any", asks: "SPF passes.", explainedBy: ["spf-*"], read: spfPasses },
  { id: "apple.dkim", sender: "any", asks: "A DKIM signature passes.", explainedBy: ["dkim-*"], read: dkimPasses },
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
    asks: "The sending IP has a reverse DNS name that resolves back to it.",
    explainedBy: ["ptr-record.missing", "fcrdns.mismatch"],
    read: ifClientKnown,
  },
  { id: "apple.format", sender: "any", asks: "The message follows RFC 5322.", explainedBy: soundForm },
  {
    id: "apple.own-domain",
    sender: "any",
    asks: "The From address is not an icloud.com, me.com, or mac.com address, unless Apple sent the message.",
    explainedBy: ["freemail-from.elsewhere"],
    read: notFrom("Apple", ["icloud.com", "me.com", "mac.com"]),
  },
  {
    id: "apple.clean-links",
    sender: "any",
    asks: "No sending domain or linked domain is on a blocklist.",
    explainedBy: ["link-blocklist.listed", "domain-blocklist.listed"],
    reference: "Apple SMTP errors",
  },
  {
    id: "apple.unsubscribe",
    sender: "bulk",
    asks: "Recipients see an unsubscribe link, which opens no known form service.",
    explainedBy: ["unsubscribe-link.missing", "unsubscribe-link.hidden", "unsubscribe-link.form"],
    read: unlessListPost,
  },
  {
    id: "apple.arc",
    sender: "any",
    asks: "A forwarded message has a valid ARC chain.",
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
    "How many recipients mark your mail as junk. Apple publishes no limit and has no feedback loop.",
    consent,
    unsubscribed,
    "How much mail you send, and how steadily. Apple publishes no threshold for bulk senders.",
  ],
};
