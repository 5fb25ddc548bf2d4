// Gmail's rules for mail to personal accounts. Bulk rules apply to those who send about 5,000 messages a day or more.

import type { ProviderRules, Rule } from "../tally.ts";
import {
  aligns,
  both,
  dkimPasses,
  dmarcPublished,
  either,
  ifClientKnown,
  ifHeard,
  ifSigned,
  notFrom,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import { consent, unsubscribed, volume } from "./unseen.ts";

/** Other providers ask for valid messages too, without more detail than Gmail. */
export const soundForm = [
  "header-syntax.*",
  "header-8bit.raw",
  "header-size.too-large",
  "line-length.over-998",
  "line-endings.*",
  "mime-structure.*",
  "from-header.*",
  "date-header.missing",
  "date-header.unreadable",
] as const;

const rules: readonly Rule[] = [
  {
    id: "gmail.auth",
    sender: "any",
    asks: "SPF or DKIM passes.",
    explainedBy: ["dmarc-result.*", "freemail-from.elsewhere", "spf-*", "dkim-*"],
    read: either(spfPasses, dkimPasses),
  },
  {
    id: "gmail.spf-and-dkim",
    sender: "bulk",
    inPlaceOf: "gmail.auth",
    asks: "SPF passes, and so does a DKIM signature with a key of at least 1,024 bits.",
    explainedBy: ["spf-*", "dkim-*"],
    read: both(spfPasses, dkimPasses),
  },
  {
    id: "gmail.dmarc",
    sender: "bulk",
    asks: "The From domain has a DMARC record with a policy (p=none is enough).",
    explainedBy: ["dmarc-record.*", "dmarc-syntax.unreadable", "dmarc-syntax.no-policy"],
    read: dmarcPublished,
  },
  {
    id: "gmail.alignment",
    sender: "bulk",
    asks: "SPF or DKIM passes and aligns with the From domain.",
    explainedBy: ["dmarc-result.*", "freemail-from.elsewhere"],
    read: aligns,
  },
  {
    id: "gmail.reverse-dns",
    sender: "any",
    asks: "The sending IP has a reverse DNS name that resolves back to it.",
    explainedBy: ["ptr-record.missing", "fcrdns.mismatch"],
    read: ifClientKnown,
  },
  {
    id: "gmail.tls",
    sender: "any",
    asks: "The message is sent over TLS.",
    explainedBy: ["tls-used.none"],
    read: ifHeard,
  },
  { id: "gmail.format", sender: "any", asks: "The message follows RFC 5322.", explainedBy: soundForm },
  {
    id: "gmail.message-id",
    sender: "any",
    asks: "The message has exactly one valid Message-ID.",
    explainedBy: ["message-id.missing", "message-id.repeated", "message-id.invalid"],
  },
  {
    id: "gmail.single-headers",
    sender: "any",
    asks: "Headers that must be unique appear only once.",
    explainedBy: [
      "single-headers.repeated",
      "date-header.repeated",
      "subject-header.repeated",
      "to-header.repeated",
      "from-header.several-headers",
    ],
  },
  {
    id: "gmail.one-author",
    sender: "any",
    asks: "The From header has exactly one valid address.",
    explainedBy: ["from-header.*"],
  },
  {
    id: "gmail.own-domain",
    sender: "any",
    asks: "The From address is not a gmail.com address, unless Gmail sent the message.",
    explainedBy: ["freemail-from.elsewhere"],
    read: notFrom("Gmail", ["gmail.com", "googlemail.com"]),
  },
  {
    id: "gmail.display-name",
    sender: "any",
    asks: "The From name is not misleading, and neither From nor Subject has disguised letters.",
    explainedBy: [
      "display-name.brand",
      "display-name.brand-on-service",
      "display-name.brand-unreadable",
      "display-name.recipient-organization",
      "display-name.other-address",
      "display-name.decorated",
      "invisible-characters.*",
    ],
  },
  {
    id: "gmail.honest-subject",
    sender: "any",
    asks: "The subject does not pretend to be a reply or a forward.",
    explainedBy: ["fake-reply.*"],
  },
  {
    id: "gmail.idn",
    sender: "any",
    asks: "Domain names do not mix scripts (UTS #39).",
    explainedBy: ["lookalike-domain.mixed-script", "link-lookalike.imitates"],
  },
  {
    id: "gmail.html",
    sender: "any",
    asks: "The HTML is well formed and has no active content.",
    explainedBy: ["html-structure.broken", "active-content.*"],
  },
  {
    id: "gmail.no-hidden-text",
    sender: "any",
    asks: "No content is hidden from recipients.",
    explainedBy: ["hidden-text.hidden", "hidden-text.some"],
  },
  {
    id: "gmail.one-click",
    sender: "bulk",
    asks: "Recipients can unsubscribe with one click (RFC 8058) and through a visible link.",
    explainedBy: ["list-unsubscribe.*", "one-click.*", "unsubscribe-link.missing", "unsubscribe-link.hidden"],
    read: (seen, byFindings) => unlessListPost(seen, ifSigned(seen, byFindings)),
  },
];

export const gmailRules: ProviderRules = {
  provider: "gmail",
  gate: "gmail",
  rules,
  reference: "Gmail sender rules",
  unseen: [
    "How many recipients mark your mail as spam. Gmail asks for less than 0.30% and recommends less than 0.10%.",
    consent,
    unsubscribed,
    volume,
  ],
};
