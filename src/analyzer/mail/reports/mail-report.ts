// Recognizes DMARC aggregate reports (RFC 9990, formerly RFC 7489) and TLS reports (RFC 8460) by their content. A
// forwarded report is a message like any other. An unreadable one counts as a report only if everything around it says
// so.

import { crc32, gunzipSync, type InflateRaw, inflateRawSync } from "node:zlib";
import { bodyOf, ownParts, type Part } from "../mime/parts.ts";
import { decodeCharset } from "../text/decoding.ts";
import { readDmarcReport } from "./dmarc-report.ts";
import { type MailReport, noRows } from "./mail-class.ts";
import { readTlsReport } from "./tls-report.ts";

/** Attachments that are examined. */
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
  return reportName.test(part.fileName ?? "") && /report[- ]?(?:domain|id)\b|dmarc/i.test(subject) ? "dmarc" : null;
}

/** The report, or why it isn't one. */
function readAttachment(part: Part): MailReport | string {
  const unpacked = unpack(bodyOf(part, maxUnpackedBytes));
  if (!unpacked.ok) return unpacked.problem;
  for (const file of unpacked.files) {
    const text = toReportText(file);
    const report = text.startsWith("<") ? readDmarcReport(text) : text.startsWith("{") ? readTlsReport(text) : null;
    if (report) return report;
  }
  return "It contains no readable report.";
}

/** Starts at the report's beginning. Empty for a file that begins with something else. */
function toReportText(file: Uint8Array): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const beginning = bytes.toString("latin1", 0, longestBeginning);
  const wide = wideCharset(beginning);
  if (wide === null && !/^(?:\u00ef\u00bb\u00bf)?\s{0,100}[<{]/.test(beginning)) return "";
  // A file that declares UTF-16 but was readable up to here is UTF-8: a string was written without conversion.
  const said = /^[^>]{0,300}\bencoding\s?=\s?["']([\w.:-]{1,40})/.exec(beginning)?.[1] ?? null;
  const named = said !== null && /^utf-?(?:16|32)/i.test(said) ? null : said;
  return decodeCharset(bytes, wide ?? named, false).trimStart();
}

const longestBeginning = 512;

/** Detected by the byte order mark. */
function wideCharset(beginning: string): string | null {
  if (beginning.startsWith("\u00ff\u00fe")) return "utf-16le";
  return beginning.startsWith("\u00fe\u00ff") ? "utf-16be" : null;
}

/** Uses the subject and the file name: RFC 9990 §3.5.1, RFC 8460 §5.3. */
function toUnreadable(root: Part, part: Part, type: MailReport["type"], problem: string): MailReport {
  const subject = (root.fields.first("subject") ?? "").slice(0, 1_000);
  const [submitter, domain, begin, end] = reportName.test(part.fileName ?? "") ? (part.fileName ?? "").split("!") : [];
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

// Unpacks attachments within limits: gzip, zip, or uncompressed. A bomb is abandoned at the limit, damage becomes a
// problem in words, and nothing throws. The zip reader supports what reports use: stored and deflated entries of the
// central directory.

const maxUnpackedBytes = 20_971_520;
const maxEntries = 20;

type Unpacked =
  | { readonly ok: true; readonly files: readonly Uint8Array[] }
  | { readonly ok: false; readonly problem: string };

function unpack(bytes: Uint8Array): Unpacked {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.length >= 2 && packed.readUInt16BE(0) === 0x1f8b) return inflated(() => [gunzip(packed)]);
  if (packed.length >= 4 && packed.readUInt32LE(0) === localHeader) return inflated(() => unzip(packed));
  return { ok: true, files: [packed] };
}

/** Some reporters append bytes to the archive. Then only its first member is read, and its checksum is verified. */
function gunzip(packed: Buffer): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return firstMember(packed);
  }
}

/** RFC 1952 §2.3: a header with optional fields, deflated bytes, and eight bytes of checksum and size. */
function firstMember(packed: Buffer): Uint8Array {
  const flags = packed.readUInt8(3);
  let at = 10;
  if (flags & 4) at += 2 + packed.readUInt16LE(at);
  for (const named of [8, 16]) if (flags & named) at = packed.indexOf(0, at) + 1 || packed.length;
  if (flags & 2) at += 2;
  const { buffer, engine } = inflateRawSync(packed.subarray(at), {
    maxOutputLength: maxUnpackedBytes,
    info: true,
  }) as unknown as { readonly buffer: Buffer; readonly engine: InflateRaw };
  if (packed.readUInt32LE(at + engine.bytesWritten) !== crc32(buffer)) throw new Error("checksum differs");
  return buffer;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

const tooLarge = `It unpacks to more than ${maxUnpackedBytes / 2 ** 20} MB.`;

function inflated(work: () => Uint8Array[]): Unpacked {
  try {
    return { ok: true, files: work() };
  } catch (error) {
    return {
      ok: false,
      problem: isTooLarge(error) ? tooLarge : "It cannot be unpacked because the archive is damaged.",
    };
  }
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const centralEnd = 0x06054b50;
const longestComment = 65_557;

/** PKWARE's application note, §4.3. Reading past the end throws, which means damage. */
function unzip(packed: Buffer): Uint8Array[] {
  const end = packed.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  if (end < 0 || packed.length - end > longestComment || packed.readUInt32LE(end) !== centralEnd)
    throw new Error("no central directory");
  const files: Uint8Array[] = [];
  let left = maxUnpackedBytes;
  let at = packed.readUInt32LE(end + 16);
  for (let entry = 0; entry < Math.min(packed.readUInt16LE(end + 10), maxEntries); entry++) {
    if (packed.readUInt32LE(at) !== centralHeader) throw new Error("no central header");
    const file = readEntry(packed, at, left);
    left -= file.length;
    if (file.length > 0) files.push(file);
    at += 46 + packed.readUInt16LE(at + 28) + packed.readUInt16LE(at + 30) + packed.readUInt16LE(at + 32);
  }
  return files;
}

function readEntry(packed: Buffer, central: number, left: number): Uint8Array {
  const method = packed.readUInt16LE(central + 10);
  const compressedSize = packed.readUInt32LE(central + 20);
  const local = packed.readUInt32LE(central + 42);
  if (packed.readUInt32LE(local) !== localHeader) throw new Error("no local header");
  const began = local + 30 + packed.readUInt16LE(local + 26) + packed.readUInt16LE(local + 28);
  const content = packed.subarray(began, began + compressedSize);
  if (method === 0) return content.subarray(0, left);
  if (method !== 8) throw new Error("unknown method");
  return content.length === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(left, 1) });
}
