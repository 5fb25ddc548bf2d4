// The rules of outlook.com, hotmail.com and live.com. Since May 2025, they reject domains that send more than 5,000
// messages a day without SPF, DKIM and DMARC.

import type { ProviderRules, Rule } from "../tally.ts";
import { soundForm } from "./gmail.ts";
import { aligns, both, dkimPasses, dmarcPublished, ifClientKnown, spfPasses, unlessListPost } from "./proofs.ts";
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
    asks: "The From domain has a DMARC record, and SPF or DKIM passes and aligns with it.",
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
    asks: "The sending IP has reverse DNS.",
    explainedBy: ["ptr-record.missing"],
    read: ifClientKnown,
  },
  {
    id: "microsoft.static-address",
    sender: "any",
    asks: "The sending IP belongs to a server, not to a home or dynamic connection.",
    explainedBy: ["ptr-generic.dynamic", "ip-blocklist.policy"],
    read: ifClientKnown,
  },
  { id: "microsoft.format", sender: "any", asks: "The message follows RFC 5322.", explainedBy: soundForm },
  {
    id: "microsoft.reply",
    sender: "any",
    asks: "The From and Reply-To addresses accept replies.",
    explainedBy: ["from-domain.*", "reply-address.dead"],
    reference: newRules,
  },
  {
    id: "microsoft.unsubscribe-link",
    sender: "bulk",
    asks: "Recipients see an unsubscribe link.",
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
    "How many recipients mark your mail as junk. Microsoft publishes no limit but reports complaints (Junk Mail Reporting Program).",
    consent,
    unsubscribed,
    "Whether you send more than 5,000 messages a day. Above that, SPF, DKIM, and DMARC are required.",
  ],
};
