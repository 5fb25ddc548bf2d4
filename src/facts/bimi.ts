// The DNS part of BIMI (draft-brand-indicators-for-message-identification-14 §7.1, §7.2): may a logo be looked for, and which
// record announces it. The files behind the record are fetched elsewhere.
// Not mailauth's `bimi`, because it takes mailauth's own DMARC result with its hidden records and its header rows, asks one
// name after the other, and its module brings an HTTP client and a certificate parser with it, for what is two questions.

import type { Bimi, Dkim, Dmarc, DmarcResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { isBimiNearMiss, isBimiRecord, isBimiSelector, parseBimiRecord } from "../dns/bimi.ts";
import { parseTagList } from "../dns/tag-list.ts";
import type { Author } from "../mail/author.ts";
import { fieldsNamed, type HeaderSection } from "../mail/header-fields.ts";
import { toStorableCut } from "../mail/storable.ts";
import { readStep } from "./dmarc-walk.ts";

export type BimiEvidence = {
  readonly author: Author;
  readonly section: HeaderSection;
  readonly dmarc: Fact<Dmarc>;
  readonly dmarcResult: Fact<DmarcResult>;
  readonly dkim: Dkim;
};

type Found = Pick<Bimi, "name" | "records"> & { readonly nearMisses: readonly string[] };

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
};
const defaultSelector = "default";

export async function gatherBimi(evidence: BimiEvidence, dns: Dns): Promise<Fact<Bimi>> {
  const { author, section, dmarc, dmarcResult, dkim } = evidence;
  if (!dmarcResult.known) return dmarcResult;
  if (!author.ok || author.mailboxes > 1)
    return known({ ...nothing, says: "BIMI wants exactly one address in From." });
  const { result } = dmarcResult.value;
  if (result === "temperror") return known({ ...nothing, result, says: dmarcResult.value.says });
  if (result !== "pass" || !dmarc.known)
    return known({ ...nothing, says: "DMARC does not pass, so that no receiver looks for a logo." });
  const best = dkim.best === null ? undefined : dkim.signatures[dkim.best];
  if (dmarcResult.value.alignedBy.includes("dkim") && best && best.bodyLength !== null)
    return known({ ...nothing, says: "The signature leaves the end of the body unsigned (l=)." });
  const weakness = await findWeakness(dmarc.value, dns);
  if (!weakness.known) return weakness;
  if (weakness.value !== null) return known({ ...nothing, says: weakness.value });
  // §5.5: what the aligned signature does not cover may be anybody's.
  const isSigned = dmarcResult.value.alignedBy.includes("dkim") && best?.headers.includes("bimi-selector");
  const selector = isSigned ? readSelector(section) : defaultSelector;
  if (selector === null)
    return known({
      ...nothing,
      domain: author.domain,
      result: "fail",
      says: "BIMI-Selector cannot be read.",
    });
  return gatherRecord(author.domain, dmarc.value, selector, dns);
}

/** For a bare domain, whose messages are not there to be judged. */
export async function gatherDomainBimi(dmarc: Dmarc, dns: Dns): Promise<Fact<Bimi>> {
  return gatherRecord(dmarc.domain, dmarc, defaultSelector, dns);
}

/** §7.1 steps 6 to 9: neither the domain's own record nor its organisation's may be lax. Null: both are strong. */
async function findWeakness(dmarc: Dmarc, dns: Dns): Promise<Fact<string | null>> {
  const { tags, effective, foundAt, orgDomain } = dmarc;
  if (effective === "none" || effective === null || tags === null)
    return known("The DMARC policy in force is none, which keeps logos off.");
  if (tags.t) return known("The DMARC policy is in test mode (t=y), which keeps logos off.");
  if (tags.sp === "none" || tags.p === "none")
    return known("The DMARC record asks for none (p or sp), which keeps logos off.");
  if (!orgDomain.known) return orgDomain;
  if (orgDomain.value === foundAt) return known(null);
  const step = await readStep(orgDomain.value, dns);
  if (!step.known) return step;
  const org = step.value.record;
  if (org === null) return known(null);
  const isStrong =
    org.policies !== null && org.policies.p !== "none" && org.policies.sp !== "none" && !org.tags.t;
  return known(
    isStrong ? null : `The DMARC policy of ${orgDomain.value} is too weak, which keeps logos off.`,
  );
}

/** §5.1; "default" without the field. Null when it is there but wrong, or there twice. */
function readSelector(section: HeaderSection): string | null {
  const [field, ...more] = fieldsNamed(section, "bimi-selector");
  if (field === undefined) return defaultSelector;
  const list = parseTagList(field.value.slice(0, 1_000));
  if (more.length > 0 || !list.ok || list.tags[0]?.name !== "v" || list.get("v") !== "BIMI1") return null;
  const selector = list.get("s") ?? "";
  return isBimiSelector(selector) ? selector.toLowerCase() : null;
}

/** §7.2: at the author domain, then at its organisational domain; the same selector at both. */
async function gatherRecord(
  domain: string,
  { orgDomain }: Dmarc,
  selector: string,
  dns: Dns,
): Promise<Fact<Bimi>> {
  const places = orgDomain.known && orgDomain.value !== domain ? [domain, orgDomain.value] : [domain];
  const answers = await Promise.all(places.map((place) => findRecords(`${selector}._bimi.${place}`, dns)));
  for (const [index, answer] of answers.entries()) {
    if (!answer.known)
      return known({
        ...nothing,
        domain,
        result: "temperror",
        says: "DNS did not answer for the BIMI record.",
      });
    if (answer.value.records.length > 0) return known(toBimi(places[index] ?? domain, answer.value));
  }
  if (!orgDomain.known)
    return known({
      ...nothing,
      domain,
      result: "temperror",
      says: "DNS did not answer which organisation the domain belongs to.",
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
      says: "The record does not begin with v=BIMI1;",
    });
  return known({ ...nothing, domain, name, result: "none", says: `No BIMI record stands at ${name}.` });
}

async function findRecords(name: string, dns: Dns): Promise<Fact<Found>> {
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const texts = answer.records.flatMap((record) => (record.type === "TXT" ? [record.parts.join("")] : []));
  return known({ name, records: texts.filter(isBimiRecord), nearMisses: texts.filter(isBimiNearMiss) });
}

function toBimi(domain: string, { name, records }: Found): Bimi {
  const found = { ...nothing, domain, name, records: records.slice(0, 10).map(show) };
  const [text = ""] = records;
  if (records.length > 1)
    return {
      ...found,
      result: "fail",
      says: `${records.length} BIMI records stand at ${name}; one is right.`,
    };
  const record = parseBimiRecord(text);
  if (!record.ok) return { ...found, result: "fail", says: record.problem };
  const { l, a, declined, avp, lps } = record;
  return { ...found, l, a, declined, avp, lps, result: declined ? "declined" : "pass", says: null };
}

function show(text: string): string {
  return toStorableCut(text, 2_000);
}
