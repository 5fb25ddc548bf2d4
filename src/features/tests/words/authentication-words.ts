// How a receiver authenticates a message, step by step: what the sender claims, what DNS answers, and the conclusion.

import { type Tone, toList, toWhy } from "../../../analyzer/words/plain-words.ts";
import type { Authentication } from "../contract/authentication.ts";
import type { TestReport } from "../contract/tests.ts";
import {
  type Badge,
  toDmarcBadge,
  toProofBadge,
  toResultBadge,
  toSignatureBadge,
} from "./authentication-badge-words.ts";
import { type Client, dmarcConclusions, neitherNor, toClient } from "./authentication-conclusion-words.ts";

export type Step = {
  readonly id: string;
  readonly question: string;
  readonly tone: Tone;
  readonly badge: string;
  /** The badge without the mechanism's name, if it has one. */
  readonly word?: string;
  readonly said: string | null;
  readonly asks: string;
  readonly answers: readonly string[];
  readonly concludes: string;
  /** See `Authentication.assumed`. */
  readonly isAssumed?: boolean;
};

export type AuthenticatedTest = Pick<TestReport, "from" | "findings"> &
  Partial<Pick<TestReport, "surroundings">> & {
    readonly transport: Partial<Pick<TestReport["transport"], "client_address" | "helo">>;
  };

export function toSteps(test: AuthenticatedTest, authentication: Authentication): readonly Step[] {
  return [
    callerStep(test, toClient(test, authentication), authentication),
    ...spfSteps(authentication),
    ...dkimSteps(authentication),
    ...dmarcSteps(authentication, test.from),
    ...arcSteps(authentication),
    ...bimiSteps(authentication),
  ].map((step) => withAssumed(withFaults(step, test.findings ?? [])));
}

function toBadge(name: string, { tone, word }: Badge): Pick<Step, "tone" | "badge" | "word"> {
  return { tone, word, badge: `${name} ${word}` };
}

type Findings = NonNullable<TestReport["findings"]>;

/** The checks on the subject of a step, by the beginning of the step's id. */
const checksOf: readonly (readonly [step: string, checks: RegExp])[] = [
  ["caller", /^(?:ptr-record|fcrdns|ptr-generic|ip-blocklist)$/],
  ["spf", /^spf-/],
  ["dkim", /^dkim-(?!present$|alignment$|extra-signature$)/],
  ["dmarc", /^dmarc-/],
  ["arc", /^arc-/],
  ["bimi", /^bimi-/],
];

/** A step isn't green while a check found an issue with the same thing. */
function withFaults(step: Step, findings: Findings): Step {
  if (step.tone !== "good") return step;
  const checks = checksOf.find(([id]) => step.id.startsWith(id))?.[1];
  const [fault] = findings.filter(
    ({ check, severity }) => checks?.test(check) && severity !== "good" && severity !== "info",
  );
  if (fault === undefined) return step;
  const tone = fault.severity === "minor" ? "minor" : "major";
  return { ...step, tone, concludes: `${step.concludes} However, a check found an issue: ${fault.title}.` };
}

/** What isn't known isn't assumed either. */
function withAssumed(step: Step): Step {
  if (!step.isAssumed || step.tone === "unknown") return { ...step, isAssumed: false };
  return { ...step, badge: `${step.badge}, assumed` };
}

function callerStep({ surroundings }: AuthenticatedTest, { address, helo }: Client, { assumed }: Authentication): Step {
  const ptr = surroundings?.ptr ?? null;
  const base = {
    id: "caller",
    question: "Does the sending host have reverse DNS?",
    isAssumed: Boolean(assumed?.address),
    said: helo === null ? null : `EHLO ${helo}`,
    asks: address === null ? "Which IP address sent the message?" : `What is the host name of ${address}? (PTR)`,
  };
  if (address === null) {
    const concludes = `No SMTP session was recorded, so the sending address is unknown. ${neitherNor}`;
    return { ...base, tone: "unknown", badge: "Unknown", answers: ["–"], concludes };
  }
  if (ptr === null || !ptr.known) {
    const concludes = `${ptr === null ? "Unknown" : `Not checked: ${toWhy(ptr.why)}`}. ${neitherNor}`;
    return { ...base, tone: "unknown", badge: "Unknown", answers: ["–"], concludes };
  }
  const names = ptr.value.names.slice(0, 3);
  if (names.length === 0) {
    const concludes = "No reverse DNS. Many receivers reject at this point.";
    return { ...base, tone: "critical", badge: "Missing", answers: ["no PTR record"], concludes };
  }
  const confirmed = ptr.value.confirmed.slice(0, 3);
  return confirmed.length > 0
    ? {
        ...base,
        tone: "good",
        badge: "Found",
        answers: names,
        concludes: `${toList(confirmed)} ${confirmed.length === 1 ? "resolves" : "resolve"} back to the address.`,
      }
    : {
        ...base,
        tone: "major",
        badge: "Not confirmed",
        answers: names,
        concludes: `${toList(names)} ${names.length === 1 ? "does" : "do"} not resolve back to the address.`,
      };
}

