// check_host() of RFC 7208 §4: evaluates a domain's record and its includes for one client. Not mailauth's, which lacks
// exp=, counts leniently, and differs from the RFC's test suite in a dozen cases. Serial by nature: a term is evaluated
// only if those before it did not match.

import type { SpfCause, SpfResult } from "../checks/authentication-facts.ts";
import { whyUnknown } from "../checks/fact.ts";
import { type DnsAnswer, type RecordType, textsOf } from "../dns/answer.ts";
import {
  findModifier,
  isSpfRecord,
  liveMechanisms,
  liveRedirect,
  lookupsOf,
  type ParsedSpf,
  type ParsedTerm,
  parseSpf,
  type SpfQualifier,
} from "../dns/spf.ts";
import { toVisibleCut } from "../visible-text.ts";
import {
  addressType,
  askClientNames,
  findValidated,
  holdsClient,
  isAskable,
  isAtOrBelow,
  isDomain,
  isInNetwork,
  maxNames,
  readClientNames,
  type SpfCheck,
  toTargetName,
} from "./spf-client.ts";

/** §4.6.4. */
export const maxLookups = 10;
export const maxVoids = 2;

export type SpfOutcome = Pick<SpfResult, "result" | "cause" | "problem" | "record"> & {
  readonly decidedBy: { readonly term: string; readonly domain: string } | null;
  /** The `exp=` of the record that decided (§6.2), and that record's domain. */
  readonly explainedBy: { readonly exp: ParsedTerm; readonly domain: string } | null;
};

/** An outcome ends the check, wherever it occurs. */
type Match = { readonly matches: boolean; readonly inner?: SpfOutcome["decidedBy"] } | SpfOutcome;

/** Where a term is evaluated. */
type RecordPosition = {
  readonly domain: string;
  readonly check: SpfCheck;
  /** The domains whose records led here, this one last; lower case. */
  readonly path: readonly string[];
};

export async function checkDomain(
  domain: string,
  check: SpfCheck,
  cameFrom: readonly string[] = [],
): Promise<SpfOutcome> {
  if (!isDomain(domain)) return none(`"${toVisibleCut(domain, 80)}" is not a domain name.`);
  const answer = await check.dns.query(domain, "TXT");
  if (whyUnknown(answer) !== undefined) return tempError(answer);
  const [record, ...others] = readSpfRecords(answer);
  if (record === undefined)
    return none(answer.status === "nxdomain" ? `${domain} does not exist.` : `${domain} publishes no SPF record.`);
  if (others.length > 0) return permError("several", `${domain} publishes ${others.length + 1} SPF records.`);
  const { terms, problem } = parseSpfOf(answer, record);
  const place = { domain, check, path: [...cameFrom, domain.toLowerCase()] };
  const outcome =
    problem === null
      ? await evaluate(terms, place)
      : permError("syntax", `In the SPF record for ${domain}, ${problem}`);
  return { ...outcome, record };
}

/** The texts at the name that are SPF records (§3.3, §4.5). */
export function readSpfRecords(answer: Pick<DnsAnswer, "records">): readonly string[] {
  return textsOf(answer).filter(isSpfRecord);
}

/** `record`: the only one in the answer. It is parsed once per answer, for verdicts and for the whole tree. */
export function parseSpfOf(answer: DnsAnswer, record: string): ParsedSpf {
  const known = parsed.get(answer) ?? parseSpf(record);
  parsed.set(answer, known);
  return known;
}

const parsed = new WeakMap<DnsAnswer, ParsedSpf>();

const verdicts = { "+": "pass", "-": "fail", "~": "softfail", "?": "neutral" } as const satisfies Record<
  SpfQualifier,
  SpfResult["result"]
>;

/** `terms` are those of a valid record. */
async function evaluate(terms: readonly ParsedTerm[], place: RecordPosition): Promise<SpfOutcome> {
  for (const term of liveMechanisms(terms)) {
    const match = chargeLookups(term, place) ?? (await matchTerm(term, place));
    if ("result" in match) return match;
    if (!match.matches) continue;
    const result = verdicts[term.qualifier ?? "+"];
    const exp = result === "fail" ? findModifier(terms, "exp") : undefined;
    return {
      ...blank,
      result,
      // For a plain include, the term inside it says more. With another qualifier, the include itself decides.
      decidedBy: (result === "pass" && match.inner) || { term: term.text, domain: place.domain },
      explainedBy: exp === undefined ? null : { exp, domain: place.domain },
    };
  }
  const redirect = liveRedirect(terms);
  return redirect === undefined ? neutral : follow(redirect, place);
}

/** §6.1: the other record's result, with its explanation. */
async function follow(redirect: ParsedTerm, place: RecordPosition): Promise<SpfOutcome> {
  const overLimit = chargeLookups(redirect, place);
  if (overLimit !== null) return overLimit;
  const target = await toTargetName(redirect, place.domain, place.check);
  return target === null ? neutral : checkTarget(redirect, target, place);
}

async function matchTerm(term: ParsedTerm, place: RecordPosition): Promise<Match> {
  const { check } = place;
  if (term.name === "all") return { matches: true };
  if (term.network !== null) {
    const prefix = term.prefix4 ?? term.prefix6;
    return { matches: isInNetwork(check.addressBytes, term.network, prefix) };
  }
  const target = await toTargetName(term, place.domain, check);
  if (target === null) return { matches: false };
  if (term.name === "include") return matchInclude(term, target, place);
  // §4.3, §4.8: a name that cannot be looked up counts as nonexistent.
  if (!isAskable(target)) return { matches: false };
  if (term.name === "mx") return matchMx(term, target, place);
  if (term.name === "ptr") return matchPtr(term, target, place);
  return matchAddress(term, target, place);
}

