import { defineCheck, type Raised } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

export const autoReplyConduct = defineCheck({
  id: "auto-reply-conduct",
  area: "compliance",
  label: "Automatic replies",
  owner: "email-service",
  asks: "whether an automatic answer is marked as one",
  why: "Unmarked answers start loops.",
  refs: ["RFC 3834 §3.3, §5"],
  needs: ["message", "session"],
  kinds: ["auto-reply"],
  domain: "no",
  passes: "The automatic reply is marked as one and has an empty return path.",
  findings: {
    unmarked: {
      severity: "minor",
      cost: 8,
      title: "Automatic reply not marked",
      says: "The automatic reply is not marked.",
      fix: "Add `Auto-Submitted: auto-replied`.",
    },
    "return-path": {
      severity: "minor",
      cost: 3,
      title: "Automatic reply with return path",
      says: "The automatic reply uses {mailFrom} as return path.",
      fix: "Send it with an empty return path (`MAIL FROM:<>`).",
    },
  },
  run({ message, session: { mailFrom } }) {
    const raised: Raised<"unmarked" | "return-path">[] = [];
    const [mark = "no"] = valuesOf(message, "auto-submitted");
    if (/^(?:no\b|$)/i.test(mark)) raised.push({ finding: "unmarked" });
    if (mailFrom) raised.push({ finding: "return-path", data: { mailFrom: quoted(mailFrom) } });
    return raised;
  },
});
