// Compares the DNS answers of two analyses: only lookups that both made, and only by meaning. Time, TTL, record order
// and the split of TXT strings don't count.

import type { DnsAnswer, DnsRecord, DnsStatus } from "../dns/answer.ts";
import { toQuestionKey } from "../dns/answer.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { quote } from "./changes.ts";

export type DnsSide = {
  readonly status: DnsStatus;
  readonly records: readonly string[];
  /** Number of further records. */
  readonly leftOut: number;
};

export type DnsChange = {
  readonly name: string;
  readonly type: string;
  readonly before: DnsSide;
  readonly after: DnsSide;
  readonly says: string;
};

export function compareDns(before: readonly DnsAnswer[], after: readonly DnsAnswer[]): DnsChange[] {
  const earlier = new Map(before.map((answer) => [toQuestionKey(answer.name, answer.type), answer]));
  return after.flatMap((answer) => {
    const was = earlier.get(toQuestionKey(answer.name, answer.type));
    return was ? compareAnswers(was, answer) : [];
  });
}

function compareAnswers(was: DnsAnswer, is: DnsAnswer): DnsChange[] {
  // Not looked up.
  if (was.status === "budget" || is.status === "budget") return [];
  const before = meaningOf(was);
  const after = meaningOf(is);
  if (before === after) return [];
  const { name, type } = is;
  return [{ name, type, before: toSide(was), after: toSide(is), says: toSentence(was, is) }];
}

export function meaningOf(answer: DnsAnswer): string {
  if (answer.status === "answered") return JSON.stringify(textsOf(answer));
  return isTrouble(answer) ? "trouble" : answer.status;
}

/** The lookup failed, which says nothing about the record. */
export function isTrouble({ status }: DnsAnswer): boolean {
  return status !== "answered" && status !== "nodata" && status !== "nxdomain";
}

function textsOf({ records }: DnsAnswer): string[] {
  return records.map(toText).sort();
}

/**
 * The record data as in a zone file, without parts that mean nothing here: a SOA serial also counts edits of other
 * records.
 */
function toText(record: DnsRecord): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.address.toLowerCase();
    case "CNAME":
    case "NS":
    case "PTR":
      return record.target.toLowerCase();
    case "MX":
      return `${record.preference} ${record.exchange.toLowerCase()}`;
    case "TXT":
      return record.parts.join("");
    case "SOA":
      return record.primary.toLowerCase();
    default:
      return Object.values(record.fields).join(" ");
  }
}

/** Limits, because other people publish these records. */
const shownRecords = 10;
const shownCharacters = 1_000;

/** Until here, texts have one character per byte. */
function toSide(answer: DnsAnswer): DnsSide {
  const texts = textsOf(answer);
  const records = texts
    .slice(0, shownRecords)
    .map((text) => toStorableCut(Buffer.from(text, "latin1").toString(), shownCharacters));
  return { status: answer.status, records, leftOut: texts.length - records.length };
}

function toSentence(was: DnsAnswer, is: DnsAnswer): string {
  const { name, type } = is;
  const answer = `the ${type} record for ${name}`;
  if (isTrouble(was)) return `The lookup of ${answer} now succeeds. Previously, it failed (${was.status}).`;
  if (isTrouble(is)) return `The lookup of ${answer} failed (${is.status}). Previously, it succeeded.`;
  const before = toWords(was);
  const after = toWords(is);
  if (before === "" && after === "")
    return is.status === "nodata" ? `The name ${name} now exists.` : `The name ${name} no longer exists.`;
  if (before === "") return `New ${type} record at ${name}: ${quote(after)}.`;
  if (after === "") return `The ${type} record for ${name} was removed. It was ${quote(before)}.`;
  return `The ${type} record for ${name} changed from ${quote(before)} to ${quote(after)}.`;
}

function toWords(answer: DnsAnswer): string {
  return toSide(answer).records.join(", ");
}
