// The parsers of strangers' data, each as a function of any bytes. To add one, add a row.

import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { bodyPlaces } from "../../src/analyzer/checks/places-table.ts";
import { parseBimiRecord } from "../../src/analyzer/dns/bimi.ts";
import { readKeyRecord } from "../../src/analyzer/dns/dkim-key.ts";
import { readSignature } from "../../src/analyzer/dns/dkim-signature.ts";
import { findDmarcNearMiss, parseDmarcRecord } from "../../src/analyzer/dns/dmarc.ts";
import { findListRow, readCodes } from "../../src/analyzer/dns/dnsbl.ts";
import { parseMtaStsPolicy, parseMtaStsRecord } from "../../src/analyzer/dns/mta-sts.ts";
import { isNearMiss, parseSpf } from "../../src/analyzer/dns/spf.ts";
import { expandToName, expandToText, parseMacroString } from "../../src/analyzer/dns/spf-macro.ts";
import { parseTagList } from "../../src/analyzer/dns/tag-list.ts";
import { parseTlsRpt } from "../../src/analyzer/dns/tls-rpt.ts";
import { createZoneDns } from "../../src/analyzer/dns/zone.ts";
import { readVerdict, readVersion } from "../../src/analyzer/facts/clamd.ts";
import { noMalwareScanner } from "../../src/analyzer/facts/malware.ts";
import { unknownSender } from "../../src/analyzer/facts/notice-sender.ts";
import { recognise } from "../../src/analyzer/mail/bounces/classify.ts";
import { toEml, toEmlContent } from "../../src/analyzer/mail/eml.ts";
import { parseMailboxes } from "../../src/analyzer/mail/headers/address.ts";
import { readAuthor } from "../../src/analyzer/mail/headers/author.ts";
import { parseMailDate } from "../../src/analyzer/mail/headers/date.ts";
import { tracePath } from "../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../src/analyzer/mail/headers/fields.ts";
import { parseMailboxes as parseStrictMailboxes } from "../../src/analyzer/mail/headers/mailboxes.ts";
import { parseParameters } from "../../src/analyzer/mail/headers/parameters.ts";
import { parseReceived } from "../../src/analyzer/mail/headers/received.ts";
import { readPage, toHtml } from "../../src/analyzer/mail/html/page.ts";
import { toSafeHtml } from "../../src/analyzer/mail/html/safe-html.ts";
import { toImages } from "../../src/analyzer/mail/links/images.ts";
import { toLinks } from "../../src/analyzer/mail/links/links.ts";
import { readAttachments } from "../../src/analyzer/mail/mime/attachments.ts";
import { kindOf, lookInto } from "../../src/analyzer/mail/mime/file-kind.ts";
import { parseMessage, readMessage } from "../../src/analyzer/mail/mime/parse.ts";
import { readDmarcReport } from "../../src/analyzer/mail/reports/dmarc-report.ts";
import { readTlsReport } from "../../src/analyzer/mail/reports/tls-report.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { parseSessionText, toSessionText } from "../../src/analyzer/mail/session/session-text.ts";
import { noCircumstances } from "../../src/analyzer/reports/known-facts.ts";
import { toPins } from "../../src/analyzer/reports/pins.ts";
import { toReportColumns, toReportRows } from "../../src/features/tests/work/report-rows.ts";
import { decodeAnswer } from "../../src/platform/system/dns-packets.ts";
import type { SeedKind } from "./seeds.ts";

export type FuzzedParser = {
  readonly name: string;
  readonly reads: SeedKind;
  readonly parse: (bytes: Uint8Array) => unknown;
  /** Its result goes into a report. No database stores a NUL or half of a surrogate pair there. */
  readonly isKept?: boolean;
};

const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const asUtf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString();

