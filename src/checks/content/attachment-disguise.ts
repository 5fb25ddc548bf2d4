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
  area: "content",
  label: "Disguised attachments",
  owner: "content",
  asks: "whether a file hides its nature",
  why: "Disguise is a habit of malware.",
  refs: ["RFC 2183", "UTS #39"],
  needs: ["attachments"],
  kinds: "all",
  domain: "no",
  passes: "Every file's name says plainly what it is.",
  findings: {
    name: {
      severity: "major",
      cost: 18,
      title: "Disguised attachment name",
      says: "{filename} {how}.",
      fix: "Rename it plainly.",
    },
    "two-names": {
      severity: "minor",
      cost: 3,
      title: "Attachment with two names",
      says: "One file is called {filename} and {other}.",
      fix: "Write the same name as filename in Content-Disposition and as name in Content-Type.",
    },
  },
  run({ attachments }) {
    if (attachments.length === 0) return notApplicable("The message has no attachment.");
    return raiseAttachments(attachmentsFor("attachment-disguise", attachments).map(describe));
  },
});

function describe({
  attachment,
  warning: { warning, value },
}: JudgedAttachment): DescribedAttachment<"name" | "two-names"> {
  if (warning === "two-names")
    return { attachment, finding: "two-names", data: { other: shown(value ?? "") } };
  const ending = endingOf(attachment.filename ?? "");
  const behind = ending === "" ? "" : `; its true ending is .${shown(ending)}`;
  const how =
    warning === "hidden-ending"
      ? `hides its ending .${value} behind another`
      : warning === "direction-override"
        ? `has a character that turns the reading direction${behind}`
        : `has characters that are not shown${behind}`;
  return { attachment, finding: "name", data: { how } };
}
