// The rules of Yahoo and AOL. Who sends "a significant volume" is a bulk sender; no number is published.

import type { ProviderRules, Rule } from "../tally.ts";
import {
  aligns,
  both,
  dkimPasses,
  dmarcPublished,
  either,
  ifClientKnown,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import { consent, unsubscribed } from "./unseen.ts";

const rules: readonly Rule[] = [
  {
    id: "yahoo.auth",
    sender: "any",
    asks: "SPF or DKIM passes.",
    explainedBy: ["dmarc-result.unauthenticated", "freemail-from.elsewhere", "spf-*", "dkim-*"],
    read: either(spfPasses, dkimPasses),
  },
  {
    id: "yahoo.spf-and-dkim",
    sender: "bulk",
    inPlaceOf: "yahoo.auth",
    asks: "SPF and DKIM pass.",
    explainedBy: ["spf-*", "dkim-*"],
    read: both(spfPasses, dkimPasses),
  },
  {
    id: "yahoo.dmarc",
    sender: "bulk",
    asks: "The From domain has a DMARC record, and the message passes DMARC.",
    explainedBy: [
      "dmarc-record.*",
      "dmarc-syntax.unreadable",
      "dmarc-syntax.no-policy",
      "dmarc-result.*",
      "freemail-from.elsewhere",
    ],
    read: both(dmarcPublished, aligns),
  },
  {
    id: "yahoo.reverse-dns",
    sender: "any",
    asks: "The sending address has a reverse name that leads back to it and is a mail server's.",
    explainedBy: ["ptr-record.missing", "fcrdns.mismatch", "ptr-generic.dynamic"],
    // A listed range of home lines keeps ptr-generic silent: one cause, one owner.
    alsoBy: ["ip-blocklist.policy"],
    read: ifClientKnown,
  },
  {
    id: "yahoo.domains-exist",
    sender: "any",
    asks: "The domains of From and of the return path exist and take mail.",
    explainedBy: ["from-domain.*", "envelope-domain.*"],
    reference: "Yahoo SMTP errors",
  },
  {
    id: "yahoo.format",
    sender: "any",
    asks: "The message is well formed, as RFC 5322 asks.",
    explainedBy: [
      "header-syntax.*",
      "header-8bit.raw",
      "single-headers.repeated",
      "date-header.missing",
      "date-header.repeated",
      "date-header.unreadable",
      "date-header.future",
      "date-header.very-old",
      "mime-structure.*",
      "encoded-words.broken",
    ],
  },
  {
    id: "yahoo.unsubscribe-header",
    sender: "bulk",
    asks: "A List-Unsubscribe header leads to a page for one click or to an address.",
    explainedBy: ["list-unsubscribe.missing", "list-unsubscribe.unusable"],
  },
  {
    id: "yahoo.unsubscribe-link",
    sender: "bulk",
    asks: "Readers see a link to unsubscribe by.",
    explainedBy: ["unsubscribe-link.missing", "unsubscribe-link.hidden"],
    read: unlessListPost,
  },
];

export const yahooRules: ProviderRules = {
  provider: "yahoo",
  gate: "yahoo",
  rules,
  reference: "Yahoo sender rules",
  unseen: [
    "How many readers mark your mail as spam: Yahoo asks for fewer than 0.3% of what it puts into inboxes.",
    consent,
    unsubscribed,
    "How much you send: Yahoo names no number that makes a bulk sender.",
  ],
};
