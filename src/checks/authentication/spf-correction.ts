// An SPF record as it should read, ready to paste. Nothing is offered that could not be read again, or that would refuse
// all mail of a domain that sends some: then the words of the finding alone must do.

import { parseSpf } from "../../dns/spf.ts";

/** `mend` is given the terms as written. */
export function correctRecord(
  record: string | null | undefined,
  mend: (terms: readonly string[]) => readonly string[],
): string | null {
  // An ellipsis shows that the record is kept in part.
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

/** A record that goes on in another one ends there. */
export function endWith(all: "-all" | "~all", terms: readonly string[]): readonly string[] {
  const goesOn = !terms.some(isAll) && terms.some((term) => /^redirect=/i.test(term));
  return goesOn ? terms : [...terms.filter((term) => !isAll(term)), all];
}

/** Once: where it is allowed already, or else in front, where nothing before it can decide otherwise. */
export function allowAddress(address: string | null, terms: readonly string[]): readonly string[] {
  if (address === null) return terms;
  const at = terms.findIndex((term) => names(address, term) && /^\+?ip/i.test(term));
  const isAllowed = at >= 0 && !terms.slice(0, at).some((term) => /^[-~?]/.test(term) || isAll(term));
  const others = terms.filter((term, index) => (isAllowed && index === at) || !names(address, term));
  return isAllowed ? others : [toMechanism(address), ...others];
}

/** Whether a term is about this address alone, whatever it says of it. */
export function names(address: string, term: string): boolean {
  const bare = term.replace(/^[-+~?]/, "").replace(/\/(?:32|128)$/, "");
  return bare.toLowerCase() === toMechanism(address).toLowerCase();
}

/** Receivers read nothing after the first `all`, and no redirect beside it: that one goes, the rest comes before it. */
export function moveBeforeAll(terms: readonly string[]): readonly string[] {
  const all = terms.find(isAll);
  if (all === undefined) return terms;
  return [...terms.filter((term) => !isAll(term) && !/^redirect=/i.test(term)), all];
}

/** The record that was probably meant: with every term that can be read or corrected, where it is read. */
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

/** One record that says what all of them say; it ends as mildly as the mildest, so that no server is lost. */
export function mergeRecords(
  records: readonly string[],
  isDropped: (term: string) => boolean = () => false,
): string | null {
  if (records.some((record) => record.includes("…"))) return null;
  return correctRecord(joinRecords(records), (terms) => terms.filter((term) => !isDropped(term)));
}

/** The same, whether or not it can be read. */
export function joinRecords(records: readonly string[]): string {
  const terms = records.flatMap(toTerms);
  const kept = terms.filter((term) => !isAll(term)).map((term) => term.replace(/^redirect=/i, "include:"));
  const isStrict = records.every((record) => toTerms(record).some((term) => /^-all$/i.test(term)));
  return ["v=spf1", ...endWith(isStrict ? "-all" : "~all", [...new Set(kept)])].join(" ");
}

/** The record behind a beginning that receivers do not know. */
export function correctBeginning(text: string): string | null {
  const [beginning = ""] =
    /^[^A-Za-z0-9]{0,40}(?:v[ \t]{0,3}[=:]?[ \t]{0,3})?spf[ \t=-]{0,3}1[ \t,;:]{0,40}/i.exec(text) ?? [];
  const rest = text.slice(beginning.length).replaceAll('"', "");
  return correctRecord(`v=spf1 ${rest}`, (terms) => terms);
}

/** What a term that cannot be read was probably meant to be. */
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

/** Shorter names are too much like one another. */
const longNames = ["include:", "exists:", "redirect=", "exp=", "ptr:", "ip4:", "ip6:"];

/** With one letter more, less, other, or two of them exchanged. */
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

/** Word processors make a dash of a hyphen; records are kept one character a byte. */
function findMeantAll(term: string): string | null {
  const [, sign, word = ""] =
    /^(\xe2\x80[\x90-\x95]|\xe2\x88\x92|[-\u2010-\u2015\u2212~?])(all?)[.;,"']?$/i.exec(term) ?? [];
  if (sign === undefined || (sign === "-" && word.length === 3)) return null;
  return /^[~?]$/.test(sign) ? `${sign}all` : "-all";
}
