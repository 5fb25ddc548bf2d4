// Proposes a domain's SPF record: the existing one without its errors. Terms that are ignored or invalid are removed
// and listed, and nothing is invented in their place. The ending stays, except where it lets anyone send, says nothing,
// or no server would be left. Then it becomes ~all, so that forgotten servers only softfail.

import {
  allowAddress,
  correctBeginning,
  isAll,
  isReadable,
  joinRecords,
  moveBeforeAll,
  names,
  suggestTerm,
  toMechanism,
  toTerms,
} from "../checks/authentication/spf-correction.ts";
import { findJoinedTerm } from "../checks/authentication/spf-joints.ts";
import { lostTerms } from "../checks/authentication/spf-outline.ts";
import type { SpfRecord } from "../checks/authentication-facts.ts";
import { findMx } from "../checks/infrastructure/mail-domain.ts";
import { isNearMiss, isSpfRecord, lookupsOf, parseSpf } from "../dns/spf.ts";
import type { RecordNote } from "../reports/fix-records.ts";
import { type Evidence, type Row, textsAt, toPlain, toTextRow } from "./publishable.ts";

/** RFC 7208 §4.6.4. */
const maxLookups = 10;
const maxVoids = 2;
const maxShown = 10;

export function publishSpf(evidence: Evidence): Row | null {
  return correctSpf(evidence, null)?.row ?? null;
}

/** `address`: a server that sends for the domain and is not allowed yet. */
export function correctSpf(
  evidence: Evidence,
  address: string | null,
): { readonly row: Row; readonly notes: readonly RecordNote[] } | null {
  const { domain, facts } = evidence;
  if (!facts.spfRecord.known) return null;
  const texts = textsAt(evidence, domain);
  const present = texts.filter((text) => isSpfRecord(text) || isNearMiss(text));
  const begun = begin(evidence, present, address);
  const corrected = correctTerms(begun.terms, facts.spfRecord.value, address);
  const value = ["v=spf1", ...corrected.terms].join(" ");
  const excess = describeExcess(corrected.terms, facts.spfRecord.value);
  // An existing record that differs only in case or spaces stays unchanged.
  const [only = ""] = present;
  const isSame = present.length === 1 && isSpfRecord(only) && ["v=spf1", ...toTerms(only)].join(" ") === value;
  const row = toTextRow(evidence, {
    name: domain,
    value: isSame ? only : value,
    present,
    why: [
      "Lists the servers that may send for the domain.",
      ...begun.notes,
      ...corrected.notes.map(({ says }) => says),
      ...excess,
    ].join(" "),
    isFaulty: excess.length > 0,
  });
  return { row, notes: corrected.notes };
}

type Terms<Note> = { readonly terms: readonly string[]; readonly notes: readonly Note[] };

function begin(evidence: Evidence, present: readonly string[], address: string | null): Terms<string> {
  const records = present.filter(isSpfRecord);
  const [record, ...others] = records;
  if (record !== undefined && others.length > 0) {
    return {
      terms: toTerms(joinRecords(records)),
      notes: [`Combines the ${records.length} existing records, which receivers ignore.`],
    };
  }
  if (record !== undefined) return { terms: toTerms(record), notes: [] };
  const beginning = present.flatMap((text) => correctBeginning(text) ?? [])[0];
  if (beginning !== undefined)
    return {
      terms: toTerms(beginning),
      notes: ["Receivers ignore the current record because it does not begin with a correct `v=spf1`."],
    };
  return {
    terms: address === null ? toFirstTerms(evidence) : [toMechanism(address), "~all"],
    notes: ["Before ~all, add the include for each service that sends for the domain."],
  };
}

function toFirstTerms({ domain, facts: { mx } }: Evidence): string[] {
  const found = mx.known ? findMx(mx.value, domain) : mx;
  const count = found.known ? found.value.hosts.length + found.value.hostsLeftOut : 1;
  return count > 0 && count <= maxLookups ? ["mx", "~all"] : ["~all"];
}

function correctTerms(written: readonly string[], record: SpfRecord, address: string | null): Terms<RecordNote> {
  const notes: RecordNote[] = [];
  const note = (beginning: string, terms: readonly string[]) => {
    const shown = terms.slice(0, maxShown).map(toPlain);
    if (shown.length > 0) notes.push({ says: `${beginning}: ${shown.join(" ")}.`, terms: shown });
  };
  const drop = (terms: readonly string[], isDropped: (term: string) => boolean, says: string) => {
    const gone = new Set(terms.filter(isDropped));
    note(`Removed ${says}`, [...gone]);
    return terms.filter((term) => !gone.has(term));
  };
  const { lost, harmful, voids } = findSpoilers(record);
  const read = splitJoint(written, record).map((term) => (isReadable(term) ? term : (suggestTerm(term) ?? term)));
  const readable = drop(read, (term) => !isReadable(term), "as invalid");
  const live = toLive(readable, drop, note);
  const found = drop(live, (term) => lost.has(term), "because of a missing record or a loop");
  const closed = drop(found, (term) => harmful.has(term), "to stop unauthorized senders");
  const alive = drop(closed, (term) => voids.has(term), "because no address was found");
  const kept = drop(alive, (term) => /^[-+~?]?ptr(?:[:/]|$)/i.test(term), "because ptr is deprecated");
  const refuses = (term: string) => address !== null && /^[-~?]/.test(term) && names(address, term);
  const open = drop(kept, refuses, "to stop excluding this server");
  const terms = allowAddress(address, open);
  const isEmptied = written.some(allows) && !terms.some(allows);
  return { terms: endRightly(toDistinct(terms), isEmptied, notes), notes };
}

