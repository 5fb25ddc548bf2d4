// All mail records that a domain should publish, for display and as a zone file. Records that DNS did not answer for
// are left out, so that no existing one is overwritten.

import { findMx } from "../checks/infrastructure/mail-domain.ts";
import { toVisible } from "../visible-text.ts";
import { publishBimi, publishDkim } from "./publish-dkim.ts";
import { publishDmarc, publishParked } from "./publish-dmarc.ts";
import { publishSpf } from "./publish-spf.ts";
import { publishMtaSts, publishMx, publishTlsRpt } from "./publish-transport.ts";
import {
  type Evidence,
  type PublishableRecord,
  type Row,
  textsAt,
  toDecimalEscape,
  toRootedName,
  toTextRow,
} from "./publishable.ts";

/** Records for this server. */
type OwnRecords = {
  readonly verifyRecord: { readonly name: string; readonly value: string };
  /** This server's mail domain, which can receive reports. Null if it is not public. */
  readonly seedDomain: string | null;
  /** Keys that sign mail from this server. `published`: null if DNS did not answer. */
  readonly signingKeys: readonly OwnKey[];
};

type OwnKey = { readonly name: string; readonly value: string; readonly published: boolean | null };

const ttl = 3_600;

export function toRecordsToPublish(report: Evidence, own: OwnRecords): PublishableRecord[] {
  const { mx } = report.facts;
  const found = mx.known ? findMx(mx.value, report.domain) : mx;
  // The domain must exist first.
  if (found.known && !found.value.exists) return [];
  const rows = [...toMailRows(report, own), toVerification(report, own)];
  return rows.map((row) => ({ ...row, ttl }));
}

function toMailRows(report: Evidence, { seedDomain, signingKeys }: OwnRecords): Row[] {
  const { parked } = report.facts;
  if (parked.known && parked.value.isParked) return publishParked(report);
  const ownKeys = signingKeys.flatMap((key) => publishOwnKey(report, key));
  const rows = [
    ...publishMx(report),
    publishSpf(report),
    ...publishDkim(report).filter(({ name }) => ownKeys.every((own) => own.name !== name)),
    ...ownKeys,
    publishDmarc(report, seedDomain),
    publishBimi(report),
    publishMtaSts(report),
    publishTlsRpt(report),
  ];
  return rows.filter((row) => row !== null);
}

/** The last check may not have queried this selector. */
function publishOwnKey(report: Evidence, { name, value, published }: OwnKey): Row[] {
  if (published === null) return [];
  const others = textsAt(report, name).filter((text) => text !== value);
  const present = published ? [value] : others;
  return [toTextRow(report, { name, value, present, why: "Signs mail sent from this server." })];
}

function toVerification(report: Evidence, { verifyRecord: { name, value } }: OwnRecords): Row {
  const present = textsAt(report, name).filter((text) => text === value);
  return toTextRow(report, { name, value, present, why: "Verifies that you own the domain." });
}

/** RFC 1035 §5.1. Each record has a comment; incomplete records are commented out. */
export function toZoneFile(domain: string, records: readonly PublishableRecord[]): string {
  const lines = [
    `; Email records for ${toVisible(domain)}. Keep all other records.`,
    `$ORIGIN ${toRootedName(domain)}`,
    ...records.flatMap(toLines),
  ];
  return `${lines.join("\n")}\n`;
}

const words: Readonly<Record<PublishableRecord["status"], string>> = {
  present: "Already published",
  missing: "New",
  change: "Replaces the current value",
};

function toLines(record: PublishableRecord): string[] {
  const { name, type, status, why } = record;
  const value = toValue(record);
  const says = value === null ? "Incomplete" : words[status];
  const [first = "", ...more] = why.split("\n");
  const comments = [`${says}. ${first}`, ...more].map((line) => `; ${toVisible(line)}`);
  const owner = `${toRootedName(name)} ${ttl} IN ${type}`;
  return ["", ...comments, value === null ? `; ${owner}` : `${owner} ${value}`];
}

/** Names escaped by toRootedName, with an optional MX preference. Anything else could inject zone file syntax. */
const safeValue = /^(?:\d{1,5} )?(?:\.|(?:(?:[A-Za-z0-9_*-]|\\\d{3})+\.)+)$/;

function toValue({ type, value }: PublishableRecord): string | null {
  if (value === "") return null;
  if (type !== "TXT") return safeValue.test(value) ? value : null;
  return toStrings(value)
    .map((string) => `"${string.replace(/["\\]|[^ -~]/g, escapeByte)}"`)
    .join(" ");
}

/** RFC 1035 §3.3: a string has at most 255 bytes. */
function toStrings(value: string): string[] {
  return (
    Buffer.from(value, "utf8")
      .toString("latin1")
      .match(/.{1,255}/gs) ?? []
  );
}

function escapeByte(byte: string): string {
  return byte === '"' || byte === "\\" ? `\\${byte}` : toDecimalEscape(byte);
}
