import { defineCheck, notApplicable } from "../check.ts";
import { attachmentsFor, type JudgedAttachment, raiseAttachments } from "./attachment-order.ts";
import { shown } from "./shown.ts";

export const attachmentType = defineCheck({
  id: "attachment-type",
  area: "content",
  label: "Attachment types",
  owner: "content",
  asks: "whether a file is what it says it is",
  why: "Scanners distrust a file that is something else than it says.",
  refs: ["RFC 2045"],
  needs: ["attachments"],
  kinds: "all",
  domain: "no",
  passes: "Every file is what its name and type say.",
  findings: {
    mismatch: {
      severity: "major",
      cost: 18,
      title: "Attachment type mismatch",
      says: "{filename} ({declared}) is in truth {actual}.",
      fix: "Declare it as {type}, and give it a name to match.",
    },
    "outlook-only": {
      severity: "minor",
      cost: 8,
      title: "Outlook-only attachment",
      says: "The message carries {filename}, which only Outlook reads.",
      fix: "Send as HTML or plain text from Outlook, not as rich text.",
    },
  },
  run({ attachments }) {
    if (attachments.length === 0) return notApplicable("The message has no attachment.");
    return raiseAttachments(attachmentsFor("attachment-type", attachments).map(describe));
  },
});

function describe({ attachment, warning }: JudgedAttachment) {
  if (warning.warning === "outlook-only") return { attachment, finding: "outlook-only" as const };
  const { actual, declared } = attachment;
  const data = {
    declared: shown(declared),
    actual: actual === null ? warning.value : `${actual.name} (${actual.mediaType})`,
    type: warning.value,
  };
  return { attachment, finding: "mismatch" as const, data };
}
