// Issues that only show when two readers read the same bytes. They are found after the report, so they never change its
// score. `{evidence}` is what the readers made of it.

import type { FindingWords } from "../checks/check.ts";

type IssueWords = Omit<FindingWords, "cost" | "gates">;

const asMime = "Send the message with an up-to-date MIME library, and don't assemble parts by hand.";

export const secondReaderIssues = {
  "ambiguous-from": {
    severity: "major",
    title: "Readers see different senders",
    owner: "email-service",
    says: "Two readers find different senders in the same message: {evidence}.",
    fix: "Send exactly one From field with one plain address, such as `From: Shop <news@example.com>`.",
    why: "A filter may check one sender while the recipient sees the other. Large providers reject such mail.",
  },
  "hidden-attachment": {
    severity: "major",
    title: "Readers see different attachments",
    owner: "email-service",
    says: "Only one of two readers sees this attachment: {evidence}.",
    fix: asMime,
    why: "A virus scanner that misses an attachment passes it unscanned, so careful filters reject such mail.",
  },
  "attachment-content": {
    severity: "major",
    title: "Attachment decodes in two ways",
    owner: "email-service",
    says: "Two readers get different content for the same attachment: {evidence}.",
    fix: "Encode attachments as plain base64 with line ends only, and send each Content-Transfer-Encoding once.",
    why: "A virus scanner may check other bytes than the recipient opens.",
  },
  "attachment-name": {
    severity: "minor",
    title: "Attachment has two names",
    owner: "email-service",
    says: "Two readers give the same attachment different names: {evidence}.",
    fix: "Write one name, as `filename` in Content-Disposition, and the same as `name` in Content-Type.",
    why: "A filter that blocks dangerous endings may see a harmless one.",
  },
  "attachment-type": {
    severity: "minor",
    title: "Attachment has two types",
    owner: "email-service",
    says: "Two readers give the same attachment different types: {evidence}.",
    fix: "Send one valid Content-Type for each part.",
    why: "A filter may treat the attachment as another kind of file than the recipient's email client.",
  },
  "two-bodies": {
    severity: "major",
    title: "Readers show different text",
    owner: "email-service",
    says: "Two readers show different text for the same message: {evidence}.",
    fix: `Send one text part and one HTML part with the same content. ${asMime}`,
    why: "A filter may judge text that the recipient never sees. Spam uses this on purpose.",
  },
  "other-links": {
    severity: "major",
    title: "Readers see different links",
    owner: "email-service",
    says: "Only one of two readers sees this link: {evidence}.",
    fix: asMime,
    why: "A filter can't check a link that it doesn't see.",
  },
  "other-header": {
    severity: "minor",
    title: "Readers see another subject or date",
    owner: "email-service",
    says: "Two readers disagree about a header field: {evidence}.",
    fix: "Send Subject and Date once, and encode other characters than ASCII (RFC 2047).",
    why: "A filter may judge another subject or date than the recipient sees.",
  },
  "one-sided-signature": {
    severity: "major",
    title: "DKIM passes in one reader only",
    owner: "email-service",
    says: "A DKIM signature passes in one implementation only: {evidence}.",
    fix: "Sign with `rsa-sha256` and `relaxed/relaxed`, without `l=`, as the last step before sending.",
    why: "Some receivers will see the message as signed, others as unsigned. With DMARC, this can mean rejection.",
  },
  "lenient-signature": {
    severity: "info",
    title: "DKIM passes only in lenient receivers",
    owner: "email-service",
    says: "A receiver that isn't strict accepts a DKIM signature that the standard rejects: {evidence}.",
    fix: "Sign as RFC 6376 and RFC 8301 require: `rsa-sha256`, at least 1,024 bits, and all required tags.",
    why: "The message looks fine in some tests and fails at receivers that follow the standard.",
  },
  "one-sided-verdict": {
    severity: "minor",
    title: "Receivers may authenticate differently",
    owner: "dns",
    says: "Two implementations come to different results: {evidence}.",
    fix: "Fix the SPF, DMARC or ARC problems in the report first. Then analyze again.",
    why: "Receivers run different code. Mail that only some of them can authenticate is at risk.",
  },
  "stops-library": {
    severity: "minor",
    title: "Message stops a mail library",
    owner: "email-service",
    says: "A widely used library can't process the message: {evidence}.",
    fix: "Keep headers under 64 KB, and send fewer than 1,000 parts.",
    why: "Receivers that use such a library may reject, delay or lose the message.",
  },
} as const satisfies Readonly<Record<string, IssueWords>>;

export type SecondReaderFinding = keyof typeof secondReaderIssues;
