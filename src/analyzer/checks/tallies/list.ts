// The providers' published rules, in the order in which reports show them, and how each is read from a message. Gmail's
// bulk rules apply to those who send about 5,000 messages a day or more. Since May 2025, outlook.com, hotmail.com and
// live.com reject domains that send more than that without SPF, DKIM and DMARC. Yahoo's bulk senders, also at AOL, send "a
// significant volume". Neither Yahoo nor Apple (icloud.com, me.com and mac.com) publishes a number.

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
  ifSignedOrByMail,
  notFrom,
  sealedByForwarder,
  spfPasses,
  unlessListPost,
} from "./proofs.ts";
import published from "./provider-rules.json" with { type: "json" };

const reads: Readonly<Record<string, Rule["read"]>> = {
  "gmail.auth": either(spfPasses, dkimPasses),
  "gmail.spf-and-dkim": both(spfPasses, dkimPasses),
  "gmail.dmarc": dmarcPublished,
  "gmail.alignment": aligns,
  "gmail.reverse-dns": ifClientKnown,
  "gmail.tls": ifHeard,
  "gmail.own-domain": notFrom("Gmail", ["gmail.com", "googlemail.com"]),
  "gmail.one-click": (seen, byFindings) => unlessListPost(seen, ifSigned(seen, byFindings)),
  "yahoo.auth": either(spfPasses, dkimPasses),
  "yahoo.spf-and-dkim": both(spfPasses, dkimPasses),
  "yahoo.dmarc": both(dmarcPublished, aligns),
  "yahoo.reverse-dns": ifClientKnown,
  "yahoo.unsubscribe-header": ifSignedOrByMail,
  "yahoo.unsubscribe-link": unlessListPost,
  "microsoft.spf": spfPasses,
  "microsoft.dkim": dkimPasses,
  "microsoft.dmarc": both(dmarcPublished, aligns),
  "microsoft.reverse-dns": ifClientKnown,
  "microsoft.static-address": ifClientKnown,
  "microsoft.unsubscribe-link": unlessListPost,
  "apple.spf": spfPasses,
  "apple.dkim": dkimPasses,
  "apple.dmarc": dmarcPublished,
  "apple.reverse-dns": ifClientKnown,
  "apple.own-domain": notFrom("Apple", ["icloud.com", "me.com", "mac.com"]),
  "apple.unsubscribe": unlessListPost,
  "apple.arc": sealedByForwarder,
};

type RuleRow = Omit<Rule, "read">;
type ProviderRow = Omit<ProviderRules, "rules" | "unseen"> & {
  /** What providers judge over days and thousands of messages. Every tally lists it; none counts it. */
  readonly complaints: string;
  readonly volume: string;
  readonly rules: readonly RuleRow[];
};

/** All providers ask for valid messages, and none with more detail than Gmail. */
const toPatterns = (pattern: string) => (pattern === "sound-form" ? published.soundForm : pattern);

export const ruleLists: readonly ProviderRules[] = (published.providers as readonly ProviderRow[]).map(
  ({ complaints, volume, rules, ...row }) => ({
    ...row,
    rules: rules.map((rule) => {
      const read = reads[rule.id];
      return { ...rule, explainedBy: rule.explainedBy.flatMap(toPatterns), ...(read && { read }) };
    }),
    unseen: [
      complaints,
      "Whether recipients asked for your mail.",
      "Whether you honor unsubscribe requests within 48 hours.",
      volume,
    ],
  }),
);
