// The SPF results for a client: for the MAIL FROM and HELO identities (RFC 7208 §2.3, §2.4).

import { domainToASCII } from "node:url";
import { toAddressBytes, toPlainAddress } from "../addresses.ts";
import type { SpfResult } from "../checks/authentication-facts.ts";
import { type Dns, textsOf } from "../dns/answer.ts";
import { expandToText, parseMacroString } from "../dns/spf-macro.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { checkDomain, none, type SpfOutcome } from "./spf-check.ts";
import { isAscii, isAskable, type SpfCheck, toMacroValues, toTargetName } from "./spf-client.ts";

export type SpfClient = {
  readonly address: string;
  /** Null if the client sent no HELO. */
  readonly helo: string | null;
  /** The checking host, which explanations may name. */
  readonly receiver: string;
  /** When the message was received. */
  readonly now: number;
};

/** The length kept of a stranger's text. Working names and records are far shorter. */
const maxKept = 4_000;
const maxExplanation = 1_000;
/** RFC 5321 §4.5.3.1.2. A macro can repeat it thousands of times. */
const maxHelo = 255;

/**
 * `mailFrom` is the return path as sent. A null return path stands for postmaster at the HELO name, and the result says
 * "helo".
 */
export function checkMailFrom(client: SpfClient & { readonly mailFrom: string }, dns: Dns): Promise<SpfResult> {
  if (client.mailFrom === "") return checkHelo(client, dns);
  const at = client.mailFrom.lastIndexOf("@");
  const localPart = toLocalPart(client.mailFrom.slice(0, Math.max(at, 0)));
  const domain = at < 0 ? "" : client.mailFrom.slice(at + 1);
  return checkHost({ ...client, localPart, domain, identity: "mailfrom" }, dns);
}

export function checkHelo(client: SpfClient, dns: Dns): Promise<SpfResult> {
  return checkHost({ ...client, localPart: "postmaster", domain: client.helo ?? "", identity: "helo" }, dns);
}

/** What a result has if it comes from no record. */
export const withoutLookups = {
  explanation: null,
  cause: null,
  problem: null,
  matchedTerm: null,
  matchedIn: null,
  record: null,
  lookups: 0,
  voids: 0,
};

type SpfQuestion = SpfClient & Pick<SpfResult, "identity"> & { readonly localPart: string; readonly domain: string };

async function checkHost(question: SpfQuestion, dns: Dns): Promise<SpfResult> {
  const { identity, localPart, receiver, now } = question;
  const domain = toAsciiDomain(question.domain);
  const address = toPlainAddress(question.address);
  const addressBytes = address === undefined ? undefined : toAddressBytes(address);
  const check: SpfCheck = {
    dns,
    address: address ?? "",
    addressBytes: addressBytes ?? [],
    sender: { localPart, domain },
    helo: question.helo === null ? "unknown" : toAsciiDomain(question.helo.slice(0, maxHelo)),
    receiver,
    now,
    lookups: 0,
    voids: 0,
  };
  if (address === undefined) return toResult(identity, null, none("The client's address is unknown."), null, check);
  if (domain === "") return toResult(identity, null, none("There is no domain to check."), null, check);
  const outcome = await checkDomain(domain, check);
  const explanation = await explain(outcome, check);
  return toResult(identity, domain, outcome, explanation, check);
}

function toResult(
  identity: SpfResult["identity"],
  domain: string | null,
  { result, cause, problem, decidedBy, record }: SpfOutcome,
  explanation: string | null,
  { lookups, voids }: SpfCheck,
): SpfResult {
  const keep = (text: string | null | undefined) => (text == null ? null : toStorableCut(text, maxKept));
  return {
    result,
    domain: keep(domain?.toLowerCase()),
    identity,
    explanation,
    cause,
    problem: keep(problem),
    matchedTerm: keep(decidedBy?.term),
    matchedIn: keep(decidedBy?.domain),
    record: keep(record),
    lookups,
    voids,
  };
}

/** §6.2: a bad explanation counts as none, and its lookup does not count. */
async function explain({ explainedBy }: SpfOutcome, check: SpfCheck): Promise<string | null> {
  if (explainedBy === null) return null;
  const { exp, domain } = explainedBy;
  const name = await toTargetName(exp, domain, check);
  if (name === null || !isAskable(name)) return null;
  const [text, ...others] = textsOf(await check.dns.query(name, "TXT"));
  if (text === undefined || others.length > 0) return null;
  const parsed = parseMacroString(text, "explanation");
  if (!parsed.ok) return null;
  const valueFor = await toMacroValues(parsed.macro, domain, check);
  if (valueFor === null) return null;
  const explanation = expandToText(parsed.macro, valueFor, maxExplanation);
  return isAscii(explanation) ? toStorableCut(explanation, maxExplanation) : null;
}

/** Quoted or not, it is the same mailbox (RFC 5321 §4.1.2). §4.3: without a local part, postmaster. */
function toLocalPart(written: string): string {
  const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
  const localPart = isQuoted ? written.slice(1, -1).replace(/\\(.)/gu, "$1") : written;
  return localPart || "postmaster";
}

/** RFC 8616 §4: names are checked as A-labels, without a trailing dot. An invalid name stays as it is, for %{h}. */
function toAsciiDomain(domain: string): string {
  const ascii = isAscii(domain) ? domain : domainToASCII(domain) || domain;
  return ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
}
