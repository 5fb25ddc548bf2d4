// Recognizes DMARC aggregate reports (RFC 9990, formerly RFC 7489) and TLS reports (RFC 8460) by their content. An
// unreadable one counts as a report only if everything around it says so, and it isn't forwarded.

import { crc32, gunzipSync, type InflateRaw, inflateRawSync } from "node:zlib";
import { bodyOf, isEmbedded, ownParts, type Part } from "../mime/parts.ts";
import { decodeCharset } from "../text/decoding.ts";
import { readDmarcReport } from "./dmarc-report.ts";
import { type MailReport, noRows, type Recognised } from "./mail-class.ts";
import { toReportName } from "./report-file.ts";
import { readTlsReport } from "./tls-report.ts";

/** Read of a message, and attachments that are examined. People mail old reports in, many at once. */
const mostReports = 20;
const tooMany = `Not all reports in this message were read. Send the others again, at most ${mostReports} in a message.`;

/** What may still be read of a message. */
type Left = { reports: number; rows: number; bytes: number };
/** All rows are written in one transaction, which takes some 20 ms for so many. */
const mostLeft: Left = { reports: mostReports, rows: 1_000, bytes: 83_886_080 };

/** Null: it has none. */
export function readMailReports(root: Part): Extract<Recognised, { kind: "report" }> | null {
  const isForwarded = isPassedOn(root);
  const own = readReports(root, ownParts(root), isForwarded);
  if (own !== undefined) return isForwarded ? { ...own, isForwarded } : own;
  // A bounce returns messages in the same way.
  if (root.type === "multipart/report") return null;
  const attached = ownParts(root).filter(isEmbedded);
  const forwarded = readReports(
    root,
    attached.flatMap(({ parts }) => parts.flatMap(ownParts)),
    true,
  );
  return forwarded ? { ...forwarded, isForwarded: true } : null;
}

type Unreadable = { readonly report: MailReport; readonly isNamed: boolean };

/** `isForwarded`: people also forward what isn't a report. */
function readReports(root: Part, all: readonly Part[], isForwarded: boolean) {
  const parts = all.filter(isCandidate);
  const left = { ...mostLeft };
  const found: MailReport[] = [];
  const unreadable: Unreadable[] = [];
  let unread = parts[mostReports];
  for (const part of parts.slice(0, mostReports)) {
    const expected = expectedType(root, part);
    const { reports, problem, isCut } = isSpent(left) ? notRead : readAttachment(part, left);
    found.push(...reports);
    if (isCut) unread ??= part;
    if (problem !== null && expected !== null)
      unreadable.push({ report: toUnreadable(root, part, expected, problem), isNamed: isNamedLikeReport(part) });
  }
  const [first] = found;
  if (first !== undefined || !isForwarded) found.push(...toTold(unreadable, first === undefined));
  if (first !== undefined && unread !== undefined) found.push(toUnreadable(root, unread, first.type, tooMany));
  const [report, ...more] = found;
  return report && { kind: "report" as const, report, ...(more.length > 0 && { more }) };
}

/** Next to reports, other attachments are no surprise. */
function toTold(unreadable: readonly Unreadable[], isAlone: boolean): MailReport[] {
  const named = unreadable.filter(({ isNamed }) => isNamed);
  const told = isAlone && named.length === 0 ? unreadable.slice(0, 1) : named;
  return told.map(({ report }) => report);
}

function isSpent({ reports, rows, bytes }: Left): boolean {
  return reports <= 0 || rows <= 0 || bytes <= 0;
}

function isPassedOn({ fields }: Part): boolean {
  const subject = fields.first("subject") ?? "";
  return /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|i|enc)\s?:/i.test(subject) || fields.first("in-reply-to") !== null;
}

const packedType =
  /^(?:application\/(?:gzip|x-gzip|gzip-compressed|zip|x-zip|x-zip-compressed|octet-stream|xml|tlsrpt(?:\+(?:gzip|json))?|json)|text\/(?:xml|plain))$/;
/** RFC 9990 §3.5.1 (RFC 7489 §7.2.1.1): receiver!domain!begin!end[!id]. */
const reportName =
  /^[\w.-]{1,253}![\w.-]{1,253}!\d{1,12}!\d{1,12}(?:![\w.-]{1,100})?\.(?:xml|xml\.gz|zip|gz|json|json\.gz)$/i;

