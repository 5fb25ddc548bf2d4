// All records that a domain should publish for its mail, to read and to paste. What DNS did not tell of is left out:
// nobody shall paste over a record that was only not heard.

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

/** What of our own belongs there. */
type OwnRecords = {
  readonly verifyRecord: { readonly name: string; readonly value: string };
  /** Where this server takes mail, reports too; null where it is not known outside. */
  readonly seedDomain: string | null;
  /** That mail from here is signed with; `published`: as DNS has it now, null where it did not answer. */
  readonly signingKeys: readonly OwnKey[];
};

type OwnKey = { readonly name: string; readonly value: string; readonly published: boolean | null };

const ttl = 3_600;

export function toRecordsToPublish(report: Evidence, own: OwnRecords): PublishableRecord[] {
  const { mx } = report.facts;
  const found = mx.known ? findMx(mx.value, report.domain) : mx;
  // Nothing to publish before the domain itself is there.
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

/** The last check need not have asked for it. */
function publishOwnKey(report: Evidence, { name, value, published }: OwnKey): Row[] {
  if (published === null) return [];
  const others = textsAt(report, name).filter((text) => text !== value);
  const present = published ? [value] : others;
  return [
    toTextRow(report, { name, value, present, why: "Samples that are sent from here are signed with it." }),
  ];
}

function toVerification(report: Evidence, { verifyRecord: { name, value } }: OwnRecords): Row {
  const present = textsAt(report, name).filter((text) => text === value);
  return toTextRow(report, { name, value, present, why: "It proves here that the domain is yours." });
}

/** RFC 1035 §5.1. A comment goes before each record; one that somebody else must complete stays a comment. */
export function toZoneFile(domain: string, records: readonly PublishableRecord[]): string {
  const lines = [
    `; What ${toVisible(domain)} should publish for its mail. Its other records stay as they are.`,
    `$ORIGIN ${toRootedName(domain)}`,
    ...records.flatMap(toLines),
  ];
  return `${lines.join("\n")}\n`;
}

const words: Readonly<Record<PublishableRecord["status"], string>> = {
  present: "Stands there",
  missing: "New",
  change: "Replaces what stands there",
};

function toLines(record: PublishableRecord): string[] {
  const { name, type, status, why } = record;
  const value = toValue(record);
  const says = value === null ? "To be completed" : words[status];
  const [first = "", ...more] = why.split("\n");
  const comments = [`${says}. ${first}`, ...more].map((line) => `; ${toVisible(line)}`);
  const owner = `${toRootedName(name)} ${ttl} IN ${type}`;
  return ["", ...comments, value === null ? `; ${owner}` : `${owner} ${value}`];
}

/** Names, escaped by toRootedName, with the preference of an MX; anything else would be read as something else. */
const safeValue = /^(?:\d{1,5} )?(?:\.|(?:(?:[A-Za-z0-9_*-]|\\\d{3})+\.)+)$/;

function toValue({ type, value }: PublishableRecord): string | null {
  if (value === "") return null;
  if (type !== "TXT") return safeValue.test(value) ? value : null;
  return toStrings(value)
    .map((string) => `"${string.replace(/["\\]|[^ -~]/g, escapeByte)}"`)
    .join(" ");
}

/** RFC 1035 §3.3: a string holds 255 bytes at most. */
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