/** §5.2: the table. */
async function matchInclude(term: ParsedTerm, target: string, place: RecordPosition): Promise<Match> {
  const outcome = await checkTarget(term, target, place);
  if (outcome.result === "permerror" || outcome.result === "temperror") return outcome;
  return { matches: outcome.result === "pass", inner: outcome.decidedBy };
}

/** `a` (§5.3), and `exists` (§5.7), which asks for A whatever the client's address is. */
async function matchAddress(term: ParsedTerm, target: string, place: RecordPosition): Promise<Match> {
  const { check } = place;
  const answer = await ask(check, target, term.name === "exists" ? "A" : addressType(check));
  if ("result" in answer) return answer;
  const overLimit = countVoid(answer, term, place);
  if (overLimit !== null) return overLimit;
  if (term.name === "exists") return { matches: answer.records.length > 0 };
  return { matches: holdsClient(answer, prefixFor(term, check), check) };
}

/** §5.4. A host that matches decides, even if DNS did not answer for others. */
async function matchMx(term: ParsedTerm, target: string, place: RecordPosition): Promise<Match> {
  const { check, domain } = place;
  const answer = await ask(check, target, "MX");
  if ("result" in answer) return answer;
  const overLimit = countVoid(answer, term, place);
  if (overLimit !== null) return overLimit;
  const hosts = answer.records.flatMap((record) => (record.type === "MX" ? [record.exchange] : []));
  if (hosts.length > maxNames) {
    const problem = `${quoteTerm(term, domain)} resolves to ${hosts.length} MX hosts, but the limit is ${maxNames}.`;
    return permError("lookups", problem);
  }
  const type = addressType(check);
  const answers = await Promise.all(hosts.filter(isAskable).map((host) => ask(check, host, type)));
  const prefix = prefixFor(term, check);
  const matches = answers.some((found) => !("result" in found) && holdsClient(found, prefix, check));
  const trouble = answers.find((found) => "result" in found);
  return matches || trouble === undefined ? { matches } : trouble;
}

/** §5.5: errors for the client's names are ignored. Only names at or below the target can match. */
async function matchPtr(term: ParsedTerm, target: string, place: RecordPosition): Promise<Match> {
  const answer = await askClientNames(place.check);
  if (whyUnknown(answer) !== undefined) return { matches: false };
  const overLimit = countVoid(answer, term, place);
  if (overLimit !== null) return overLimit;
  const names = readClientNames(answer).filter((name) => isAtOrBelow(name, target));
  return { matches: (await findValidated(names, place.check)).length > 0 };
}

/**
 * The record that an include or redirect leads to. It must exist (§5.2, §6.1). A loop would end at the lookup limit
 * with a permerror anyway, but "in a loop" helps more than a count.
 */
async function checkTarget(
  term: ParsedTerm,
  target: string,
  { domain, check, path }: RecordPosition,
): Promise<SpfOutcome> {
  if (path.includes(target.toLowerCase()))
    return permError("includes", `${quoteTerm(term, domain)} leads back to ${target} in a loop.`);
  const outcome = await checkDomain(target, check, path);
  if (outcome.result === "none")
    return permError("includes", `${quoteTerm(term, domain)} does not point to an SPF record: ${outcome.problem}`);
  return outcome.cause === "several" ? { ...outcome, cause: "includes" } : outcome;
}

async function ask(check: SpfCheck, name: string, type: RecordType): Promise<DnsAnswer | SpfOutcome> {
  const answer = await check.dns.query(name, type);
  return whyUnknown(answer) === undefined ? answer : tempError(answer);
}

/** §4.6.4: the limit counts terms, whatever they look up. */
function chargeLookups(term: ParsedTerm, { check, domain }: RecordPosition): SpfOutcome | null {
  const cost = lookupsOf(term);
  check.lookups += cost;
  if (cost === 0 || check.lookups <= maxLookups) return null;
  const problem = `More than ${maxLookups} terms need DNS lookups. The first one over the limit is ${quoteTerm(term, domain)}.`;
  return permError("lookups", problem);
}

/**
 * §4.6.4 counts terms whose lookup returns nothing. Address lookups for MX or PTR names do not count here, but some
 * receivers count them too.
 */
function countVoid(
  { name, records }: DnsAnswer,
  term: ParsedTerm,
  { check, domain }: RecordPosition,
): SpfOutcome | null {
  if (records.length > 0) return null;
  check.voids += 1;
  if (check.voids <= maxVoids) return null;
  const last = `${quoteTerm(term, domain)} (${name})`;
  return permError("voids", `More than ${maxVoids} lookups return nothing. The first one over the limit is ${last}.`);
}

function prefixFor({ prefix4, prefix6 }: ParsedTerm, { addressBytes }: SpfCheck): number | null {
  return addressBytes.length === 4 ? prefix4 : prefix6;
}

const blank = { cause: null, problem: null, record: null, decidedBy: null, explainedBy: null } as const;

/** §4.7. */
const neutral: SpfOutcome = { ...blank, result: "neutral" };

export function none(problem: string): SpfOutcome {
  return { ...blank, result: "none", problem };
}

function permError(cause: SpfCause, problem: string): SpfOutcome {
  return { ...blank, result: "permerror", cause, problem };
}

function tempError({ name, type, status }: DnsAnswer): SpfOutcome {
  const problem =
    status === "private"
      ? `The DNS server does not resolve public names, so the ${type} records for ${name} are unknown.`
      : `The DNS lookup of the ${type} records for ${name} failed (${status}).`;
  return { ...blank, result: "temperror", problem };
}

function quoteTerm({ text }: ParsedTerm, domain: string): string {
  return `"${toVisibleCut(text, 80)}" in the record for ${domain}`;
}