export const fuzzedParsers: readonly FuzzedParser[] = [
  { name: "message", reads: "letter", parse: parseMessage, isKept: true },
  { name: "raw", reads: "letter", parse: (bytes) => readMessage(bytes).raw },
  { name: "attachments", reads: "letter", parse: (bytes) => readAttachments(bytes, parseMessage(bytes)), isKept: true },
  { name: "eml", reads: "letter", parse: readEml, isKept: true },
  { name: "file", reads: "letter", parse: lookInto, isKept: true },
  { name: "file kind", reads: "letter", parse: (bytes) => kindOf(Buffer.from(bytes)), isKept: true },
  {
    name: "recogniser",
    reads: "letter",
    parse: (bytes) => recognise(bytes, { mailFrom: "", rcptTo: ["ann@shop.example"] }),
  },
  { name: "author", reads: "letter", parse: (bytes) => readAuthor(readHeaderSection(bytes)) },
  { name: "delivery path", reads: "letter", parse: readPath, isKept: true },
  { name: "analysis", reads: "letter", parse: analyse, isKept: true },
  { name: "page", reads: "page", parse: readWholePage, isKept: true },
  { name: "mailboxes", reads: "field", parse: (bytes) => parseMailboxes(asText(bytes)), isKept: true },
  { name: "strict mailboxes", reads: "field", parse: (bytes) => parseStrictMailboxes(asUtf8(bytes)) },
  { name: "parameters", reads: "field", parse: (bytes) => parseParameters(asText(bytes)) },
  { name: "date", reads: "field", parse: (bytes) => parseMailDate(asText(bytes)) },
  { name: "Received", reads: "field", parse: (bytes) => parseReceived(asText(bytes)), isKept: true },
  { name: "DKIM signature", reads: "field", parse: (bytes) => readSignature(asText(bytes), "dkim") },
  { name: "ARC seal", reads: "field", parse: (bytes) => readSignature(asText(bytes), "arc-seal") },
  { name: "session text", reads: "field", parse: keepSession },
  { name: "tag list", reads: "record", parse: (bytes) => parseTagList(asText(bytes)) },
  { name: "key record", reads: "record", parse: (bytes) => readKeyRecord(asText(bytes)) },
  { name: "SPF record", reads: "record", parse: (bytes) => [parseSpf(asText(bytes)), isNearMiss(asText(bytes))] },
  { name: "SPF macro", reads: "record", parse: expandMacro },
  {
    name: "DMARC record",
    reads: "record",
    parse: (bytes) => [parseDmarcRecord(asText(bytes)), findDmarcNearMiss(asText(bytes))],
  },
  { name: "BIMI record", reads: "record", parse: (bytes) => parseBimiRecord(asText(bytes)) },
  { name: "MTA-STS record", reads: "record", parse: (bytes) => parseMtaStsRecord(asText(bytes)) },
  { name: "MTA-STS policy", reads: "record", parse: (bytes) => parseMtaStsPolicy(asText(bytes)) },
  { name: "TLS-RPT record", reads: "record", parse: (bytes) => parseTlsRpt(asText(bytes)) },
  {
    name: "list's codes",
    reads: "record",
    parse: (bytes) => readCodes(asText(bytes).split(" "), findListRow("dbl.spamhaus.org")?.codes ?? []),
  },
  { name: "mail report", reads: "report", parse: readReport, isKept: true },
  {
    name: "clamd's answer",
    reads: "record",
    parse: (bytes) => [
      readVerdict(asUtf8(bytes)),
      readVerdict(`stream: ${asUtf8(bytes)} FOUND`),
      readVersion(`ClamAV 1.4.6/${asText(bytes)}`),
    ],
    isKept: true,
  },
  { name: "DNS packet", reads: "packet", parse: (bytes) => decodeAnswer(toAnswer(bytes), question) },
];

const session = claimedSession({
  clientAddress: "192.0.2.1",
  helo: "a.example",
  mailFrom: "a@b.example",
  rcptTo: ["ann@shop.example"],
});
const receivedAt = Date.UTC(2026, 10, 21);

