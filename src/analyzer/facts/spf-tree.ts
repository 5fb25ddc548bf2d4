// A domain's SPF record with all its includes, read without a client. A term that depends on a message
// (`exists:%{i}.…`) is counted but not looked up. Read level by level, so that the cut does not depend on how fast
// answers arrive.

import { whyUnknown } from "../checks/fact.ts";
import type { Dns, DnsAnswer } from "../dns/answer.ts";
import { liveMechanisms, liveRedirect, lookupsOf, type ParsedTerm } from "../dns/spf.ts";
import { expandToName, usesLetter } from "../dns/spf-macro.ts";
import { parseSpfOf, readSpfRecords } from "./spf-check.ts";
import { isDomain } from "./spf-client.ts";

export type SpfBranch = {
  readonly domain: string;
  /** The include or redirect that leads here; null at the top. */
  readonly via: ParsedTerm | null;
  /** The parent domains, in lower case. */
  readonly path: readonly string[];
  readonly isLoop: boolean;
  /** Null if nothing was looked up: for a loop or an invalid domain. */
  answer: DnsAnswer | null;
  records: readonly string[];
  /** The terms of the single record. */
  terms: readonly ParsedTerm[];
  /** There is no single record, or it is invalid: receivers answer permerror. */
  isBroken: boolean;
  children: readonly SpfBranch[];
};

export type SpfTree = {
  readonly top: SpfBranch;
  /** Every branch, the top first. */
  readonly branches: readonly SpfBranch[];
  /** Everything was read, and DNS answered. */
  readonly isWhole: boolean;
};

/** For all records together. Each of forty can have 64 KB. */
const maxCharacters = 200_000;

export async function readSpfTree(domain: string, dns: Dns, maxBranches: number): Promise<SpfTree> {
  const top = toBranch(domain, null, []);
  const branches: SpfBranch[] = [];
  let isCut = false;
  let characters = 0;
  for (let level = [top]; level.length > 0; ) {
    await Promise.all(level.map((branch) => read(branch, dns)));
    branches.push(...level);
    let room = maxBranches - branches.length;
    for (const branch of level) {
      characters += branch.records.join("").length;
      isCut ||= characters > maxCharacters;
      if (characters <= maxCharacters) readTerms(branch);
      const wanted = toChildren(branch, domain);
      branch.children = wanted.slice(0, room);
      room -= branch.children.length;
      isCut ||= branch.children.length < wanted.length;
    }
    level = level.flatMap(({ children }) => children);
  }
  return { top, branches, isWhole: !isCut && branches.every(isAnswered) };
}

/** The terms that a receiver may reach. */
export function liveTerms(terms: readonly ParsedTerm[]): readonly ParsedTerm[] {
  const redirect = liveRedirect(terms);
  return redirect === undefined ? liveMechanisms(terms) : [...liveMechanisms(terms), redirect];
}

export function countLookups({ terms, children }: SpfBranch): number {
  const own = liveTerms(terms).reduce((sum, term) => sum + lookupsOf(term), 0);
  return children.reduce((sum, child) => sum + countLookups(child), own);
}

/** The name that a term leads to for any message from `sender`; null if it depends on the message. */
export function toStaticName({ target }: ParsedTerm, domain: string, sender: string): string | null {
  if (target === null) return domain;
  if (usesLetter(target, "s", "l", "i", "p", "h", "v")) return null;
  return expandToName(target, (letter) => (letter === "o" ? sender : domain));
}

/** The term that lets every client pass; null if there is none. `voids` lead to no host. */
export function findOpenTerm(
  branch: SpfBranch,
  family: "IPv4" | "IPv6",
  voids: ReadonlySet<ParsedTerm>,
): ParsedTerm | null {
  if (branch.isBroken) return null;
  const isOpen = (via: ParsedTerm) => {
    const child = branch.children.find((candidate) => candidate.via === via);
    return child !== undefined && findOpenTerm(child, family, voids) !== null;
  };
  for (const term of liveMechanisms(branch.terms)) {
    if (term.name === "include" && branch.children.some(({ via, isBroken }) => via === term && isBroken)) return null;
    const matchesAll = term.name === "include" ? isOpen(term) : isAllOf(term, family) && !voids.has(term);
    if (matchesAll) return term.qualifier === "+" ? term : null;
  }
  const redirect = liveRedirect(branch.terms);
  return redirect !== undefined && isOpen(redirect) ? redirect : null;
}

function isAllOf({ name, prefix4, prefix6 }: ParsedTerm, family: "IPv4" | "IPv6"): boolean {
  if (name === "all") return true;
  if (family === "IPv6") return name === "ip6" && prefix6 === 0;
  return (name === "ip4" || name === "a" || name === "mx") && prefix4 === 0;
}

function toBranch(domain: string, via: ParsedTerm | null, path: readonly string[]): SpfBranch {
  const isLoop = path.includes(domain.toLowerCase());
  return { domain, via, path, isLoop, answer: null, records: [], terms: [], isBroken: true, children: [] };
}

async function read(branch: SpfBranch, dns: Dns): Promise<void> {
  if (branch.isLoop || !isDomain(branch.domain)) return;
  branch.answer = await dns.query(branch.domain, "TXT");
  branch.records = readSpfRecords(branch.answer);
}

function readTerms(branch: SpfBranch): void {
  const [record, ...others] = branch.records;
  if (branch.answer === null || record === undefined || others.length > 0) return;
  const { terms, problem } = parseSpfOf(branch.answer, record);
  branch.terms = terms;
  branch.isBroken = problem !== null;
}

function toChildren({ domain, terms, path }: SpfBranch, sender: string): readonly SpfBranch[] {
  return liveTerms(terms).flatMap((term) => {
    if ((term.name !== "include" && term.name !== "redirect") || term.target === null) return [];
    const name = toStaticName(term, domain, sender);
    return name === null ? [] : toBranch(name, term, [...path, domain.toLowerCase()]);
  });
}

function isAnswered({ answer }: SpfBranch): boolean {
  return answer === null || whyUnknown(answer) === undefined;
}
