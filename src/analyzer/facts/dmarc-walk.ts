// The tree walk of RFC 9989 §4.10: which names are queried for a DMARC record, and the organizational domain that
// follows. All names are queried in parallel and read in order. That wastes a query or two if a psd tag ends the walk
// early, but saves a round trip per label.

import { type Fact, known, unknown, type Why, whyUnknown } from "../checks/fact.ts";
import { type Dns, type DnsAnswer, textsOf, toQuestionName } from "../dns/answer.ts";
import { type DmarcFault, type DmarcRecord, findDmarcNearMiss, isDmarcRecord, parseDmarcRecord } from "../dns/dmarc.ts";
import { isSpfRecord } from "../dns/spf.ts";

/** What is published at the DMARC name of one domain. */
export type DmarcStep = {
  readonly domain: string;
  /** All DMARC records at the name. Several cancel each other. */
  readonly texts: readonly string[];
  /** The record that counts. */
  readonly record: ReadDmarcRecord | null;
  /** Why a text that was meant as a DMARC record does not count. */
  readonly faults: readonly DmarcFault[];
  readonly spf: string | null;
};

type ReadDmarcRecord = DmarcRecord & { readonly text: string; readonly tags: NonNullable<DmarcRecord["tags"]> };

/** A step with a record that counts. */
export type AppliedStep = DmarcStep & { readonly record: ReadDmarcRecord };

type DmarcWalk = {
  /** The steps up to a missing DNS answer or a psd tag. */
  readonly steps: readonly DmarcStep[];
  /** Why DNS did not answer for the next name; null if the walk is complete. */
  readonly trouble: Why | null;
};

/** §4.10 step 4: a name of eight or more labels is cut to seven, so no walk takes more than eight queries. */
const longestTail = 7;

export function toWalkNames(domain: string): string[] {
  const labels = domain.split(".");
  const begin = Math.max(1, labels.length - longestTail);
  return [domain, ...labels.slice(begin).map((_, index) => labels.slice(begin + index).join("."))];
}

export async function walkTree(domain: string, dns: Dns): Promise<DmarcWalk> {
  const answers = await Promise.all(toWalkNames(domain).map((name) => readStep(name, dns)));
  const steps: DmarcStep[] = [];
  for (const answer of answers) {
    if (!answer.known) return { steps, trouble: answer.why };
    steps.push(answer.value);
    if (endsWalk(answer.value)) break;
  }
  return { steps, trouble: null };
}

/**
 * §4.10.2: psd=n marks the organizational domain, and psd=y on a parent the one below it. Otherwise it is the topmost
 * record.
 */
export function chooseOrgDomain(domain: string, steps: readonly DmarcStep[]): string {
  const last = steps.filter(hasRecord).at(-1);
  if (last === undefined) return domain;
  if (last.record.tags.psd !== "y" || last.domain === domain) return last.domain;
  const labelCount = last.domain.split(".").length + 1;
  return domain.split(".").slice(-labelCount).join(".");
}

/** The organizational domain of an identifier that has to align. */
export async function gatherOrgDomain(domain: string, dns: Dns): Promise<Fact<string>> {
  return toOrgDomain(domain, await walkTree(domain, dns));
}

export function toOrgDomain(domain: string, { steps, trouble }: DmarcWalk): Fact<string> {
  return trouble === null ? known(chooseOrgDomain(domain, steps)) : unknown(trouble);
}

function endsWalk({ record }: DmarcStep): boolean {
  return record !== null && record.tags.psd !== "u";
}

/**
 * §4.10.1: the record of the author domain, or else of its organizational domain, or else of the public suffix above.
 */
export function chooseStep(domain: string, { steps, trouble }: DmarcWalk): Fact<AppliedStep | null> {
  const found = steps.filter(hasRecord);
  const own = found.find((step) => step.domain === domain);
  if (own) return known(own);
  if (trouble !== null) return unknown(trouble);
  const org = chooseOrgDomain(domain, steps);
  const suffix = found.at(-1)?.record.tags.psd === "y" ? found.at(-1) : undefined;
  return known(found.find((step) => step.domain === org) ?? suffix ?? null);
}

function hasRecord(step: DmarcStep): step is AppliedStep {
  return step.record !== null;
}

export async function readStep(domain: string, dns: Dns): Promise<Fact<DmarcStep>> {
  const name = `_dmarc.${domain}`;
  // A name that is invalid in DNS has no record. No query is needed.
  if (toQuestionName(name) === null) return known(toStep(domain, null));
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  return known(toStep(domain, answer));
}

function toStep(domain: string, answer: DnsAnswer | null): DmarcStep {
  // §4.5: the strings of a record are joined without a space.
  const all = answer === null ? [] : textsOf(answer);
  const texts = all.filter(isDmarcRecord);
  const spf = all.find(isSpfRecord) ?? null;
  const [text] = texts;
  if (answer === null || text === undefined) {
    const faults = all.flatMap((other) => findDmarcNearMiss(other) ?? []).slice(0, maxNearMisses);
    return { domain, texts, record: null, faults, spf };
  }
  if (texts.length > 1) return { domain, texts, record: null, faults: [], spf };
  const { tags, policies, faults } = parseOnly(answer, text);
  if (tags === null) return { domain, texts, record: null, faults, spf };
  return { domain, texts, record: { text, tags, policies, faults }, faults: [], spf };
}

const maxNearMisses = 5;

/** The only record of an answer. It is parsed once per answer, because several walks of a message pass it. */
function parseOnly(answer: DnsAnswer, text: string): DmarcRecord {
  const known = parsed.get(answer) ?? parseDmarcRecord(text);
  parsed.set(answer, known);
  return known;
}

const parsed = new WeakMap<DnsAnswer, DmarcRecord>();
