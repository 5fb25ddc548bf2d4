import { endingOf } from "../../mail/mime/file-names.ts";
import { defineCheck, notApplicable } from "../check.ts";
import {
  attachmentsFor,
  type DescribedAttachment,
  type JudgedAttachment,
  raiseAttachments,
} from "./attachment-order.ts";
import { shown } from "./shown.ts";

export const attachmentDisguise = defineCheck({
  id: "attachment-disguise",
  helpPage: "fix-attachments",
  label: "Disguised attachments",
  owner: "content",
  asks: "whether an attachment hides its real type",
  why: "Disguised files are typical of malware.",
  refs: ["RFC 2183", "UTS #39"],
  needs: ["attachments"],
  passes: "No attachment has a disguised name.",
  findings: {
    name: {
      severity: "major",
      title: "Disguised attachment name",
      says: "The attachment {filename} {how}.",
      fix: "Give the file a plain name.",
    },
    "two-names": {
      severity: "minor",
      cost: 3,
      title: "Attachment with two names",
      says: "One attachment has two names, {filename} and {other}.",
      fix: "Use the same name in Content-Disposition (filename) and Content-Type (name).",
    },
  },
  run({ attachments }) {
    if (attachments.length === 0) return notApplicable("The message has no attachments.");
    return raiseAttachments(attachmentsFor("attachment-disguise", attachments).map(describe));
  },
});

function describe({
  attachment,
  warning: { warning, value },
}: JudgedAttachment): DescribedAttachment<"name" | "two-names"> {
  if (warning === "two-names") return { attachment, finding: "two-names", data: { other: shown(value ?? "") } };
  const ending = endingOf(attachment.filename ?? "");
  const realEnding = ending === "" ? "" : ` (real extension: .${shown(ending)})`;
  const how =
    warning === "hidden-ending"
      ? `has a double extension (real extension: .${value})`
      : warning === "direction-override"
        ? `has a character in its name that reverses the text direction${realEnding}`
        : `has invisible characters in its name${realEnding}`;
  return { attachment, finding: "name", data: { how } };
}
