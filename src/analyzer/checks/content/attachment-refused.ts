import { microsoftRejects } from "../../mail/mime/file-names.ts";
import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { attachmentsFor, type JudgedAttachment, raiseAttachments } from "./attachment-order.ts";

export const attachmentRefused = defineCheck({
  id: "attachment-refused",
  helpPage: "fix-attachments",
  label: "Blocked attachments",
  owner: "content",
  asks: "whether Gmail or Outlook blocks an attachment",
  why: "A single blocked file keeps the message from being delivered.",
  refs: ["Gmail blocked file types", "Outlook blocked extensions"],
  needs: ["attachments"],
  passes: "No attachment has a type that Gmail or Outlook blocks.",
  findings: {
    blocked: {
      severity: "critical",
      title: "Attachment blocked by Gmail",
      says: "The attachment {filename} has a type that is blocked by Gmail[[ and {provider}]] ({type}).",
      fix: "If the file is safe, share a link to it instead.",
      gates: [
        { provider: "gmail", sender: "any", reply: "552 5.7.0" },
        { provider: "outlook", sender: "any", when: "microsoft", reply: "550 5.0.350" },
      ],
    },
    "inside-archive": {
      severity: "critical",
      title: "Blocked file in archive",
      says: "The attachment {filename} contains {entry}, which Gmail blocks[[ in an encrypted {container}]].",
      fix: "If the file is safe, share a link to it instead.",
      gates: [{ provider: "gmail", sender: "any", reply: "552 5.7.0" }],
    },
    outlook: {
      severity: "major",
      title: "Attachment blocked by Outlook",
      says: "The attachment {filename} has a type that Outlook blocks ({type}).",
      fix: "If the file is safe, share a link to it instead, or send it in another format.",
      gates: [
        { provider: "outlook", sender: "any", when: "microsoft", reply: "550 5.0.350" },
        { provider: "outlook", sender: "any", may: true, when: "client", reply: "550 5.0.350, by policy" },
      ],
    },
  },
  run({ attachments }) {
    if (attachments.length === 0) return notApplicable("The message has no attachments.");
    return raiseAttachments(attachmentsFor("attachment-refused", attachments).map(describe));
  },
});

function describe({ attachment, warning: { warning, value } }: JudgedAttachment) {
  const seen = toVisible(value ?? "");
  const isRejected = microsoftRejects.has(seen);
  const data = { type: `.${seen}`, provider: isRejected ? "Microsoft" : null };
  const holds = [isRejected ? "microsoft" : "client"];
  if (warning === "gmail-refuses") return { attachment, finding: "blocked" as const, data, holds };
  if (warning === "outlook-blocks") return { attachment, finding: "outlook" as const, data, holds };
  const container = warning === "archive-in-encrypted" ? "archive" : null;
  return { attachment, finding: "inside-archive" as const, data: { entry: seen, container } };
}
