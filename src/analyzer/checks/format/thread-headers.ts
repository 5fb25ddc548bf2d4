import { defineCheck, notApplicable, type Raised } from "../check.ts";
import { type HeaderLine, linesNamed } from "./header-lines.ts";

export const threadHeaders = defineCheck({
  id: "thread-headers",
  helpPage: "fix-message-id",
  label: "Thread headers",
  owner: "email-service",
  asks: "whether reply headers are valid",
  why: "Email clients need valid reply headers to group a conversation.",
  refs: ["RFC 5322 §3.6.4"],
  needs: ["message", "raw"],
  passes: "In-Reply-To and References contain valid message IDs.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Invalid thread header",
      says: 'The {header} header has no valid message ID: "{value}".',
      fix: "Use the Message-ID of the original message, in angle brackets.",
    },
  },
  run({ message, raw }) {
    const [reply] = linesNamed({ raw, message }, "in-reply-to");
    const [references] = linesNamed({ raw, message }, "references");
    if (!reply && !references) return notApplicable("The message is not a reply.");
    return [...judge(reply, message.inReplyTo), ...judge(references, message.references)];
  },
});

function judge(line: HeaderLine | undefined, ids: readonly string[]): Raised<"malformed">[] {
  if (!line || ids.some((id) => id.includes("@"))) return [];
  const { header, value } = line;
  return [{ finding: "malformed", data: { header, value }, subject: header, evidence: line }];
}
