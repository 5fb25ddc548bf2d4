// Fetches the MTA-STS policy for a domain (RFC 8461 §3.3). Only for a domain that a user monitors or asks about, never
// because a message names it.

import { type Fact, known, unknown, type Why } from "../checks/fact.ts";
import type { MtaStsPolicyAnswer } from "../checks/infrastructure-facts.ts";
import { parseMtaStsPolicy } from "../dns/mta-sts.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import type { FetchDoor, FetchFailure } from "./fetch.ts";

/** §3.3 suggests a minute and 64 KB, but a user who clicked does not wait a minute. */
const timeoutMs = 20_000;
const maxBytes = 64 * 1024;
/** Nothing that would change the host of the URL. */
const hostName = /^[\w.-]{1,253}$/;
const maxTextShown = 16_000;

export async function fetchMtaStsPolicy(
  domain: string,
  door: FetchDoor,
  now: () => number,
): Promise<Fact<MtaStsPolicyAnswer>> {
  if (!hostName.test(domain)) return unknown("parser-failed");
  const url = toPolicyUrl(domain);
  const outcome = await door(url, { timeoutMs, maxBytes, redirects: 0 });
  // The text becomes part of a sentence.
  const seen = outcome.ok ? outcome.certificate : undefined;
  const certificate = seen === undefined ? null : { ...seen, seenAt: now() };
  const faulty = (problem: string) =>
    known({ url, text: null, policy: null, problem: problem.replace(/\.$/, ""), certificate });
  if (!outcome.ok) {
    const why = whyUnfetched[outcome.failure];
    return why === null ? faulty(outcome.problem) : unknown(why);
  }
  const { status, headers, body } = outcome;
  if (status >= 300 && status < 400) return faulty(`the server redirects (${status}), which senders must not follow`);
  // A temporary error. Senders keep the policy that they have (§5.1).
  if (isPassingTrouble(status)) return unknown("silent");
  if (status !== 200) return faulty(`the server returned ${status}`);
  const mediaType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "text/plain") return faulty("its Content-Type is not text/plain");
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const reading = parseMtaStsPolicy(text);
  const shown = toStorableCut(text, maxTextShown);
  return known({
    url,
    text: shown,
    policy: reading.ok ? reading.policy : null,
    problem: reading.ok ? null : reading.problem,
    certificate,
  });
}

/** For a record whose policy host has no address. */
export function homelessPolicy(domain: string): MtaStsPolicyAnswer {
  const problem = `${toPolicyHost(domain)} has no address in DNS`;
  return { url: toPolicyUrl(domain), text: null, policy: null, problem, certificate: null };
}

export function toPolicyHost(domain: string): string {
  return `mta-sts.${domain}`;
}

function toPolicyUrl(domain: string): string {
  return `https://${toPolicyHost(domain)}/.well-known/mta-sts.txt`;
}

// What a failed fetch of a domain's file says about the domain.

/** Null: everyone gets the same error, so it is the domain's. The rest may be caused by our own network. */
export const whyUnfetched: Readonly<Record<FetchFailure, Why | null>> = {
  invalid_url: "unfit",
  refused_address: "not-public",
  unresolved: "timeout",
  unreachable: "silent",
  tls: null,
  timeout: "silent",
  too_large: null,
  redirect: null,
};

/**
 * Whether a status means only that the server is in trouble or that we asked too often. It may be gone in an hour, and
 * others may not see it.
 */
export function isPassingTrouble(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}
