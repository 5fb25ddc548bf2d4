// The tree walk of RFC 9989 §4.10: which names are asked for a DMARC record, and what they make the organisational domain.
// All names of a walk are asked at once and read in their order: that costs a question or two where a psd tag ends the walk
// early, and saves a round trip for each label everywhere else.

import { type Fact, known, unknown, type Why, whyUnknown } from "../checks/fact.ts";
import { type Dns, type DnsAnswer, textsOf, toQuestionName } from "../dns/answer.ts";
import {
  type DmarcFault,
  type DmarcRecord,
  findDmarcNearMiss,
  isDmarcRecord,
  parseDmarcRecord,
} from "../dns/dmarc.ts";
import { isSpfRecord } from "../dns/spf.ts";

/** What stands at the DMARC name of one domain. */
export type DmarcStep = {
  readonly domain: string;
  /** All that say they are DMARC; several cancel each other. */
  readonly texts: readonly string[];
  /** The one that counts. */
  readonly record: ReadDmarcRecord | null;
  /** Why there is no record though something was meant as one. */
  readonly faults: readonly DmarcFault[];
  readonly spf: string | null;
};

type ReadDmarcRecord = DmarcRecord & {
  readonly text: string;
  readonly tags: NonNullable<DmarcRecord["tags"]>;
};

/** One that has a record that counts. */
export type AppliedStep = DmarcStep & { readonly record: ReadDmarcRecord };

type DmarcWalk = {
  /** As far as DNS answered, or a psd tag let it go. */
  readonly steps: readonly DmarcStep[];
  /** Why DNS did not answer at the next name; null when the walk came to its end. */
  readonly trouble: Why | null;
};

/** §4.10 step 4: from eight labels on a name is cut to seven at once, so that no walk asks more than eight questions. */
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

/** §4.10.2: psd=n names the organisational domain, psd=y above the beginning the one below; else the topmost record. */
export function chooseOrgDomain(domain: string, steps: readonly DmarcStep[]): string {
  const last = steps.filter(hasRecord).at(-1);
  if (last === undefined) return domain;
  if (last.record.tags.psd !== "y" || last.domain === domain) return last.domain;
  const labelCount = last.domain.split(".").length + 1;
  return domain.split(".").slice(-labelCount).join(".");
}

/** The organisational domain of an identifier that is to be aligned. */
export async function gatherOrgDomain(domain: string, dns: Dns): Promise<Fact<string>> {
  return toOrgDomain(domain, await walkTree(domain, dns));
}

export function toOrgDomain(domain: string, { steps, trouble }: DmarcWalk): Fact<string> {
  return trouble === null ? known(chooseOrgDomain(domain, steps)) : unknown(trouble);
}

function endsWalk({ record }: DmarcStep): boolean {
  return record !== null && record.tags.psd !== "u";
}

/** §4.10.1: the author domain's own record, else its organisational domain's, else that of the public suffix above. */
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
  // A name that DNS cannot hold has no record, and that is known without asking.
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

/** The only record of an answer, which several walks of a message come by: it is read once while DNS keeps the answer. */
function parseOnly(answer: DnsAnswer, text: string): DmarcRecord {
  const known = parsed.get(answer) ?? parseDmarcRecord(text);
  parsed.set(answer, known);
  return known;
}

const parsed = new WeakMap<DnsAnswer, DmarcRecord>();