function isCandidate(part: Part): boolean {
  if (!packedType.test(part.type)) return false;
  if (part.type !== "text/plain" || /\.(?:xml|gz|zip|json)$/i.test(part.fileName ?? "")) return true;
  return toReportName(bodyOf(part, longestBeginning)) !== null;
}

function expectedType(root: Part, part: Part): MailReport["type"] | null {
  const subject = root.fields.first("subject") ?? "";
  const isTls = part.type.startsWith("application/tlsrpt") || root.fields.first("tls-report-domain") !== null;
  if (isTls) return "tls";
  return isNamedLikeReport(part) && /report[- ]?(?:domain|id)\b|dmarc/i.test(subject) ? "dmarc" : null;
}

function isNamedLikeReport({ fileName }: Part): boolean {
  return reportName.test(fileName ?? "");
}

type Attached = {
  readonly reports: readonly MailReport[];
  /** Why there are none. */
  readonly problem: string | null;
  /** It has more than may be read. */
  readonly isCut: boolean;
};

const notRead: Attached = { reports: [], problem: null, isCut: true };

function readAttachment(part: Part, left: Left): Attached {
  const unpacked = unpack(bodyOf(part, maxUnpackedBytes));
  if (!unpacked.ok) {
    if (unpacked.problem === tooLarge) left.bytes -= maxUnpackedBytes;
    return { reports: [], problem: unpacked.problem, isCut: false };
  }
  const reports: MailReport[] = [];
  let { isCut } = unpacked;
  for (const file of unpacked.files) {
    if (isSpent(left)) {
      isCut = true;
      break;
    }
    left.bytes -= file.length;
    const report = readReport(file);
    if (report === null) continue;
    left.reports -= 1;
    left.rows -= countRows(report);
    reports.push(report);
  }
  return { reports, problem: reports.length > 0 ? null : "It contains no readable report.", isCut };
}

function readReport(file: Uint8Array): MailReport | null {
  const text = toReportText(file);
  return text.startsWith("<") ? readDmarcReport(text) : text.startsWith("{") ? readTlsReport(text) : null;
}

function countRows({ sources, tlsPolicies }: MailReport): number {
  return tlsPolicies.reduce((sum, { failures }) => sum + 1 + failures.length, sources.length);
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

const longestBeginning = 2_048;

/** Detected by the byte order mark. */
function wideCharset(beginning: string): string | null {
  if (beginning.startsWith("\u00ff\u00fe")) return "utf-16le";
  return beginning.startsWith("\u00fe\u00ff") ? "utf-16be" : null;
}

/** Uses the subject and the file name: RFC 9990 §3.5.1, RFC 8460 §5.3. */
function toUnreadable(root: Part, part: Part, type: MailReport["type"], problem: string): MailReport {
  const subject = (root.fields.first("subject") ?? "").slice(0, 1_000);
  const [submitter, domain, begin, end] = isNamedLikeReport(part) ? (part.fileName ?? "").split("!") : [];
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
  | { readonly ok: true; readonly files: readonly Uint8Array[]; readonly isCut: boolean }
  | { readonly ok: false; readonly problem: string };

function unpack(bytes: Uint8Array): Unpacked {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.length >= 2 && packed.readUInt16BE(0) === 0x1f8b)
    return inflated(() => ({ files: [gunzip(packed)], isCut: false }));
  if (packed.length >= 4 && packed.readUInt32LE(0) === localHeader) return inflated(() => unzip(packed));
  return { ok: true, files: [packed], isCut: false };
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

type Files = Pick<Extract<Unpacked, { ok: true }>, "files" | "isCut">;

function inflated(work: () => Files): Unpacked {
  try {
    return { ok: true, ...work() };
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
function unzip(packed: Buffer): Files {
  const end = packed.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  if (end < 0 || packed.length - end > longestComment || packed.readUInt32LE(end) !== centralEnd)
    throw new Error("no central directory");
  const files: Uint8Array[] = [];
  let left = maxUnpackedBytes;
  let at = packed.readUInt32LE(end + 16);
  const entries = packed.readUInt16LE(end + 10);
  for (let entry = 0; entry < Math.min(entries, maxEntries); entry++) {
    if (packed.readUInt32LE(at) !== centralHeader) throw new Error("no central header");
    const file = readEntry(packed, at, left);
    left -= file.length;
    if (file.length > 0) files.push(file);
    at += 46 + packed.readUInt16LE(at + 28) + packed.readUInt16LE(at + 30) + packed.readUInt16LE(at + 32);
  }
  return { files, isCut: entries > maxEntries };
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
