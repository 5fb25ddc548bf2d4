// The rules of Yahoo and AOL. Bulk senders send "a significant volume"; Yahoo publishes no number.

import type { ProviderRules, Rule } from "../tally.ts";
import { soundForm } from "./gmail.ts";
import {
  aligns,
  both,
  dkimPasses,
  dmarcPublished,
  either,
  ifClientKnown,
  ifSignedOrByMail,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import { consent, unsubscribed } from "./unseen.ts";

const rules: readonly Rule[] = [
  {
    id: "yahoo.auth",
    sender: "any",
    asks: "SPF or DKIM passes.",
    explainedBy: ["dmarc-result.*", "freemail-from.elsewhere", "spf-*", "dkim-*"],
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
    asks: "The sending IP has a reverse DNS name that resolves back to it and looks like a mail server's.",
    explainedBy: ["ptr-record.missing", "fcrdns.mismatch", "ptr-generic.dynamic"],
    // For a home connection on a policy blocklist, ptr-generic stays silent, so that one cause counts once.
    alsoBy: ["ip-blocklist.policy"],
    read: ifClientKnown,
  },
  {
    id: "yahoo.domains-exist",
    sender: "any",
    asks: "The From and return-path domains exist and accept mail.",
    explainedBy: ["from-domain.*", "envelope-domain.*"],
    reference: "Yahoo SMTP errors",
  },
  {
    id: "yahoo.format",
    sender: "any",
    asks: "The message follows RFC 5322, with headers that can be decoded and a plausible date.",
    explainedBy: [
      ...soundForm,
      "single-headers.repeated",
      "date-header.repeated",
      "date-header.future",
      "date-header.very-old",
      "encoded-words.broken",
    ],
  },
  {
    id: "yahoo.unsubscribe-header",
    sender: "bulk",
    asks: "A List-Unsubscribe header offers a one-click URL or an email address.",
    explainedBy: [
      "list-unsubscribe.missing",
      "list-unsubscribe.unusable",
      "one-click.missing",
      "one-click.wrong-value",
      "one-click.not-signed",
    ],
    read: ifSignedOrByMail,
  },
  {
    id: "yahoo.unsubscribe-link",
    sender: "bulk",
    asks: "Recipients see an unsubscribe link.",
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
    "How many recipients mark your mail as spam. Yahoo asks for less than 0.3% of the mail delivered to inboxes.",
    consent,
    unsubscribed,
    "How much mail you send. Yahoo publishes no threshold for bulk senders.",
  ],
};
