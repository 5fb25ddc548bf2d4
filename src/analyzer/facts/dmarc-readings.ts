// DMARC for an ambiguous From header (RFC 9989 §5.3.1, RFC 7489 §6.6.1). The policy of each domain that a receiver
// could pick is looked up, and the strictest counts. The result "none" would be a way around p=reject, and "pass" would
// let spoofers authenticate with their own domain. So the message fails if a policy forbids it, and otherwise gets
// permerror.

import type { Dmarc, DmarcResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import type { Author } from "../mail/headers/author.ts";
import { gatherDmarc } from "./dmarc.ts";
import { type DmarcProofs, type DmarcVerdict, judgeDmarc } from "./dmarc-result.ts";

type Reading = { readonly domain: string; readonly dmarc: Fact<Dmarc> };
type JudgedReading = Reading & DmarcVerdict;

/** The author's domain first, if there is one. */
export function gatherReadings(author: Author, dns: Dns): Promise<readonly Reading[]> {
  const domains = author.ok ? [author.domain, ...author.rivals] : author.candidates;
  return Promise.all(domains.map(async (domain) => ({ domain, dmarc: await gatherDmarc(domain, dns) })));
}

export async function judgeReadings(
  author: Author,
  readings: readonly Reading[],
  proofs: DmarcProofs,
  dns: Dns,
): Promise<DmarcVerdict & { readonly dmarc: Fact<Dmarc> }> {
  const judged = await Promise.all(
    readings.map(async (reading) => ({ ...reading, ...(await judgeDmarc({ ...reading, ...proofs }, dns)) })),
  );
  const [first, ...rest] = judged;
  if (first === undefined || !author.ok) return await withoutAuthor(judged, author.says ?? "", proofs, dns);
  return rest.length === 0 ? first : besideRivals(first, rest, author.says);
}

/** The author's domain decides, unless the policy of another one would reject the message. */
function besideRivals(own: JudgedReading, rivals: readonly JudgedReading[], ambiguity: string | null): JudgedReading {
  if (!own.dmarcResult.known) return own;
  const verdict = { ...own.dmarcResult.value, ambiguity };
  const isSettled = verdict.result === "fail" && isEnforced(own);
  const isDisputed = !isSettled && rivals.some((rival) => isEnforced(rival) && failed(rival));
  const isOpen = verdict.result === "pass" && rivals.some(isUndecided);
  const result = isDisputed ? "permerror" : isOpen ? "temperror" : verdict.result;
  const says = result === verdict.result ? verdict.says : ambiguity;
  return { ...own, dmarcResult: known({ ...verdict, result, says }) };
}

async function withoutAuthor(
  judged: readonly JudgedReading[],
  says: string,
  proofs: DmarcProofs,
  dns: Dns,
): Promise<DmarcVerdict & { readonly dmarc: Fact<Dmarc> }> {
  const strictest =
    judged.find((one) => failed(one) && policyOf(one) === "reject") ??
    judged.find((one) => failed(one) && policyOf(one) === "quarantine");
  if (strictest?.dmarcResult.known) {
    const { dmarc, dkim, dmarcResult } = strictest;
    return { dmarc, dkim, dmarcResult: known({ ...dmarcResult.value, says, ambiguity: says }) };
  }
  const { dkim } = judged[0] ?? (await judgeDmarc({ domain: null, dmarc: unknown("parser-failed"), ...proofs }, dns));
  const result = judged.some(isUndecided) ? "temperror" : "permerror";
  return { dmarc: unknown("parser-failed"), dkim, dmarcResult: known({ ...noVerdict, result, says, ambiguity: says }) };
}

function failed({ dmarcResult }: JudgedReading): boolean {
  return dmarcResult.known && dmarcResult.value.result === "fail";
}

function isUndecided({ dmarcResult }: JudgedReading): boolean {
  return !dmarcResult.known || dmarcResult.value.result === "temperror";
}

function policyOf({ dmarc }: Reading): Dmarc["effective"] {
  return dmarc.known ? dmarc.value.effective : null;
}

function isEnforced(reading: Reading): boolean {
  const policy = policyOf(reading);
  return policy === "reject" || policy === "quarantine";
}

const noVerdict: Omit<DmarcResult, "result" | "says"> = {
  fromDomain: null,
  alignedBy: [],
  spfAligned: known(false),
  dkimAligned: known(false),
  relaxedWouldPass: false,
  pslEraResult: null,
  pslOrgDomain: null,
};