type Spf = NonNullable<Authentication["spf"]>;

const spfConclusions: Readonly<Record<string, (spf: Spf) => string>> = {
  pass: ({ matched_term, domain }) =>
    `Yes: ${domain} allows this server${matched_term === null ? "" : ` (${matched_term})`}.`,
  fail: ({ domain }) => `No: ${domain} does not allow this server.`,
  softfail: ({ domain }) => `Probably not: ${domain} returns softfail for this server.`,
  neutral: ({ domain }) => `${domain} says nothing about this server (neutral).`,
  none: ({ domain }) => `${domain ?? "The domain"} has no SPF record.`,
  temperror: () => `A DNS lookup failed, so the result is unknown. ${neitherNor}`,
  permerror: ({ problem }) => `The SPF record is invalid${problem === null ? "." : `: ${problem}`}`,
};

/** With several records, none is valid, but all of them are DNS answers. */
function toSpfAnswers(spf: Spf, found: Authentication["spf_record"]): readonly string[] {
  if (spf.record !== null) return [spf.record];
  const records = found?.domain === spf.domain ? (found?.records ?? []) : [];
  return records.length > 0 ? records : [toLack(spf.result, "no SPF record")];
}

/** A failed lookup doesn't show that there is no record. */
function toLack(result: string, lack: string): string {
  return result === "temperror" ? "unknown" : lack;
}

function spfSteps({ spf, spf_record, dmarc, unknown }: Authentication): Step[] {
  if (spf === null) return unknownSteps("spf", "Is this server allowed to send for the domain?", unknown);
  const { result, domain, identity } = spf;
  const isForOther = result === "pass" && dmarc?.spf_aligned === false;
  const concluded = spfConclusions[result]?.(spf) ?? result;
  return [
    {
      id: "spf",
      question: `Is this server allowed to send for ${domain ?? "the domain"}?`,
      ...toBadge("SPF", toProofBadge(result, isForOther)),
      isAssumed: spf.assumed,
      said: identity === "helo" ? `EHLO ${domain}` : `MAIL FROM:<…@${domain ?? ""}>`,
      asks: "Which servers may send for the domain? (SPF)",
      answers: toSpfAnswers(spf, spf_record),
      concludes: result === "pass" ? `${concluded} ${toBelonging(dmarc, isForOther)}` : concluded,
    },
  ];
}

function toBelonging(dmarc: Authentication["dmarc"], isForOther: boolean): string {
  const from = dmarc?.domain ?? null;
  if (from === null) return "The From header does not have exactly one domain, so alignment is unknown.";
  return isForOther
    ? `Not aligned with ${from}, the domain in the From header.`
    : `Aligned with ${from}, the domain in the From header.`;
}

function dkimSteps(authentication: Authentication): Step[] {
  const { dkim, unknown } = authentication;
  if (unknown.some(({ what }) => what === "dkim"))
    return unknownSteps("dkim", "Did the domain sign the message?", unknown);
  if (dkim.length > 0) return dkim.map((signature, index) => signatureStep(signature, index, authentication.dmarc));
  return [
    {
      id: "dkim",
      question: "Is the message signed?",
      ...toBadge("DKIM", toResultBadge("none")),
      said: null,
      asks: "Is there a DKIM signature?",
      answers: ["nothing to look up"],
      concludes: "No. Receivers can’t tell whether the message was changed in transit.",
    },
  ];
}

function toFailure(result: string, explanation: string | null): string {
  const why = `${explanation ?? result}.`;
  return result === "temperror" ? `Unknown: ${why} ${neitherNor}` : `No: ${why}`;
}

