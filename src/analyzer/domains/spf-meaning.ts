// Normalizes an SPF record to how it evaluates any client (RFC 7208 §4.6.2: the first match decides). Two records have
// the same meaning if the records alone do not distinguish any client. Included names are not followed, because they
// belong to other domains.

import { isSpfRecord, liveMechanisms, liveRedirect, type ParsedTerm, parseSpf } from "../dns/spf.ts";
import type { MacroString } from "../dns/spf-macro.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

export type SpfMeaning =
  | { readonly state: "none" | "several" | "broken" }
  | {
      readonly state: "read";
      /** In canonical order; the last is `all` or redirect=. */
      readonly terms: readonly string[];
      readonly exp: string | null;
    };

export function readSpf({ domain, facts: { spfRecord } }: DomainReport): Reading | null {
  if (!spfRecord.known) return null;
  const { records, nearMisses } = spfRecord.value;
  const record = toLines([...records, ...nearMisses]);
  if (records.length === 0 && nearMisses.length > 0) return { record, meaning: { state: "broken" } };
  return { record, meaning: toSpfMeaning(records, domain) };
}

export function toSpfMeaning(records: readonly string[], domain: string): SpfMeaning {
  const [record, ...others] = records;
  if (record === undefined) return { state: "none" };
  if (others.length > 0) return { state: "several" };
  // Only part of the record was kept, so it is compared literally.
  if (record.endsWith("…")) return { state: "read", terms: record.split(" ").slice(1), exp: null };
  const { terms, problem } = isSpfRecord(record) ? parseSpf(record) : { terms: [], problem: "none" };
  if (problem !== null) return { state: "broken" };
  const exp = terms.find(({ kind, name }) => kind === "modifier" && name === "exp");
  return { state: "read", terms: toTerms(terms, domain), exp: exp?.target ? toText(exp.target) : null };
}

type Network = { readonly bits: string; readonly family: number };
type Rule = {
  readonly qualifier: string;
  /** Equal for mechanisms that match the same clients. */
  readonly mechanism: string;
  readonly network: Network | null;
  readonly isAll: boolean;
};

function toTerms(terms: readonly ParsedTerm[], domain: string): string[] {
  const redirect = liveRedirect(terms);
  const rules = liveMechanisms(terms).map((term) => toRule(term, domain));
  // §4.7: without a match the result is neutral.
  const isOpen = redirect === undefined && !rules.some(({ isAll }) => isAll);
  const closed = isOpen ? [...rules, neutral] : rules;
  const written = simplify(closed).map(({ qualifier, mechanism }) => `${qualifier}${mechanism}`);
  return redirect?.target ? [...written, `redirect=${toText(redirect.target)}`] : written;
}

const neutral: Rule = { qualifier: "?", mechanism: "all", network: null, isAll: true };

function toRule(term: ParsedTerm, domain: string): Rule {
  const { name, network: bytes, prefix4, prefix6, target } = term;
  const qualifier = term.qualifier ?? "+";
  if (bytes !== null) {
    const network = toNetwork(bytes, prefix4 ?? prefix6);
    return { qualifier, mechanism: toNetworkText(network), network, isAll: false };
  }
  const host = target === null ? "" : toText(target);
  const at = host === "" || host === domain ? "" : `:${host}`;
  const lengths = `${toLength("/", prefix4, 32)}${toLength("//", prefix6, 128)}`;
  return { qualifier, mechanism: `${name}${at}${lengths}`, network: null, isAll: name === "all" };
}

function toLength(slash: string, prefix: number | null, whole: number): string {
  return prefix === null || prefix === whole ? "" : `${slash}${prefix}`;
}

/** Names are case-insensitive, but the case of macro letters matters (§7.3). */
function toText(macro: MacroString): string {
  const parts = macro.map((part) => {
    if (typeof part === "string") return part.toLowerCase().replaceAll("%", "%%");
    const { letter, keep, reverse, delimiters, urlEscape } = part;
    const written = urlEscape ? letter.toUpperCase() : letter;
    return `%{${written}${keep ?? ""}${reverse ? "r" : ""}${delimiters}}`;
  });
  return parts.join("").replace(/\.$/, "");
}

function toNetwork(bytes: readonly number[], prefix: number | null): Network {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return { family: bytes.length, bits: bits.slice(0, prefix ?? bits.length) };
}

function toNetworkText({ bits, family }: Network): string {
  const whole = bits.padEnd(family * 8, "0");
  const bytes = Array.from({ length: family }, (_, index) => Number.parseInt(whole.slice(index * 8, index * 8 + 8), 2));
  if (family === 4) return `ip4:${bytes.join(".")}/${bits.length}`;
  return `ip6:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}/${bits.length}`;
}

/** No real record is longer. Beyond this, rules are compared as written. */
const maxRules = 250;
const maxRounds = 8;

/** Removes rules without effect and sorts the rest. Repeated, because removing a rule may let others be reordered. */
function simplify(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length > maxRules) return rules;
  let simple = order(dropDead(rules));
  for (let round = 1; round < maxRounds; round++) {
    const next = order(dropDead(simple));
    if (next.length === simple.length) return next;
    simple = next;
  }
  return simple;
}

/** Removes rules that an earlier rule covers, or a later one with the same qualifier that could move before it. */
function dropDead(rules: readonly Rule[]): readonly Rule[] {
  const kept: Rule[] = [];
  for (const rule of rules) if (!kept.some((earlier) => covers(earlier, rule))) kept.push(rule);
  return kept.filter((rule, index) => !isCoveredLater(rule, kept.slice(index + 1)));
}

function isCoveredLater(rule: Rule, later: readonly Rule[]): boolean {
  const behind = [rule];
  for (const other of later) {
    if (behind.some((earlier) => !commute(earlier, other))) behind.push(other);
    else if (other.qualifier === rule.qualifier && covers(other, rule)) return true;
  }
  return false;
}

function covers(wide: Rule, { mechanism, network }: Rule): boolean {
  if (wide.isAll || wide.mechanism === mechanism) return true;
  return (
    wide.network !== null &&
    network !== null &&
    wide.network.family === network.family &&
    network.bits.startsWith(wide.network.bits)
  );
}

/** Repeatedly takes the first rule by rank that may move to the front. */
function order(rules: readonly Rule[]): readonly Rule[] {
  const left = rules.map((rule, index) => ({
    rule,
    rank: toRank(rule),
    inTheWay: rules.slice(0, index).filter((earlier) => !commute(earlier, rule)).length,
    index,
  }));
  const ordered: Rule[] = [];
  while (left.length > 0) {
    const free = left.filter(({ inTheWay }) => inTheWay === 0);
    const next = free.reduce((first, each) => (each.rank < first.rank ? each : first));
    left.splice(left.indexOf(next), 1);
    ordered.push(next.rule);
    for (const each of left) if (each.index > next.index && !commute(next.rule, each.rule)) each.inTheWay -= 1;
  }
  return ordered;
}

/** Wide networks before narrow ones, so that covered rules are found. */
function toRank({ isAll, network, mechanism }: Rule): string {
  if (isAll) return "0";
  return network === null ? `2 ${mechanism}` : `1 ${String(network.bits.length).padStart(3, "0")} ${mechanism}`;
}

/** Whether swapping two rules changes no client's result. */
function commute(one: Rule, other: Rule): boolean {
  if (one.qualifier === other.qualifier) return true;
  if (one.network === null || other.network === null) return false;
  return !covers(one, other) && !covers(other, one);
}
