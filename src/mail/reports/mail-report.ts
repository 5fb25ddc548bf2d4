// DMARC aggregate reports (RFC 9990, before it RFC 7489) and TLS reports (RFC 8460), told by their content. A person who passes one on
// sends a message like any other; one that cannot be read is kept as a report only when everything around it says that it is one.

import { bodyOf, ownParts, type Part } from "../mime/parts.ts";
import { maxUnpackedBytes, unpack } from "../mime/unpack.ts";
import { decodeCharset } from "../text/decoding.ts";
import { readDmarcReport } from "./dmarc-report.ts";
import { type MailReport, noRows } from "./mail-class.ts";
import { readTlsReport } from "./tls-report.ts";

/** Attachments that are looked into. */
const maxAttachments = 5;

export function readMailReport(root: Part): MailReport | null {
  if (isPassedOn(root)) return null;
  const parts = ownParts(root).filter(isCandidate).slice(0, maxAttachments);
  let unreadable: MailReport | null = null;
  for (const part of parts) {
    const expected = expectedType(root, part);
    const outcome = readAttachment(part);
    if (typeof outcome !== "string") return outcome;
    if (expected !== null) unreadable ??= toUnreadable(root, part, expected, outcome);
  }
  return unreadable;
}

function isPassedOn({ fields }: Part): boolean {
  const subject = fields.first("subject") ?? "";
  return (
    /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|i|enc)\s?:/i.test(subject) ||
    fields.first("in-reply-to") !== null ||
    fields.first("list-post") !== null
  );
}

const packedType =
  /^(?:application\/(?:gzip|x-gzip|gzip-compressed|zip|x-zip|x-zip-compressed|octet-stream|xml|tlsrpt(?:\+(?:gzip|json))?|json)|text\/(?:xml|plain))$/;
/** RFC 9990 §3.5.1 (RFC 7489 §7.2.1.1): receiver!domain!begin!end[!id]. */
const reportName =
  /^[\w.-]{1,253}![\w.-]{1,253}!\d{1,12}!\d{1,12}(?:![\w.-]{1,100})?\.(?:xml|xml\.gz|zip|gz|json|json\.gz)$/i;

function isCandidate(part: Part): boolean {
  if (!packedType.test(part.type)) return false;
  return part.type !== "text/plain" || /\.(?:xml|gz|zip|json)$/i.test(part.fileName ?? "");
}

function expectedType(root: Part, part: Part): MailReport["type"] | null {
  const subject = root.fields.first("subject") ?? "";
  const isTls = part.type.startsWith("application/tlsrpt") || root.fields.first("tls-report-domain") !== null;
  if (isTls) return "tls";
  return reportName.test(part.fileName ?? "") && /report[- ]?(?:domain|id)\b|dmarc/i.test(subject)
    ? "dmarc"
    : null;
}

/** The report, or why there is none. */
function readAttachment(part: Part): MailReport | string {
  const unpacked = unpack(bodyOf(part, maxUnpackedBytes));
  if (!unpacked.ok) return unpacked.problem;
  for (const file of unpacked.files) {
    const text = toReportText(file);
    const report = text.startsWith("<")
      ? readDmarcReport(text)
      : text.startsWith("{")
        ? readTlsReport(text)
        : null;
    if (report) return report;
  }
  return "It holds no report that can be read.";
}

/** From where it begins; empty for a file that begins with something else. */
function toReportText(file: Uint8Array): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const beginning = bytes.toString("latin1", 0, longestBeginning);
  const wide = wideCharset(beginning);
  if (wide === null && !/^(?:\u00ef\u00bb\u00bf)?\s{0,100}[<{]/.test(beginning)) return "";
  // What calls itself UTF-16 and can be read so far is UTF-8: a text in memory was written to a file.
  const said = /^[^>]{0,300}\bencoding\s?=\s?["']([\w.:-]{1,40})/.exec(beginning)?.[1] ?? null;
  const named = said !== null && /^utf-?(?:16|32)/i.test(said) ? null : said;
  return decodeCharset(bytes, wide ?? named, false).trimStart();
}

const longestBeginning = 512;

/** By the mark that its first bytes are. */
function wideCharset(beginning: string): string | null {
  if (beginning.startsWith("\u00ff\u00fe")) return "utf-16le";
  return beginning.startsWith("\u00fe\u00ff") ? "utf-16be" : null;
}

/** What its subject and its file name tell: RFC 9990 §3.5.1, RFC 8460 §5.3. */
function toUnreadable(root: Part, part: Part, type: MailReport["type"], problem: string): MailReport {
  const subject = (root.fields.first("subject") ?? "").slice(0, 1_000);
  const [submitter, domain, begin, end] = reportName.test(part.fileName ?? "")
    ? (part.fileName ?? "").split("!")
    : [];
  return {
    type,
    organization: /submitter:\s{0,5}(\S{1,253})/i.exec(subject)?.[1] ?? submitter ?? null,
    reportId: /report-id:\s{0,5}<?([^\s<>]{1,253})/i.exec(subject)?.[1] ?? null,
    domain: /report[ -]domain:\s{0,5}(\S{1,253})/i.exec(subject)?.[1] ?? domain ?? null,
    beginsAt: toTime(begin),
    endsAt: toTime(end?.split(".")[0]),
    total: null,
    failed: null,
    problem,
    ...noRows,
  };
}

function toTime(seconds: string | undefined): number | null {
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
