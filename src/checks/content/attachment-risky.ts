import type { Attachment } from "../../mail/mime/attachments.ts";
import { endingOf } from "../../mail/mime/file-names.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { attachmentsFor, judgmentOf, raiseAttachments } from "./attachment-order.ts";

export const attachmentRisky = defineCheck({
  id: "attachment-risky",
  area: "content",
  label: "Risky attachments",
  owner: "content",
  asks: "whether a file is of a kind that filters distrust",
  why: "Such files are often put into quarantine.",
  refs: ["public filter rules"],
  needs: ["attachments", "kind"],
  kinds: "all",
  byKind: true,
  domain: "no",
  passes: "No attachment is of a kind that filters distrust.",
  findings: {
    page: {
      severity: "minor",
      cost: 8,
      title: "HTML attachment",
      says: "{filename} is a web page as a file; phishers use that.",
      fix: "Link to a page, or send a PDF.",
    },
    macros: {
      severity: "major",
      cost: 18,
      title: "Attachment with macros",
      says: "{filename} contains macros, or is of a kind that may.",
      fix: "Save it without macros.",
    },
    encrypted: {
      severity: "minor",
      cost: 8,
      title: "Encrypted attachment",
      says: "{filename} cannot be scanned because it is encrypted.",
      fix: "Share it by a link with log-in.",
    },
    "in-bulk": {
      severity: "minor",
      cost: 3,
      title: "Attachment in bulk mail",
      says: "A bulk message carries {filename}.",
      fix: "Link to it.",
    },
  },
  run({ attachments, kind: { kind, mailingList } }) {
    if (attachments.length === 0) return notApplicable("The message has no attachment.");
    const risky = attachmentsFor("attachment-risky", attachments).map(({ attachment, warning }) => ({
      attachment,
      finding: risks.find((risk) => risk === warning.warning) ?? "page",
    }));
    // People send each other files by lists as well, and lists attach their footers.
    const isCampaign = kind === "bulk" && !mailingList;
    const files = isCampaign ? attachments.filter((one) => isFile(one) && judgmentOf(one) === null) : [];
    return raiseAttachments([
      ...risky,
      ...files.map((attachment) => ({ attachment, finding: "in-bulk" as const })),
    ]);
  },
});

const risks = ["macros", "encrypted", "page"] as const;

/** Neither an invitation, nor a signature, nor a picture that the HTML shows. */
function isFile({ declared, filename, cid, disposition, actual }: Attachment): boolean {
  if (declared === "text/calendar" || endingOf(filename ?? "") === "ics") return false;
  if (actual?.family === "signature" || /(?:pkcs7-signature|pgp-signature|pgp-keys)$/.test(declared))
    return false;
  return cid === null || disposition === "attachment" || !declared.startsWith("image/");
}
