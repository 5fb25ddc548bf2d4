// Corrected SPF records, ready to paste. None is offered that would be invalid, or that would reject all mail of a domain
// that sends some. Then only the words of the finding help.

import { parseSpf } from "../../dns/spf.ts";

/** Applies a correction to the terms of the record. */
export function correctRecord(
  record: string | null | undefined,
  mend: (terms: readonly string[]) => readonly string[],
): string | null {
  // An ellipsis shows that only part of the record was kept.
  if (record == null || record.includes("…")) return null;
  const mended = ["v=spf1", ...mend(toTerms(record))].join(" ");
  const { terms, problem } = parseSpf(mended);
  const allowsAny = terms.some(({ name }) => name !== "all" && name !== "exp");
  return problem === null && allowsAny ? mended : null;
}

export function toTerms(record: string): readonly string[] {
  return record
    .slice("v=spf1".length)
    .split(" ")
    .filter((term) => term !== "");
}

export function isAll(term: string): boolean {
  return /^[-+~?]?all$/i.test(term);
}

/** A record with a redirect needs no `all`. */
export function endWith(all: "-all" | "~all", terms: readonly string[]): readonly string[] {
  const goesOn = !terms.some(isAll) && terms.some((term) => /^redirect=/i.test(term));
  return goesOn ? terms : [...terms.filter((term) => !isAll(term)), all];
}

/** Names the address once: where it is already allowed, or else first, where no other term can decide before it. */
export function allowAddress(address: string | null, terms: readonly string[]): readonly string[] {
  if (address === null) return terms;
  const at = terms.findIndex((term) => names(address, term) && /^\+?ip/i.test(term));
  const isAllowed = at >= 0 && !terms.slice(0, at).some((term) => /^[-~?]/.test(term) || isAll(term));
  const others = terms.filter((term, index) => (isAllowed && index === at) || !names(address, term));
  return isAllowed ? others : [toMechanism(address), ...others];
}

/** Whether a term is about exactly this address, with any qualifier. */
export function names(address: string, term: string): boolean {
  const bare = term.replace(/^[-+~?]/, "").replace(/\/(?:32|128)$/, "");
  return bare.toLowerCase() === toMechanism(address).toLowerCase();
}

/** Receivers ignore terms after the first `all`, and any redirect. The redirect is removed; the terms move before `all`. */
export function moveBeforeAll(terms: readonly string[]): readonly string[] {
  const all = terms.find(isAll);
  if (all === undefined) return terms;
  return [...terms.filter((term) => !isAll(term) && !/^redirect=/i.test(term)), all];
}

/** The record that was probably meant, with every term that is valid or can be corrected. */
export function toMeantRecord(record: string): string {
  const terms = toTerms(record).flatMap((term) => (isReadable(term) ? term : (suggestTerm(term) ?? [])));
  return ["v=spf1", ...moveBeforeAll(terms)].join(" ");
}

export function isReadable(term: string): boolean {
  return parseSpf(`v=spf1 ${term}`).problem === null;
}

export function toMechanism(address: string): string {
  return address.includes(":") ? `ip6:${address}` : `ip4:${address}`;
}

/** Merges records into one. The result ends like the mildest of them, so no server is rejected. */
export function mergeRecords(
  records: readonly string[],
  isDropped: (term: string) => boolean = () => false,
): string | null {
  if (records.some((record) => record.includes("…"))) return null;
  return correctRecord(joinRecords(records), (terms) => terms.filter((term) => !isDropped(term)));
}

/** Like `mergeRecords`, but the result may be invalid. */
export function joinRecords(records: readonly string[]): string {
  const terms = records.flatMap(toTerms);
  const kept = terms.filter((term) => !isAll(term)).map((term) => term.replace(/^redirect=/i, "include:"));
  const isStrict = records.every((record) => toTerms(record).some((term) => /^-all$/i.test(term)));
  return ["v=spf1", ...endWith(isStrict ? "-all" : "~all", [...new Set(kept)])].join(" ");
}

/** Corrects the start of a record that receivers do not recognize. */
export function correctBeginning(text: string): string | null {
  const [beginning = ""] =
    /^[^A-Za-z0-9]{0,40}(?:v[ \t]{0,3}[=:]?[ \t]{0,3})?spf[ \t=-]{0,3}1[ \t,;:]{0,40}/i.exec(text) ?? [];
  const rest = text.slice(beginning.length).replaceAll('"', "");
  return correctRecord(`v=spf1 ${rest}`, (terms) => terms);
}

/** What an invalid term was probably meant to be. */
export function suggestTerm(term: string): string | null {
  const all = findMeantAll(term);
  if (all !== null) return all;
  const bare = term
    .slice(0, 300)
    .replace(/^["',;]+/, "")
    .replace(/(?<!["',;.])["',;.]+$/, "");
  const [, sign = "", value = ""] = /^([-+~?]?)(?:(?:ipv?[46]?|a|mx)[:=])?(.*)$/is.exec(bare) ?? [];
  const candidates = [
    bare,
    `${sign}ip4:${value}`,
    `${sign}ip6:${value}`,
    bare.replace(/^(redirect|exp):/i, "$1="),
    bare.replace(/^([-+~?]?)includes?[:=]/i, "$1include:"),
    ...correctName(bare),
  ];
  const found = candidates.find((each) => each !== "" && parseSpf(`v=spf1 ${each}`).problem === null);
  return found ?? null;
}

/** Shorter names are too similar to one another. */
const longNames = ["include:", "exists:", "redirect=", "exp=", "ptr:", "ip4:", "ip6:"];

/** Fixes one typo: a letter that is extra, missing, wrong, or swapped with the next. */
function correctName(term: string): string[] {
  const [whole = "", sign = "", name = ""] = /^([-+~?]?)([a-z\d_.-]{2,12})[:=]/i.exec(term) ?? [];
  const meant = longNames.filter((each) => isOneSlip(name.toLowerCase(), each.slice(0, -1)));
  return meant.map((each) => `${sign}${each}${term.slice(whole.length)}`);
}

function isOneSlip(written: string, meant: string): boolean {
  const first = [...meant].findIndex((letter, index) => letter !== written[index]);
  const at = first < 0 ? meant.length : first;
  const [left, right] = [written.slice(at), meant.slice(at)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** Word processors turn a hyphen into a dash. Records have one character per byte. */
function findMeantAll(term: string): string | null {
  const [, sign, word = ""] =
    /^(\xe2\x80[\x90-\x95]|\xe2\x88\x92|[-\u2010-\u2015\u2212~?])(all?)[.;,"']?$/i.exec(term) ?? [];
  if (sign === undefined || (sign === "-" && word.length === 3)) return null;
  return /^[~?]$/.test(sign) ? `${sign}all` : "-all";
}
