// How attachments are shown in findings.

import type { Attachment } from "../../mail/attachments.ts";
import type { Raised } from "../check.ts";
import type { Data } from "../words.ts";
import { maxRaised, shown } from "./shown.ts";

/** Whatever hides in a name is shown as its escape. */
export function nameOf({ filename, part }: Attachment): string {
  return filename === null || filename.trim() === "" ? `part ${part} (without a name)` : shown(filename);
}

export type DescribedAttachment<Finding extends string> = {
  readonly attachment: Attachment;
  readonly finding: Finding;
  readonly data?: Data;
};

export function raiseAttachments<Finding extends string>(
  described: readonly DescribedAttachment<Finding>[],
): Raised<Finding>[] {
  return described.slice(0, maxRaised).map(({ attachment, finding, data }) => ({
    finding,
    subject: nameOf(attachment),
    data: { filename: nameOf(attachment), ...data },
    evidence: toEvidence(attachment),
  }));
}

function toEvidence(attachment: Attachment): Readonly<Record<string, unknown>> {
  const { part, declared, actual, bytes, warnings } = attachment;
  return { part, declared, actual, bytes, warnings: warnings.map(({ warning }) => warning) };
}
