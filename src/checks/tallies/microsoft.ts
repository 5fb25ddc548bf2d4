// The rules of outlook.com, hotmail.com and live.com. Since May 2025 a domain that sends more than 5,000 messages a day is
// refused for want of SPF, DKIM or DMARC.

import type { ProviderRules, Rule } from "../tally.ts";
import { soundForm } from "./gmail.ts";
import {
  aligns,
  both,
  dkimPasses,
  dmarcPublished,
  ifClientKnown,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import { consent, unsubscribed } from "./unseen.ts";

const unauthenticated = "550 5.7.515";
const newRules = "Microsoft requirements for high-volume senders";

const rules: readonly Rule[] = [
  {
    id: "microsoft.spf",
    sender: "bulk",
    asks: "SPF passes.",
    explainedBy: ["spf-*"],
    read: spfPasses,
    reply: unauthenticated,
    reference: newRules,
  },
  {
    id: "microsoft.dkim",
    sender: "bulk",
    asks: "A DKIM signature passes.",
    explainedBy: ["dkim-*"],
    read: dkimPasses,
    reply: unauthenticated,
    reference: newRules,
  },
  {
    id: "microsoft.dmarc",
    sender: "bulk",
    asks: "The From domain has a DMARC record, and SPF or DKIM passes for that domain.",
    explainedBy: [
      "dmarc-record.*",
      "dmarc-syntax.unreadable",
      "dmarc-syntax.no-policy",
      "dmarc-result.*",
      "freemail-from.elsewhere",
    ],
    read: both(dmarcPublished, aligns),
    reply: unauthenticated,
    reference: newRules,
  },
  {
    id: "microsoft.reverse-dns",
    sender: "any",
    asks: "The sending address has a reverse name.",
    explainedBy: ["ptr-record.missing"],
    read: ifClientKnown,
  },
  {
    id: "microsoft.static-address",
    sender: "any",
    asks: "The sending address is a server's own, not one of a home or dynamic line.",
    explainedBy: ["ptr-generic.dynamic", "ip-blocklist.policy"],
    read: ifClientKnown,
  },
  {
    id: "microsoft.format",
    sender: "any",
    asks: "The message is well formed, as RFC 5322 asks.",
    explainedBy: [...soundForm, "from-header.*"],
  },
  {
    id: "microsoft.reply",
    sender: "any",
    asks: "From and Reply-To are addresses that take replies.",
    explainedBy: ["from-domain.*", "reply-address.dead"],
    reference: newRules,
  },
  {
    id: "microsoft.unsubscribe-link",
    sender: "bulk",
    asks: "Readers see a link to unsubscribe by.",
    explainedBy: ["unsubscribe-link.missing", "unsubscribe-link.hidden"],
    read: unlessListPost,
    reference: newRules,
  },
];

export const microsoftRules: ProviderRules = {
  provider: "outlook",
  gate: "outlook",
  rules,
  reference: "Microsoft sender rules",
  unseen: [
    "How many readers mark your mail as junk: no limit is published; the Junk Mail Reporting Program tells you of each.",
    consent,
    unsubscribed,
    "Whether you send more than 5,000 messages a day, which is when SPF, DKIM and DMARC become a must.",
  ],
};