function readEml(bytes: Uint8Array): unknown {
  const message = parseMessage(bytes);
  return toEml(bytes, message, readAttachments(bytes, message));
}

function readPath(bytes: Uint8Array): unknown {
  return tracePath({ section: readHeaderSection(bytes), session, receiver: "mx.example", receivedAt });
}

/** A client's commands are stored before they are parsed again. */
function keepSession(bytes: Uint8Array): unknown {
  const said = asText(bytes);
  const transcript = said.split("\n").map((line, at) => ({ at, from: "client" as const, line }));
  return parseSessionText(toSessionText({ ...session, helo: said, mailFrom: said, transcript }));
}

function readWholePage(bytes: Uint8Array): unknown {
  const text = asUtf8(bytes);
  const page = readPage(text);
  const images = toImages(page);
  const evidence = {
    text,
    mark: text.slice(0, 50),
    tag: "a",
    domain: "a.example",
    examples: [`"${text.slice(0, 20)}"`],
  };
  const findings = Object.values(bodyPlaces).map((ids) => ({
    id: ids.split(" ", 1)[0] ?? "",
    occurrences: [{ evidence }],
  }));
  const pins = toPins(findings, page);
  const safe = toSafeHtml(page, { images: true, trackingElements: images.trackingElements, pins });
  return [toHtml(page, { text }), toEmlContent(safe, images, toLinks(page, text))];
}

/** Treats it as the kind of report that its beginning suggests. */
function readReport(bytes: Uint8Array): unknown {
  const text = asUtf8(bytes);
  return [readDmarcReport(text), readTlsReport(text)].map(
    (report) => report && [toReportColumns(report, unknownSender, receivedAt), toReportRows(report)],
  );
}

function expandMacro(bytes: Uint8Array): unknown {
  const parsed = parseMacroString(asText(bytes), "explanation");
  const valueFor = (letter: string) => `${letter}.%{${letter}}.example`;
  return parsed.ok && [expandToName(parsed.macro, valueFor), expandToText(parsed.macro, valueFor, 1_000)];
}

/** The whole analysis, with a DNS that knows nothing. Mail that isn't a test is cleaned for the database later. */
async function analyse(raw: Uint8Array): Promise<unknown> {
  const analyst = {
    dns: createZoneDns({}),
    now: () => receivedAt,
    receiver: "mx.example",
    budgetMs: 8_000,
    lists: { states: async () => [] },
    enter() {},
    scanners: { ask: async () => [] },
    malware: noMalwareScanner,
  };
  const { message, report } = await analyzeMessage(
    { raw, session, receivedAt, circumstances: noCircumstances, evidence: null },
    analyst,
  );
  return { message, report };
}

const question = { id: 1, name: "sender.example", type: "TXT" } as const;

/** So that all of them are accepted as answers to the question. */
function toAnswer(bytes: Uint8Array): Buffer {
  const [count = 0, ...records] = bytes;
  const head = Buffer.from("000181800001000000000000", "hex");
  head[7] = count;
  const asked = Buffer.from("\x06sender\x07example\0\0\x10\0\x01", "latin1");
  return Buffer.concat([head, asked, Buffer.from(records)]);
}

/** What is wrong with the result, in words. Null if nothing is. */
export async function judge({ parse, isKept }: FuzzedParser, bytes: Uint8Array): Promise<string | null> {
  const began = performance.now();
  let written: string;
  try {
    written = JSON.stringify(await parse(bytes)) ?? "";
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : error}`;
  }
  const ms = performance.now() - began;
  if (ms > longestMs) return `took ${Math.round(ms)} ms`;
  if (written.length > leastRoom + bytes.length * timesInput) return `told ${written.length} characters`;
  return isKept && /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(written)
    ? "returned text that no database can store"
    : null;
}

/** Far more than a random message takes on a busy machine. An endless loop exceeds it too. */
const longestMs = 5_000;
const leastRoom = 200_000;
const timesInput = 100;