function signatureStep(signature: Authentication["dkim"][number], index: number, dmarc: Authentication["dmarc"]): Step {
  const { result, domain, selector, explanation, aligned, algorithm, assumed } = signature;
  const isForOther = result === "pass" && !aligned;
  const concludes = result === "pass" ? `Yes. ${toBelonging(dmarc, isForOther)}` : toFailure(result, explanation);
  const badge = toBadge("DKIM", toSignatureBadge(result, isForOther));
  if (assumed)
    return {
      id: `dkim-${index}`,
      ...badge,
      isAssumed: true,
      said: null,
      answers: toKeyAnswers(signature),
      question: `Can receivers verify a signature of ${domain}?`,
      asks: "Which key does the domain publish? (DKIM)",
      concludes,
    };
  return {
    id: `dkim-${index}`,
    question: `Did ${domain ?? "a domain"} sign the message, and is it unchanged?`,
    ...badge,
    said: `DKIM-Signature: d=${domain ?? "?"}; s=${selector ?? "?"}; a=${algorithm ?? "?"}`,
    asks: "Does the DKIM signature match the message and the published key?",
    answers: toKeyAnswers(signature),
    concludes,
  };
}

function toKeyAnswers({ key, result }: Authentication["dkim"][number]): string[] {
  if (key === null) return ["–"];
  if (key.records.length === 0) return [`${key.name}: ${toLack(result, "no record")}`];
  const bits = key.bits === null ? "" : ` (${key.bits} bit)`;
  return key.records.map((record) => `${key.name}${bits}: ${record}`);
}

function dmarcSteps(authentication: Authentication, from: string | null): Step[] {
  const { dmarc, unknown } = authentication;
  const question = "Is the From domain authenticated?";
  if (dmarc === null) return unknownSteps("dmarc", question, unknown);
  const { result, domain, record, records, found_at, explanation } = dmarc;
  const answers = record === null ? records : [`_dmarc.${found_at ?? domain}: ${record}`];
  const lack = domain === null ? "nothing to look up" : toLack(result, "no DMARC record");
  return [
    {
      id: "dmarc",
      question,
      ...toBadge("DMARC", toDmarcBadge(dmarc)),
      isAssumed: dmarc.assumed,
      said: from === null ? null : `From: ${from}`,
      asks: "What should receivers do with unauthenticated mail? (DMARC policy)",
      answers: answers.length > 0 ? answers : [lack],
      concludes:
        dmarcConclusions[result]?.(dmarc, authentication) ?? `The DMARC record is invalid: ${explanation ?? result}.`,
    },
  ];
}

function arcSteps({ arc }: Authentication): Step[] {
  if (arc === null || arc.result === "none") return [];
  return [
    {
      id: "arc",
      question: "Did a forwarder confirm the original result?",
      ...toBadge("ARC", toResultBadge(arc.result)),
      said: arc.chain.map(({ instance, domain }) => `i=${instance} ${domain ?? "?"}`).join(", "),
      asks: "Is the ARC chain intact?",
      answers: arc.chain.map(({ domain, selector }) => `${selector ?? "?"}._domainkey.${domain ?? "?"}`),
      concludes:
        arc.result === "pass"
          ? "Yes. Each receiver decides whether to trust it."
          : toFailure(arc.result, arc.explanation),
    },
  ];
}

function bimiSteps({ bimi }: Authentication): Step[] {
  if (bimi === null || bimi.records.length === 0) return [];
  return [
    {
      id: "bimi",
      question: "Does the domain publish a brand logo?",
      tone: bimi.result === "pass" ? "good" : "info",
      badge: `BIMI ${bimi.result}`,
      said: null,
      asks: `Which logo does ${bimi.name ?? bimi.domain ?? "the domain"} publish? (BIMI)`,
      answers: bimi.records,
      concludes: bimi.result === "pass" ? "Yes." : (bimi.explanation ?? "No valid logo."),
    },
  ];
}

function unknownSteps(what: string, question: string, unknown: Authentication["unknown"]): Step[] {
  const why = unknown.find((one) => one.what.startsWith(what))?.why ?? null;
  return [
    {
      id: what,
      question,
      ...toBadge(what.toUpperCase(), toResultBadge(null)),
      said: null,
      asks: "What does the domain publish?",
      answers: ["–"],
      concludes: `${why === null ? "Unknown" : `Not checked: ${toWhy(why as Parameters<typeof toWhy>[0])}`}. ${neitherNor}`,
    },
  ];
}
