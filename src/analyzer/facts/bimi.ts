// The DNS part of BIMI (draft-brand-indicators-for-message-identification-14 §7.1, §7.2): whether receivers look for a
// logo, and which record points to it. The files are fetched elsewhere. Not mailauth's `bimi`, because it needs
// mailauth's own DMARC result, looks up names one after the other, and brings along an HTTP client and a certificate
// parser, all for two queries.

import type { Bimi, BimiWeakness, Dkim, Dmarc, DmarcResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, textsOf } from "../dns/answer.ts";
import { isBimiNearMiss, isBimiRecord, isBimiSelector, parseBimiRecord } from "../dns/bimi.ts";
import type { DmarcTags } from "../dns/dmarc.ts";
import { isSpfRecord } from "../dns/spf.ts";
import { parseTagList } from "../dns/tag-list.ts";
import type { Author } from "../mail/headers/author.ts";
import { fieldsNamed, type HeaderSection } from "../mail/headers/fields.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { readStep } from "./dmarc-walk.ts";

type BimiEvidence = {
  readonly author: Author;
  readonly section: HeaderSection;
  readonly dmarc: Fact<Dmarc>;
  readonly dmarcResult: Fact<DmarcResult>;
  readonly dkim: Dkim;
};

type BimiLookup = Pick<Bimi, "name" | "records"> & {
  readonly nearMisses: readonly string[];
  readonly spf: string | null;
};

const nothing: Bimi = {
  domain: null,
  result: "skipped",
  says: null,
  name: null,
  records: [],
  l: null,
  a: null,
  declined: false,
  avp: null,
  lps: [],
  weakness: null,
  logo: unknown("off"),
  certificate: unknown("off"),
};
const defaultSelector = "default";

export async function gatherBimi(evidence: BimiEvidence, dns: Dns): Promise<Fact<Bimi>> {
  const { author, section, dmarc, dmarcResult, dkim } = evidence;
  if (!dmarcResult.known) return dmarcResult;
  if (!author.ok || author.mailboxes > 1)
    return known({ ...nothing, says: "BIMI requires exactly one address in From." });
  const { result } = dmarcResult.value;
  if (result === "temperror") return known({ ...nothing, result, says: dmarcResult.value.says });
  if (result !== "pass" || !dmarc.known)
    return known({ ...nothing, says: "DMARC does not pass, so receivers do not look for a logo." });
  const best = dkim.best === null ? undefined : dkim.signatures[dkim.best];
  if (dmarcResult.value.alignedBy.includes("dkim") && best && best.bodyLength !== null)
    return known({ ...nothing, says: "The DKIM signature does not cover the whole body (l=)." });
  // §5.5: anyone can write what the aligned signature does not cover.
  const isSigned = dmarcResult.value.alignedBy.includes("dkim") && best?.headers.includes("bimi-selector");
  const selector = isSigned ? readSelector(section) : defaultSelector;
  if (selector === null)
    return known({
      ...nothing,
      domain: author.domain,
      result: "fail",
      says: "The BIMI-Selector header cannot be read.",
    });
  return gatherWithPolicy(author.domain, dmarc.value, selector, dns);
}

/** For a bare domain, without a message. */
export async function gatherDomainBimi(dmarc: Dmarc, dns: Dns): Promise<Fact<Bimi>> {
  return gatherWithPolicy(dmarc.domain, dmarc, defaultSelector, dns);
}

/** With a weak policy, receivers do not look for a logo. We still do, because the owner of a logo wants to know. */
async function gatherWithPolicy(domain: string, dmarc: Dmarc, selector: string, dns: Dns): Promise<Fact<Bimi>> {
  const [weakness, found] = await Promise.all([findWeakness(dmarc, dns), gatherRecord(domain, dmarc, selector, dns)]);
  if (!weakness.known) return weakness;
  if (weakness.value === null || !found.known) return found;
  const bimi = { ...found.value, weakness: weakness.value };
  if (bimi.result !== "pass") return known(bimi);
  const { at, reason } = weakness.value;
  const says = `The DMARC policy for ${at} is too weak for BIMI (${weaknessWords[reason]}).`;
  return known({ ...bimi, result: "skipped", says });
}

const weaknessWords: Readonly<Record<BimiWeakness["reason"], string>> = {
  none: "none",
  testing: "t=y",
  subdomains: "sp=none",
};

