// Whether a message passes DMARC (RFC 9989 §5.3): the author domain, its policy, and its SPF and DKIM results. There
// are no guesses: a pass needs one known aligned result, and a fail needs all results to be known. For an ambiguous
// From header, see dmarc-readings.ts.

import type {
  AlignedSignature,
  Dkim,
  DkimSignature,
  Dmarc,
  DmarcResult,
  SpfResult,
} from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import { type Dns, isWithin } from "../dns/answer.ts";
import { toAsciiDomain, toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import { type DmarcStep, gatherOrgDomain, readStep } from "./dmarc-walk.ts";

type DmarcEvidence = {
  /** The author's domain; null if no receiver could pick one. */
  readonly domain: string | null;
  readonly dmarc: Fact<Dmarc>;
  /** SPF for MAIL FROM, or for HELO with a null return path (RFC 7208 §2.4). */
  readonly spf: Fact<SpfResult>;
  readonly signatures: readonly DkimSignature[];
  /** Signatures that were not evaluated. */
  readonly ignored?: number;
};

export type DmarcProofs = Omit<DmarcEvidence, "domain" | "dmarc">;
export type DmarcVerdict = { readonly dmarcResult: Fact<DmarcResult>; readonly dkim: Dkim };

export async function judgeDmarc(evidence: DmarcEvidence, dns: Dns): Promise<DmarcVerdict> {
  const { domain, dmarc, spf, signatures, ignored = 0 } = evidence;
  if (domain === null) return { dmarcResult: unknown("parser-failed"), dkim: toDkim(signatures, [], ignored) };
  const align = createAlignment(domain, dmarc, dns);
  const tags = dmarc.known ? dmarc.value.tags : null;
  // SPF first, then passing signatures, so that a flood of broken ones cannot use up the tree walks that a pass needs.
  const [spfProof, dkimProofs] = await Promise.all([
    spf.known ? prove("spf", spf.value, tags?.aspf === "s", align) : null,
    proveSignatures(signatures, tags?.adkim === "s", align),
  ]);
  const proofs = [...(spfProof ? [spfProof] : []), ...dkimProofs];
  const dkim = toDkim(signatures, dkimProofs, ignored);
  const judged = judge(evidence, proofs);
  if (!judged.known) return { dmarcResult: judged, dkim };
  const byList = await judgeByList(domain, proofs, spf.known, dns);
  const dmarcResult = known<DmarcResult>({
    ...judged.value,
    fromDomain: domain,
    alignedBy: (["spf", "dkim"] as const).filter((by) => proofs.some((proof) => proof.by === by && passes(proof))),
    spfAligned: spf.known ? anyAligned(spfProof ? [spfProof] : []) : spf,
    dkimAligned: anyAligned(dkimProofs),
    relaxedWouldPass: judged.value.result === "fail" && proofs.some(passesRelaxed),
    ...byList,
  });
  return { dmarcResult, dkim };
}

type DmarcOutcome = Fact<Pick<DmarcResult, "result" | "says">>;

function judge({ dmarc, spf }: DmarcEvidence, proofs: readonly Proof[]): DmarcOutcome {
  if (!dmarc.known) {
    const says = "The DNS lookup for the DMARC record failed, so the message neither passes nor fails.";
    return known({ result: "temperror", says });
  }
  const { name, record, policy } = dmarc.value;
  if (record === null) return known({ result: "none", says: `There is no DMARC record at ${name} or above it.` });
  if (policy === null)
    return known({ result: "none", says: `The DMARC record at ${name} has no policy and requests no reports.` });
  if (proofs.some(passes)) return known({ result: "pass", says: null });
  const open = proofs.find(mightPass);
  if (open !== undefined) return known({ result: "temperror", says: whyOpen(open) });
  // SPF is unknown and might have passed for the author.
  if (!spf.known) return unknown(spf.why);
  return known({ result: "fail", says: null });
}

function passes({ result, aligned }: Proof): boolean {
  return result === "pass" && aligned.known && aligned.value;
}

function passesRelaxed({ result, alignment: { relaxed } }: Proof): boolean {
  return result === "pass" && relaxed.known && relaxed.value;
}

/** Whether a result could still pass and align, because it or its tree walk waits for DNS. */
function mightPass({ result, aligned }: Proof): boolean {
  if (result === "pass") return !aligned.known;
  return result === "temperror" && (!aligned.known || aligned.value);
}

function whyOpen({ by, domain, result }: Proof): string {
  const method = by === "spf" ? "SPF" : "DKIM";
  return result === "pass"
    ? `${method} passes for ${domain}, but the DNS lookup for its organizational domain failed.`
    : `${method} for ${domain} could have authenticated the sender, but a DNS lookup failed.`;
}

function anyAligned(proofs: readonly Proof[]): Fact<boolean> {
  const some = proofs.find(({ aligned }) => aligned.known && aligned.value);
  return (some ?? proofs.find(({ aligned }) => !aligned.known))?.aligned ?? known(false);
}

async function prove(
  by: Proof["by"],
  { domain, result }: Pick<Proof, "domain" | "result">,
  isStrict: boolean,
  align: AlignDomain,
): Promise<Proof> {
  const alignment = await align(domain);
  return { by, domain, result, alignment, aligned: isStrict ? known(alignment.strict) : alignment.relaxed };
}

/** Passing signatures get their tree walk first. */
function proveSignatures(
  signatures: readonly DkimSignature[],
  isStrict: boolean,
  align: AlignDomain,
): Promise<Proof[]> {
  const proofs: Promise<Proof>[] = [];
  for (const [index, signature] of [...signatures.entries()].sort(([, a], [, b]) => urgency(a) - urgency(b)))
    proofs[index] = prove("dkim", { domain: toSigner(signature), result: signature.result }, isStrict, align);
  return Promise.all(proofs);
}

function urgency({ result }: DkimSignature): number {
  return result === "pass" ? 0 : result === "temperror" ? 1 : 2;
}

/**
 * Null for a signature with an invalid selector, whatever its verdict: with a NUL in it, the key may come from another
 * domain ("Composition Kills", attack A3).
 */
function toSigner({ domain, selector }: DkimSignature): string | null {
  return selector !== null && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(selector) ? domain : null;
}

function toDkim(signatures: readonly DkimSignature[], proofs: readonly Proof[], ignored: number): Dkim {
  const aligned = signatures.map((signature, index): AlignedSignature => {
    const { relaxed, strict } = proofs[index]?.alignment ?? apart;
    return { ...signature, aligned: { relaxed: relaxed.known && relaxed.value, strict } };
  });
  const rank = (index: number) => {
    const proof = proofs[index];
    // A signature over the whole body is better than one with l=.
    return (proof && passes(proof) ? 2 : 0) + (signatures[index]?.bodyLength === null ? 1 : 0);
  };
  const passing = [...signatures.keys()].filter((index) => signatures[index]?.result === "pass");
  const [best = null] = passing.sort((a, b) => rank(b) - rank(a));
  return { signatures: aligned, best, ignored };
}

// The result under RFC 7489: organizational domains by the public suffix list, and no psd, np or t.

/** No result if RFC 7489 finds no record, or if something unknown could change it. */
async function judgeByList(
  author: string,
  proofs: readonly Proof[],
  spfIsKnown: boolean,
  dns: Dns,
): Promise<Pick<DmarcResult, "pslEraResult" | "pslOrgDomain">> {
  const pslOrgDomain = toRegistrableDomain(author);
  const step = await findStep(author, pslOrgDomain, dns);
  const tags = step?.record?.policies ? step.record.tags : null;
  if (tags === null) return { pslEraResult: null, pslOrgDomain };
  const aligns = ({ by, domain }: Proof) => {
    const name = domain === null ? null : toAsciiDomain(domain);
    if (name === null) return false;
    const isStrict = (by === "spf" ? tags.aspf : tags.adkim) === "s";
    return isStrict ? name === author : toRegistrableDomain(name) === pslOrgDomain;
  };
  const aligned = proofs.filter(aligns);
  if (aligned.some(({ result }) => result === "pass")) return { pslEraResult: "pass", pslOrgDomain };
  const isOpen = !spfIsKnown || aligned.some(({ result }) => result === "temperror");
  return { pslEraResult: isOpen ? null : "fail", pslOrgDomain };
}

/** RFC 7489 §6.6.3: the author domain, or else its organizational domain. Null if DNS leaves it open. */
async function findStep(author: string, orgDomain: string, dns: Dns): Promise<DmarcStep | null> {
  const [own, org] = await Promise.all([author, orgDomain].map((domain) => readStep(domain, dns)));
  if (!own?.known) return null;
  if (own.value.record !== null) return own.value;
  return org?.known ? org.value : null;
}

// Whether an SPF or DKIM domain belongs to the author's organization (RFC 9989 §4.10.2).

type Alignment = { readonly relaxed: Fact<boolean>; readonly strict: boolean };

/** The result of SPF or of one signature. */
type Proof = {
  readonly by: "spf" | "dkim";
  readonly domain: string | null;
  readonly result: SpfResult["result"] | DkimSignature["result"];
  readonly alignment: Alignment;
  /** By the record's alignment mode. */
  readonly aligned: Fact<boolean>;
};

const apart: Alignment = { relaxed: known(false), strict: false };
const same: Alignment = { relaxed: known(true), strict: true };

/**
 * A limit on tree walks for domains under the author's organization. Legitimate messages need one or two. A walk takes
 * up to seven of a message's hundred queries.
 */
const maxWalks = 8;

type AlignDomain = (domain: string | null) => Promise<Alignment>;

/**
 * Without a DMARC record, organizations are compared by registrable domain, as providers that still require alignment
 * do.
 */
function createAlignment(author: string, dmarc: Fact<Dmarc>, dns: Dns): AlignDomain {
  const walks = new Map<string, Promise<Fact<string>>>();
  const walk = (domain: string) => {
    const begun = walks.get(domain);
    if (begun !== undefined) return begun;
    if (walks.size >= maxWalks) return Promise.resolve(unknown("budget"));
    const org = gatherOrgDomain(domain, dns);
    walks.set(domain, org);
    return org;
  };
  const alignRelaxed = async (domain: string): Promise<Fact<boolean>> => {
    const org = dmarc.known && dmarc.value.foundAt !== null ? dmarc.value.orgDomain : null;
    if (org === null) return known(toRegistrableDomain(domain) === toRegistrableDomain(author));
    if (!org.known) return shareTop(domain, author) ? org : known(false);
    // An organizational domain is the name itself or a parent of it.
    if (!isWithin(domain, org.value)) return known(false);
    const own = await walk(domain);
    return own.known ? known(own.value === org.value) : own;
  };
  return async (written) => {
    const domain = written === null ? null : toAsciiDomain(written);
    if (domain === null) return apart;
    return domain === author ? same : { relaxed: await alignRelaxed(domain), strict: false };
  };
}

function shareTop(one: string, other: string): boolean {
  return one.split(".").at(-1) === other.split(".").at(-1);
}
