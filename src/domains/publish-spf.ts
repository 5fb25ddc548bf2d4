// The SPF record that a domain should publish: the one that it has, without what spoils it. What is never read or cannot
// be read goes; nothing is put in its place that nobody named. A record that loses senders so ends in ~all, because a
// server that was forgotten is then only looked at twice.

import {
  allowAddress,
  correctBeginning,
  isAll,
  joinRecords,
  suggestTerm,
  toMechanism,
  toTerms,
} from "../checks/authentication/spf-correction.ts";
import { findJoinedTerm } from "../checks/authentication/spf-joints.ts";
import { lostTerms } from "../checks/authentication/spf-outline.ts";
import type { SpfRecord } from "../checks/authentication-facts.ts";
import { findMx } from "../checks/infrastructure/mail-domain.ts";
import { isNearMiss, isSpfRecord, lookupsOf, parseSpf } from "../dns/spf.ts";
import { type Evidence, type Row, textsAt, toPlain, toTextRow } from "./publishable.ts";

/** RFC 7208 §4.6.4. */
const maxLookups = 10;
const maxVoids = 2;
const maxShown = 10;

/** `address`: of a server that sends for the domain and that the record does not allow yet. */
export function publishSpf(evidence: Evidence, address: string | null = null): Row | null {
  const { domain, facts } = evidence;
  if (!facts.spfRecord.known) return null;
  const texts = textsAt(evidence, domain);
  const present = texts.filter((text) => isSpfRecord(text) || isNearMiss(text));
  const begun = begin(evidence, present, address);
  const rest = mend(begun.terms, facts.spfRecord.value);
  const isListed = address === null || rest.terms.includes(toMechanism(address));
  const mended = isListed ? rest : { ...rest, terms: allowAddress(address, rest.terms) };
  const value = ["v=spf1", ...mended.terms].join(" ");
  const excess = tellExcess(mended.terms, facts.spfRecord.value);
  // Case and blanks do not count: what says the same stays as it is.
  const [only = ""] = present;
  const isSame =
    present.length === 1 && isSpfRecord(only) && ["v=spf1", ...toTerms(only)].join(" ") === value;
  return toTextRow(evidence, {
    name: domain,
    value: isSame ? only : value,
    present,
    why: [
      "It names the servers that may send for the domain.",
      ...begun.notes,
      ...mended.notes,
      ...excess,
    ].join(" "),
    isFaulty: excess.length > 0,
  });
}

type Terms = { readonly terms: readonly string[]; readonly notes: readonly string[] };

function begin(evidence: Evidence, present: readonly string[], address: string | null): Terms {
  const records = present.filter(isSpfRecord);
  const [record, ...others] = records;
  if (record !== undefined && others.length > 0) {
    return {
      terms: toTerms(joinRecords(records)),
      notes: [`It joins the ${records.length} records that stand there, which receivers ignore.`],
    };
  }
  if (record !== undefined) return { terms: toTerms(record), notes: [] };
  const corrected = present.flatMap((text) => correctBeginning(text) ?? [])[0];
  if (corrected !== undefined)
    return {
      terms: toTerms(corrected),
      notes: ["Receivers do not see the present record, because of its beginning."],
    };
  return {
    terms: address === null ? toFirstTerms(evidence) : [toMechanism(address), "~all"],
    notes: ["Put the include of each service that sends for the domain before ~all."],
  };
}

function toFirstTerms({ domain, facts: { mx } }: Evidence): string[] {
  const found = mx.known ? findMx(mx.value, domain) : mx;
  const count = found.known ? found.value.hosts.length + found.value.hostsLeftOut : 1;
  return count > 0 && count <= maxLookups ? ["mx", "~all"] : ["~all"];
}

function mend(written: readonly string[], record: SpfRecord): Terms {
  const notes: string[] = [];
  const drop = (terms: readonly string[], isDropped: (term: string) => boolean, says: string) => {
    const gone = new Set(terms.filter(isDropped));
    if (gone.size > 0) notes.push(`Left out, ${says}: ${toPlain([...gone].slice(0, maxShown).join(" "))}.`);
    return terms.filter((term) => !gone.has(term));
  };
  const { lost, harmful, voids } = findSpoilers(record);
  const live = toLive(written, drop);
  const read = splitJoint(live, record).map((term) =>
    isReadable(term) ? term : (suggestTerm(term) ?? term),
  );
  const readable = drop(read, (term) => !isReadable(term), "because it cannot be read");
  const found = drop(
    readable,
    (term) => lost.has(term),
    "because it leads to no record, or back to this one",
  );
  const closed = drop(found, (term) => harmful.has(term), "because it lets strangers in");
  const alive = drop(closed, (term) => voids.has(term), "because it leads to no address");
  const terms = drop(alive, (term) => /^[-+~?]?ptr(?:[:/]|$)/i.test(term), "because ptr is retired");
  const isPoorer = readable.length < read.length || found.length < readable.length || !terms.some(allows);
  return { terms: endRightly(toDistinct(terms), isPoorer), notes };
}

type Drop = (
  terms: readonly string[],
  isDropped: (term: string) => boolean,
  says: string,
) => readonly string[];

/** RFC 7208 §5.1, §6.1: nothing behind `all` is read, nor a redirect beside it. */
function toLive(written: readonly string[], drop: Drop): readonly string[] {
  const all = written.findIndex(isAll);
  if (all < 0) return written;
  const dead = new Set(
    written.filter((term, index) => isRedirect(term) || (index > all && !term.includes("="))),
  );
  return drop(
    written,
    (term) => dead.has(term) && !isAll(term),
    'because of the "all" beside it it is never read',
  );
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

function isReadable(term: string): boolean {
  return parseSpf(`v=spf1 ${term}`).problem === null;
}

/** What the tree tells of the record's own terms. */
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

/** Of `redirect=` and `exp=` the first counts (RFC 7208 §6). */
function toDistinct(terms: readonly string[]): readonly string[] {
  const keyOf = (term: string) =>
    /^(?:redirect|exp)=/i.exec(term)?.[0].toLowerCase() ?? (isAll(term) ? "all" : term);
  return terms.filter((term, index) => terms.findIndex((other) => keyOf(other) === keyOf(term)) === index);
}

function endRightly(terms: readonly string[], isPoorer: boolean): readonly string[] {
  if (!terms.some((term) => isAll(term) || isRedirect(term))) return [...terms, "~all"];
  const isLax = (term: string) => /^[+?]?all$/i.test(term) || (isPoorer && /^-all$/i.test(term));
  return terms.map((term) => (isLax(term) ? "~all" : term));
}

function tellExcess(terms: readonly string[], { tree: only, merged = null }: SpfRecord): string[] {
  const tree = only ?? merged;
  const costs = terms.map((term) => ({ term, cost: toCost(term, tree) })).filter(({ cost }) => cost > 0);
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= maxLookups) return [];
  const dearest = costs.toSorted((left, right) => right.cost - left.cost).slice(0, maxShown);
  const listed = dearest.map(({ term, cost }) => `${toPlain(term)} (${cost})`).join(", ");
  return [
    `It needs ${total} look-ups where ${maxLookups} are allowed: take out what no longer sends for you, of ${listed}.`,
  ];
}

function toCost(term: string, tree: SpfRecord["tree"]): number {
  const [parsed] = parseSpf(`v=spf1 ${term}`).terms;
  const child = tree?.children.find(({ via }) => via === term);
  return (parsed === undefined ? 0 : lookupsOf(parsed)) + (child?.lookups ?? 0);
}
