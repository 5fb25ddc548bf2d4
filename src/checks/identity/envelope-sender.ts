import { defineCheck, passed, skipped } from "../check.ts";
import { quoted } from "../party.ts";

export const envelopeSender = defineCheck({
  id: "envelope-sender",
  area: "identity",
  label: "Return path",
  owner: "email-service",
  asks: "whether the return path suits the mail",
  why: "Bounces must come back. VERP, BATV and SRS forms are normal.",
  refs: ["RFC 5321 §4.5.5"],
  needs: ["session"],
  kinds: ["bulk", "transactional", "personal"],
  domain: "no",
  passes: "Bounces go to {mailFrom}.",
  findings: {
    null: {
      severity: "minor",
      cost: 8,
      title: "Empty return path",
      says: "The message was sent with an empty return path, which is for bounces.",
      fix: "Set MAIL FROM to an address that collects bounces.",
    },
  },
  run({ session: { mailFrom } }) {
    if (mailFrom === null) return skipped("no-session");
    return mailFrom === "" ? [{ finding: "null" }] : passed({ mailFrom: quoted(mailFrom) });
  },
});
