import { defineCheck, notApplicable, type Raised } from "../check.ts";
import { type HeaderLine, linesNamed } from "./header-lines.ts";

export const threadHeaders = defineCheck({
  id: "thread-headers",
  area: "format",
  label: "Thread headers",
  owner: "email-service",
  asks: "whether reply headers are readable",
  why: "Threads break.",
  refs: ["RFC 5322 §3.6.4"],
  needs: ["message", "raw"],
  kinds: "all",
  domain: "no",
  passes: "Reply headers name messages by their ids.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Invalid thread header",
      says: '{header} cannot be read: "{value}".',
      fix: "Give the parent's Message-ID in angle brackets.",
    },
  },
  run({ message, raw }) {
    const [reply] = linesNamed({ raw, message }, "in-reply-to");
    const [references] = linesNamed({ raw, message }, "references");
    if (!reply && !references) return notApplicable("The message is no reply.");
    return [...judge(reply, message.inReplyTo), ...judge(references, message.references)];
  },
});

function judge(line: HeaderLine | undefined, ids: readonly string[]): Raised<"malformed">[] {
  if (!line || ids.some((id) => id.includes("@"))) return [];
  const { header, value } = line;
  return [{ finding: "malformed", data: { header, value }, subject: header, evidence: line }];
}
