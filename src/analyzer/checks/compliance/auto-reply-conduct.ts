import { defineCheck, type Raised } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

export const autoReplyConduct = defineCheck({
  id: "auto-reply-conduct",
  helpPage: "fix-delivery-path",
  label: "Automatic replies",
  owner: "email-service",
  asks: "whether an automatic reply is marked as automatic",
  why: "Unmarked automatic replies can cause mail loops.",
  refs: ["RFC 3834 §3.3, §5"],
  needs: ["message", "session"],
  kinds: ["auto-reply"],
  passes: "The automatic reply has an Auto-Submitted header and an empty return path.",
  findings: {
    unmarked: {
      severity: "minor",
      cost: 8,
      title: "Automatic reply not marked",
      says: "The automatic reply has no Auto-Submitted header that marks it as automatic.",
      fix: "Add `Auto-Submitted: auto-replied`.",
    },
    "return-path": {
      severity: "minor",
      cost: 3,
      title: "Automatic reply with return path",
      says: "The automatic reply has the return path {mailFrom}.",
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
