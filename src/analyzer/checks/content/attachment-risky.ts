import type { Attachment } from "../../mail/mime/attachments.ts";
import { endingOf } from "../../mail/mime/file-names.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { attachmentsFor, judgmentOf, raiseAttachments } from "./attachment-order.ts";

export const attachmentRisky = defineCheck({
  id: "attachment-risky",
  helpPage: "fix-attachments",
  label: "Risky attachments",
  owner: "content",
  asks: "whether an attachment has a type that filters distrust",
  why: "Such files are often quarantined.",
  refs: ["public filter rules"],
  needs: ["attachments", "kind"],
  byKind: true,
  passes: "No attachment has a type that filters distrust.",
  findings: {
    page: {
      severity: "minor",
      cost: 8,
      title: "HTML attachment",
      says: "The attachment {filename} is an HTML file, which is common in phishing.",
      fix: "Link to a web page, or send a PDF.",
    },
    macros: {
      severity: "major",
      title: "Attachment with macros",
      says: "The attachment {filename} contains macros or is of a type that can contain them.",
      fix: "Save the file without macros.",
    },
    encrypted: {
      severity: "minor",
      cost: 8,
      title: "Encrypted attachment",
      says: "The attachment {filename} is encrypted, so it cannot be scanned.",
      fix: "Share the file through a link that requires a login.",
    },
    "in-bulk": {
      severity: "minor",
      cost: 3,
      title: "Attachment in bulk mail",
      says: "This bulk message has an attachment, {filename}.",
      fix: "Link to the file instead.",
    },
  },
  run({ attachments, kind: { kind, mailingList } }) {
    if (attachments.length === 0) return notApplicable("The message has no attachments.");
    const risky = attachmentsFor("attachment-risky", attachments).map(({ attachment, warning }) => ({
      attachment,
      finding: risks.find((risk) => risk === warning.warning) ?? "page",
    }));
    // People share files on mailing lists, and list software attaches footers.
    const isCampaign = kind === "bulk" && !mailingList;
    const files = isCampaign ? attachments.filter((one) => isFile(one) && judgmentOf(one) === null) : [];
    return raiseAttachments([...risky, ...files.map((attachment) => ({ attachment, finding: "in-bulk" as const }))]);
  },
});

const risks = ["macros", "encrypted", "page"] as const;

/** Not an invitation, a signature, or an image that the HTML shows. */
function isFile({ declared, filename, cid, disposition, actual }: Attachment): boolean {
  if (declared === "text/calendar" || endingOf(filename ?? "") === "ics") return false;
  if (actual?.family === "signature" || /(?:pkcs7-signature|pgp-signature|pgp-keys)$/.test(declared)) return false;
  return cid === null || disposition === "attachment" || !declared.startsWith("image/");
}