type Drop = (terms: readonly string[], isDropped: (term: string) => boolean, says: string) => readonly string[];

/** RFC 7208 §5.1, §6.1: terms after `all` are ignored, and so is a redirect next to it. */
function toLive(
  written: readonly string[],
  drop: Drop,
  note: (beginning: string, terms: readonly string[]) => void,
): readonly string[] {
  const all = written.findIndex(isAll);
  if (all < 0) return written;
  const before = new Set(written.slice(0, all));
  const isMoved = (term: string) => !isAll(term) && !term.includes("=") && !before.has(term);
  note('Moved before "all", because anything after it is ignored', [...new Set(written.slice(all).filter(isMoved))]);
  return moveBeforeAll(drop(written, isRedirect, 'because "all" takes precedence'));
}

function isRedirect(term: string): boolean {
  return /^redirect=/i.test(term);
}

function splitJoint(terms: readonly string[], record: SpfRecord): readonly string[] {
  const joined = findJoinedTerm(record);
  if (joined === null) return terms;
  const left = joined.first.slice(joined.first.lastIndexOf(" ") + 1);
  return terms.flatMap((term) => (term === joined.term ? [left, term.slice(left.length)] : term));
}

/** Finds problems of the record's own terms. */
function findSpoilers(record: SpfRecord) {
  const { domain, voids, passesAnyone } = record;
  const own = voids.filter((row) => row.domain.toLowerCase() === domain.toLowerCase());
  const isOpen = passesAnyone !== null && /^\+?(?:ip[46]|a|mx)\b/i.test(passesAnyone);
  return {
    lost: lostTerms(record),
    harmful: new Set(isOpen ? [passesAnyone] : []),
    voids: new Set(voids.length > maxVoids ? own.map(({ term }) => term) : []),
  };
}

function allows(term: string): boolean {
  return !isAll(term) && !/^(?:[-~?]|exp=)/i.test(term);
}

/** For `redirect=` and `exp=`, the first one counts (RFC 7208 §6). */
function toDistinct(terms: readonly string[]): readonly string[] {
  const keyOf = (term: string) => /^(?:redirect|exp)=/i.exec(term)?.[0].toLowerCase() ?? (isAll(term) ? "all" : term);
  return terms.filter((term, index) => terms.findIndex((other) => keyOf(other) === keyOf(term)) === index);
}

function endRightly(terms: readonly string[], isEmptied: boolean, notes: RecordNote[]): readonly string[] {
  if (!terms.some((term) => isAll(term) || isRedirect(term))) return [...terms, "~all"];
  return terms.map((term) => {
    const why = whyMilder(term, isEmptied);
    if (why !== null) notes.push({ says: `It ends with ~all instead of ${term}, ${why}.`, terms: ["~all"] });
    return why === null ? term : "~all";
  });
}

function whyMilder(term: string, isEmptied: boolean): string | null {
  if (/^\+?all$/i.test(term)) return "which lets anyone send";
  if (/^\?all$/i.test(term)) return "which says nothing about other servers";
  return isEmptied && /^-all$/i.test(term) ? "because no server is left" : null;
}

function describeExcess(terms: readonly string[], { tree: only, merged }: SpfRecord): string[] {
  const tree = merged ?? only;
  const costs = terms.map((term) => ({ term, cost: toCost(term, tree) })).filter(({ cost }) => cost > 0);
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= maxLookups) return [];
  const dearest = costs.toSorted((left, right) => right.cost - left.cost).slice(0, maxShown);
  const listed = dearest.map(({ term, cost }) => `${toPlain(term)} (${cost})`).join(", ");
  return [
    `It needs ${total} DNS lookups, but only ${maxLookups} are allowed. Remove services that no longer send for you. Lookups per term: ${listed}.`,
  ];
}

function toCost(term: string, tree: SpfRecord["tree"]): number {
  const [parsed] = parseSpf(`v=spf1 ${term}`).terms;
  const child = tree?.children.find(({ via }) => via === term);
  return (parsed === undefined ? 0 : lookupsOf(parsed)) + (child?.lookups ?? 0);
}