/** §7.1 steps 6 to 9: neither the domain's own policy nor its organization's may be weak. Null: both are strong. */
async function findWeakness(dmarc: Dmarc, dns: Dns): Promise<Fact<BimiWeakness | null>> {
  const { tags, policy, foundAt, orgDomain } = dmarc;
  const at = foundAt ?? dmarc.domain;
  if (policy === "none" || policy === null || tags === null) return known({ at, reason: "none" });
  const own = weaknessOf(tags);
  if (own !== null) return known({ at, reason: own });
  if (!orgDomain.known) return orgDomain;
  if (orgDomain.value === foundAt) return known(null);
  const step = await readStep(orgDomain.value, dns);
  if (!step.known) return step;
  const { record } = step.value;
  if (record === null) return known(null);
  const reason = record.policies === null ? "none" : weaknessOf(record.tags);
  return known(reason && { at: orgDomain.value, reason });
}

function weaknessOf({ p, sp, t }: DmarcTags): BimiWeakness["reason"] | null {
  if (p === "none" || p === null) return "none";
  if (t) return "testing";
  return sp === "none" ? "subdomains" : null;
}

/** §5.1: "default" without the header. Null if the header is invalid or appears twice. */
function readSelector(section: HeaderSection): string | null {
  const [field, ...more] = fieldsNamed(section, "bimi-selector");
  if (field === undefined) return defaultSelector;
  const list = parseTagList(field.value.slice(0, 1_000));
  if (more.length > 0 || !list.ok || list.tags[0]?.name !== "v" || list.get("v") !== "BIMI1") return null;
  const selector = list.get("s") ?? "";
  return isBimiSelector(selector) ? selector.toLowerCase() : null;
}

/** §7.2: at the author domain, then at its organizational domain, with the same selector. */
async function gatherRecord(domain: string, { orgDomain }: Dmarc, selector: string, dns: Dns): Promise<Fact<Bimi>> {
  const places = orgDomain.known && orgDomain.value !== domain ? [domain, orgDomain.value] : [domain];
  const answers = await Promise.all(places.map((place) => findRecords(`${selector}._bimi.${place}`, dns)));
  for (const [index, answer] of answers.entries()) {
    if (!answer.known)
      return known({ ...nothing, domain, result: "temperror", says: "The DNS lookup for the BIMI record failed." });
    if (answer.value.records.length > 0) return known(toBimi(places[index] ?? domain, answer.value));
  }
  if (!orgDomain.known)
    return known({
      ...nothing,
      domain,
      result: "temperror",
      says: "The DNS lookup for the organizational domain failed.",
    });
  const name = `${selector}._bimi.${domain}`;
  const misses = answers
    .flatMap((answer) => (answer.known ? answer.value.nearMisses : []))
    .slice(0, 1)
    .map(show);
  if (misses.length > 0)
    return known({
      ...nothing,
      domain,
      name,
      records: misses,
      result: "fail",
      says: 'The record does not begin with "v=BIMI1;".',
    });
  const [own] = answers;
  const spfInPlace = own?.known ? own.value.spf : null;
  const says = `There is no BIMI record at ${name}.`;
  return known({ ...nothing, domain, name, result: "none", says, spfInPlace });
}

async function findRecords(name: string, dns: Dns): Promise<Fact<BimiLookup>> {
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const texts = textsOf(answer);
  const spf = texts.find(isSpfRecord) ?? null;
  const records = texts.filter(isBimiRecord);
  return known({ name, records, nearMisses: texts.filter(isBimiNearMiss), spf: spf && show(spf) });
}

function toBimi(domain: string, { name, records }: BimiLookup): Bimi {
  const found = { ...nothing, domain, name, records: records.slice(0, 10).map(show) };
  const [text = ""] = records;
  if (records.length > 1)
    return {
      ...found,
      result: "fail",
      says: `There are ${records.length} BIMI records at ${name}, but only one is allowed.`,
    };
  const record = parseBimiRecord(text);
  if (!record.ok) return { ...found, result: "fail", says: record.problem };
  const { l, a, declined, avp, lps, stray } = record;
  return {
    ...found,
    l,
    a,
    declined,
    avp,
    lps,
    ...(stray.length > 0 && { stray }),
    result: declined ? "declined" : "pass",
    says: null,
  };
}

function show(text: string): string {
  return toStorableCut(text, 2_000);
}
