// An attachment with several issues is judged once, by the first check in this order: one cause, one owner.

import type { Attachment, AttachmentWarning, AttachmentWarningKind } from "../../mail/mime/attachments.ts";
import type { Raised } from "../check.ts";
import type { Data } from "../words.ts";
import { maxRaised, shown } from "./shown.ts";

const order = [
  ["attachment-refused", ["gmail-refuses", "gmail-refuses-inside", "archive-in-encrypted", "outlook-blocks"]],
  ["attachment-disguise", ["hidden-ending", "direction-override", "hidden-characters", "two-names"]],
  ["attachment-type", ["type-mismatch", "outlook-only"]],
  ["attachment-risky", ["macros", "encrypted", "page"]],
] as const satisfies readonly (readonly [string, readonly AttachmentWarningKind[]])[];

type AttachmentCheck = (typeof order)[number][0];

export const attachmentOrder: readonly AttachmentCheck[] = order.map(([check]) => check);

export type JudgedAttachment = { readonly attachment: Attachment; readonly warning: AttachmentWarning };

/** Null when no check in the order finds an issue. */
export function judgmentOf(
  attachment: Attachment,
): { readonly check: AttachmentCheck; readonly warning: AttachmentWarning } | null {
  for (const [check, kinds] of order)
    for (const kind of kinds) {
      const warning = attachment.warnings.find((one) => one.warning === kind && isFault(one));
      if (warning) return { check, warning };
    }
  return null;
}

/** The attachments that this check judges, each with its worst issue. */
export function attachmentsFor(check: AttachmentCheck, attachments: readonly Attachment[]): JudgedAttachment[] {
  return attachments.flatMap((attachment) => {
    const judgment = judgmentOf(attachment);
    return judgment?.check === check ? [{ attachment, warning: judgment.warning }] : [];
  });
}

/** Direction marks and joiners are normal spelling in the scripts that need them. */
function isFault({ warning, value }: AttachmentWarning): boolean {
  if (warning === "direction-override") return /[\u202a-\u202e\u2066-\u2069]/.test(value ?? "");
  if (warning === "hidden-characters") return /\p{Cc}|[\u200b\u2060\ufeff\u00ad]|\s{20}/u.test(value ?? "");
  return true;
}

// How attachments are shown in findings.

/** Invisible characters in a name are shown as escapes. */
export function nameOf({ filename, part }: Pick<Attachment, "filename" | "part">): string {
  return filename === null || filename.trim() === "" ? `part ${part} (unnamed)` : shown(filename);
}

export type DescribedAttachment<Finding extends string> = {
  readonly attachment: Attachment;
  readonly finding: Finding;
  readonly data?: Data;
  readonly holds?: readonly string[];
};

export function raiseAttachments<Finding extends string>(
  described: readonly DescribedAttachment<Finding>[],
): Raised<Finding>[] {
  return described
    .slice(0, maxRaised)
    .map(({ attachment, finding, data, holds = [] }) => ({
      finding,
      holds,
      subject: nameOf(attachment),
      data: { filename: nameOf(attachment), ...data },
      evidence: toEvidence(attachment),
    }));
}

function toEvidence(attachment: Attachment): Readonly<Record<string, unknown>> {
  const { part, declared, actual, bytes, warnings } = attachment;
  return { part, declared, actual, bytes, warnings: warnings.map(({ warning }) => warning) };
}
