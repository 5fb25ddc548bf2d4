// What DNS answered in two analyses: only what both asked, and only what an answer means. When it was asked, how long it
// may be kept, in which order the records stood and how a text was parted is no difference.

import type { DnsAnswer, DnsRecord, DnsStatus } from "../dns/answer.ts";
import { toQuestionKey } from "../dns/answer.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { quote } from "./changes.ts";

export type DnsSide = {
  readonly status: DnsStatus;
  readonly records: readonly string[];
  /** Records beyond those. */
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
  // Nobody was asked.
  if (was.status === "budget" || is.status === "budget") return [];
  const before = meaningOf(was);
  const after = meaningOf(is);
  if (before === after) return [];
  const { name, type } = is;
  return [{ name, type, before: toSide(was), after: toSide(is), says: toSentence(was, is) }];
}

function meaningOf(answer: DnsAnswer): string {
  if (answer.status === "answered") return JSON.stringify(textsOf(answer));
  return isTrouble(answer) ? "trouble" : answer.status;
}

function isTrouble({ status }: DnsAnswer): boolean {
  return status !== "answered" && status !== "nodata" && status !== "nxdomain";
}

function textsOf({ records }: DnsAnswer): string[] {
  return records.map(toText).sort();
}

/** As it stands behind its type in a zone file, but for what says nothing: a serial counts the edits of other records too. */
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

/** Strangers publish what they like. */
const shownRecords = 10;
const shownCharacters = 1_000;

/** Texts are one character a byte until here. */
function toSide(answer: DnsAnswer): DnsSide {
  const texts = textsOf(answer);
  const records = texts
    .slice(0, shownRecords)
    .map((text) => toStorableCut(Buffer.from(text, "latin1").toString(), shownCharacters));
  return { status: answer.status, records, leftOut: texts.length - records.length };
}

function toSentence(was: DnsAnswer, is: DnsAnswer): string {
  const { name, type } = is;
  const answer = `the ${type} record of ${name}`;
  if (isTrouble(was)) return `DNS tells ${answer} again; before, it did not answer (${was.status}).`;
  if (isTrouble(is)) return `DNS did not answer for ${answer} (${is.status}); before, it did.`;
  const before = toWords(was);
  const after = toWords(is);
  if (before === "" && after === "")
    return is.status === "nodata" ? `The name ${name} exists now.` : `The name ${name} no longer exists.`;
  if (before === "") return `DNS now has ${answer}: ${quote(after)}.`;
  if (after === "") return `DNS no longer has ${answer}; it was ${quote(before)}.`;
  return `DNS has another ${type} record of ${name}: ${quote(after)} instead of ${quote(before)}.`;
}

function toWords(answer: DnsAnswer): string {
  return toSide(answer).records.join(", ");
}
