import { defineCheck, passed, skipped } from "../check.ts";
import { isHeaderCut, linesNamed, seenIn } from "./header-lines.ts";

export const subjectHeader = defineCheck({
  id: "subject-header",
  helpPage: "fix-headers",
  label: "Subject header",
  owner: "content",
  asks: "whether Subject is present once and readable",
  why: "The subject is the first thing that recipients read.",
  refs: ["RFC 5322 §3.6.5", "RFC 2047"],
  needs: ["message", "raw"],
  passes: "The message has one subject, which is {length} characters long.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No subject",
      says: "The message has no subject.",
      fix: "Add a subject.",
    },
    repeated: {
      severity: "major",
      title: "Multiple Subject headers",
      owner: "email-service",
      says: "The message has {count} Subject headers.",
      fix: "Send only one Subject header.",
      why: "Gmail rejects repeated Subject headers.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    "very-long": {
      severity: "minor",
      cost: 3,
      title: "Very long subject",
      says: "The subject is {length} characters long.",
      fix: "Keep the subject under 70 characters.",
    },
  },
  run({ message, raw }) {
    const lines = linesNamed({ raw, message }, "subject");
    const [line] = lines;
    if (lines.length > 1) return [{ finding: "repeated", data: { count: lines.length }, evidence: seenIn(lines) }];
    if (!line && isHeaderCut(message)) return skipped("too-large");
    const subject = message.subject?.trim() ?? "";
    if (subject === "") return [{ finding: "missing", evidence: { ...line } }];
    const { length } = [...subject];
    if (length > maxLength) return [{ finding: "very-long", data: { length }, evidence: { ...line } }];
    return passed({ length });
  },
});

const maxLength = 200;
