import type { DmarcResult } from "../authentication-facts.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import { type Fact, known, unknown } from "../fact.ts";
import { quoted } from "../party.ts";

export const envelopeSender = defineCheck({
  id: "envelope-sender",
  helpPage: "fix-mx",
  label: "Return path",
  owner: "email-service",
  asks: "whether the return path can receive bounces",
  why: "Bounces must reach the sender. VERP, BATV, and SRS addresses are normal.",
  refs: ["RFC 5321 §4.5.5"],
  needs: ["session"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "Bounces go to {mailFrom}.",
  findings: {
    null: {
      severity: "minor",
      cost: 8,
      title: "Empty return path",
      says: "The message was sent with an empty return path, which is reserved for bounces.",
      fix: "Set MAIL FROM to an address that receives bounces.",
    },
  },
  run({ session: { mailFrom } }) {
    if (mailFrom === null) return skipped("no-session");
    return mailFrom === "" ? [{ finding: "null" }] : passed({ mailFrom: quoted(mailFrom) });
  },
});

// Whether the From domain is authenticated. Providers require alignment even for domains without a DMARC record.

export function isAuthentic({ result, alignedBy, spfAligned }: DmarcResult): Fact<boolean> {
  if (result === "pass" || (alignedBy.length > 0 && result !== "fail")) return known(true);
  if (result === "temperror") return unknown("timeout");
  // Without a DMARC verdict, an unknown SPF result could still have been aligned.
  return spfAligned.known ? known(false) : spfAligned;
}
