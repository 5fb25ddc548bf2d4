import { defineCheck, notApplicable } from "../check.ts";
import { attachmentsFor, type JudgedAttachment, raiseAttachments } from "./attachment-order.ts";
import { shown } from "./shown.ts";

export const attachmentType = defineCheck({
  id: "attachment-type",
  helpPage: "fix-attachments",
  label: "Attachment types",
  owner: "content",
  asks: "whether an attachment's content matches its name and type",
  why: "Scanners distrust files whose content does not match their name or type.",
  refs: ["RFC 2045"],
  needs: ["attachments"],
  passes: "Every attachment's content matches its name and type.",
  findings: {
    mismatch: {
      severity: "major",
      title: "Attachment type mismatch",
      says: "The attachment {filename} ({declared}) is actually {actual}.",
      fix: "Declare it as {type}, and use a matching file name.",
    },
    "outlook-only": {
      severity: "minor",
      cost: 8,
      title: "Outlook-only attachment",
      says: "Only Outlook can read the attachment {filename}.",
      fix: "In Outlook, send as HTML or plain text instead of rich text.",
    },
  },
  run({ attachments }) {
    if (attachments.length === 0) return notApplicable("The message has no attachments.");
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
