// The questions that a receiver asks of a message, each with what was said, what DNS answered and what follows.

import type { Authentication } from "./authentication.ts";
import {
  type Badge,
  toDmarcBadge,
  toProofBadge,
  toResultBadge,
  toSignatureBadge,
} from "./authentication-badge-words.ts";
import { toAlignment, toProofs } from "./authentication-conclusion-words.ts";
import { type Tone, toList, toSentence } from "./plain-words.ts";
import type { TestReport } from "./tests.ts";

export type Step = {
  readonly id: string;
  readonly question: string;
  readonly tone: Tone;
  readonly badge: string;
  /** The badge without what it is about, where that is named in it. */
  readonly word?: string;
  readonly said: string | null;
  readonly asks: string;
  readonly answers: readonly string[];
  readonly concludes: string;
};

export type AuthenticatedTest = Pick<TestReport, "from" | "findings"> &
  Partial<Pick<TestReport, "surroundings">> & {
    readonly transport: Partial<Pick<TestReport["transport"], "client_address" | "helo">>;
  };

export function toSteps(test: AuthenticatedTest, authentication: Authentication): readonly Step[] {
  const steps = [
    callerStep(test),
    ...spfSteps(authentication),
    ...dkimSteps(authentication),
    ...dmarcSteps(authentication, test.from),
    ...arcSteps(authentication),
    ...bimiSteps(authentication),
  ];
  return steps.map((step) => withFaults(step, test.findings ?? []));
}

function toBadge(name: string, { tone, word }: Badge): Pick<Step, "tone" | "badge" | "word"> {
  return { tone, word, badge: `${name} ${word}` };
}

type Findings = NonNullable<TestReport["findings"]>;

/** The checks that find fault with what a step is about, by the beginning of its id. */
const checksOf: readonly (readonly [step: string, checks: RegExp])[] = [
  ["caller", /^(?:ptr-record|fcrdns|ptr-generic|ip-blocklist)$/],
  ["spf", /^spf-/],
  ["dkim", /^dkim-(?!present$|alignment$|extra-signature$)/],
  ["dmarc", /^dmarc-/],
  ["arc", /^arc-/],
  ["bimi", /^bimi-/],
];

/** A step is not green while a check finds fault with the same thing. */
function withFaults(step: Step, findings: Findings): Step {
  if (step.tone !== "good") return step;
  const checks = checksOf.find(([id]) => step.id.startsWith(id))?.[1];
  const [fault] = findings.filter(
    ({ check, severity }) => checks?.test(check) && severity !== "good" && severity !== "info",
  );
  if (fault === undefined) return step;
  const tone = fault.severity === "minor" ? "minor" : "major";
  return { ...step, tone, concludes: `${step.concludes} But a check found an issue: ${fault.title}` };
}

const neitherNor = "It counts neither for nor against.";

function callerStep({ transport, surroundings }: AuthenticatedTest): Step {
  const { client_address: address = null, helo = null } = transport;
  const ptr = surroundings?.ptr ?? null;
  const base = {
    id: "caller",
    question: "Who is calling?",
    said: helo === null ? null : `EHLO ${helo}`,
    asks: address === null ? "Which address does it come from?" : `What is the name of ${address}?`,
  };
  if (address === null) {
    const concludes = `Nobody saw the session, so this is not known. ${neitherNor}`;
    return { ...base, tone: "unknown", badge: "Not known", answers: ["–"], concludes };
  }
  if (ptr === null || !ptr.known) {
    const concludes = `Not known${ptr === null ? "" : ` (${ptr.why})`}. ${neitherNor}`;
    return { ...base, tone: "unknown", badge: "Not known", answers: ["–"], concludes };
  }
  const names = ptr.value.names.slice(0, 3);
  if (names.length === 0) {
    const concludes = "Nobody known. Many receivers stop here.";
    return { ...base, tone: "critical", badge: "No name", answers: ["no such name"], concludes };
  }
  return ptr.value.confirmed.length > 0
    ? {
        ...base,
        tone: "good",
        badge: "Named",
        answers: names,
        concludes: `${toList(names)}, and that name leads back to the address.`,
      }
    : {
        ...base,
        tone: "major",
        badge: "Unconfirmed",
        answers: names,
        concludes: `${toList(names)}, but that name does not lead back to the address.`,
      };
}

type Spf = NonNullable<Authentication["spf"]>;

const spfConclusions: Readonly<Record<string, (spf: Spf) => string>> = {
  pass: ({ matched_term, domain }) =>
    `Yes${matched_term === null ? "" : `, by ${matched_term}`}, for ${domain}.`,
  fail: ({ domain }) => `No: ${domain} says that this server may not.`,
  softfail: ({ domain }) => `Probably not: ${domain} leaves it open.`,
  neutral: ({ domain }) => `${domain} says neither yes nor no.`,
  none: ({ domain }) => `${domain ?? "The domain"} has no such list.`,
  temperror: () => `DNS did not answer, so this is not known. ${neitherNor}`,
  permerror: ({ problem }) => `The record cannot be used${problem === null ? "." : `: ${problem}`}`,
};

/** Of several records none counts, but all of them are what DNS answers. */
function toSpfAnswers(found: Authentication["spf_record"], domain: string | null): readonly string[] {
  const records = found?.domain === domain ? (found?.records ?? []) : [];
  return records.length > 0 ? records : ["no SPF record"];
}

function spfSteps({ spf, spf_record, dmarc, unknown }: Authentication): Step[] {
  if (spf === null) return unknownSteps("spf", "May this server send for that domain?", unknown);
  const { result, domain, record, identity } = spf;
  const isForOther = result === "pass" && dmarc?.spf_aligned === false;
  const concluded = spfConclusions[result]?.(spf) ?? result;
  return [
    {
      id: "spf",
      question: `May this server send for ${domain ?? "that domain"}?`,
      ...toBadge("SPF", toProofBadge(result, isForOther)),
      said: identity === "helo" ? `EHLO ${domain}` : `MAIL FROM:<…@${domain ?? ""}>`,
      asks: "Which servers does the domain list? (SPF, the list of permitted senders)",
      answers: record === null ? toSpfAnswers(spf_record, domain) : [record],
      concludes: result === "pass" ? `${concluded} ${toBelonging(dmarc, isForOther)}` : concluded,
    },
  ];
}

function toBelonging(dmarc: Authentication["dmarc"], isForOther: boolean): string {
  const from = dmarc?.domain ?? null;
  if (from === null)
    return "Whom that proves anything about is not known: the From header names no one domain.";
  return isForOther
    ? `That is not the domain in the From header, so it proves nothing about ${from}.`
    : `It belongs to ${from}.`;
}

function dkimSteps(authentication: Authentication): Step[] {
  const { dkim, unknown } = authentication;
  if (unknown.some(({ what }) => what === "dkim"))
    return unknownSteps("dkim", "Did the domain sign it?", unknown);
  if (dkim.length > 0)
    return dkim.map((signature, index) => signatureStep(signature, index, authentication.dmarc));
  return [
    {
      id: "dkim",
      question: "Did a domain sign it, and is it unaltered?",
      ...toBadge("DKIM", toResultBadge("none")),
      said: null,
      asks: "Is there a signature? (DKIM, over body and headers)",
      answers: ["nothing to ask for"],
      concludes: "No. Whatever happened to it on the way, nobody could tell.",
    },
  ];
}

function signatureStep(
  signature: Authentication["dkim"][number],
  index: number,
  dmarc: Authentication["dmarc"],
): Step {
  const { result, domain, selector, explanation, aligned, algorithm } = signature;
  const isForOther = result === "pass" && !aligned;
  return {
    id: `dkim-${index}`,
    question: `Did ${domain ?? "a domain"} sign it, and is it unaltered?`,
    ...toBadge("DKIM", toSignatureBadge(result, isForOther)),
    said: `DKIM-Signature: d=${domain ?? "?"}; s=${selector ?? "?"}; a=${algorithm ?? "?"}`,
    asks: "Does the key fit the signature, and the signature the message? (DKIM, over body and headers)",
    answers: toKeyAnswers(signature.key),
    concludes: result === "pass" ? `Yes. ${toBelonging(dmarc, isForOther)}` : `No: ${explanation ?? result}.`,
  };
}

function toKeyAnswers(key: Authentication["dkim"][number]["key"]): string[] {
  if (key === null) return ["–"];
  if (key.records.length === 0) return [`${key.name}: no such record`];
  const bits = key.bits === null ? "" : ` (${key.bits} bit)`;
  return key.records.map((record) => `${key.name}${bits}: ${record}`);
}

const wishes = {
  none: "asks for nothing to be done",
  quarantine: "asks for it to be put in spam",
  reject: "asks for it to be refused",
} as const;

type Dmarc = NonNullable<Authentication["dmarc"]>;

const dmarcConclusions: Readonly<Record<string, (dmarc: Dmarc, all: Authentication) => string>> = {
  pass: ({ aligned_by, domain }) => `Yes: ${toProofs(aligned_by, "belongs", "belong")} to ${domain}.`,
  fail: ({ domain, policy }) => `No proof belongs to ${domain}, and it ${wishes[policy ?? "none"]}.`,
  none: ({ domain, records, aligned_by }, all) => {
    if (domain === null)
      return "The From header names no one domain that could be asked: each receiver decides for itself.";
    const lack = records.length > 0 ? "a DMARC record that cannot be used" : "no DMARC record";
    const aligned = toSentence(toAlignment(aligned_by, all, domain));
    return `${domain} has ${lack}: each receiver decides for itself. ${aligned}.`;
  },
  temperror: () => `DNS did not answer, so this is not known. ${neitherNor}`,
  permerror: ({ explanation }) =>
    explanation ?? "Receivers may read different authors in the From header, so it can't pass.",
};

function dmarcSteps(authentication: Authentication, from: string | null): Step[] {
  const { dmarc, unknown } = authentication;
  const question = "Does that prove the domain in From?";
  if (dmarc === null) return unknownSteps("dmarc", question, unknown);
  const { result, domain, record, records, found_at, explanation } = dmarc;
  const answers = record === null ? records : [`_dmarc.${found_at ?? domain}: ${record}`];
  return [
    {
      id: "dmarc",
      question,
      ...toBadge("DMARC", toDmarcBadge(dmarc)),
      said: from === null ? null : `From: ${from}`,
      asks: "What does the domain want done with mail that is not proven? (DMARC, its policy)",
      answers: answers.length > 0 ? answers : ["no DMARC record"],
      concludes:
        dmarcConclusions[result]?.(dmarc, authentication) ??
        `The record cannot be used: ${explanation ?? result}.`,
    },
  ];
}

function arcSteps({ arc }: Authentication): Step[] {
  if (arc === null || arc.result === "none") return [];
  return [
    {
      id: "arc",
      question: "Did somebody on the way vouch for it?",
      ...toBadge("ARC", toResultBadge(arc.result)),
      said: arc.chain.map(({ instance, domain }) => `i=${instance} ${domain ?? "?"}`).join(", "),
      asks: "Is the chain of seals whole? (ARC, what forwarders saw)",
      answers: arc.chain.map(({ domain, selector }) => `${selector ?? "?"}._domainkey.${domain ?? "?"}`),
      concludes:
        arc.result === "pass"
          ? "Yes. Whether it counts, each receiver decides."
          : `No: ${arc.explanation ?? arc.result}.`,
    },
  ];
}

function bimiSteps({ bimi }: Authentication): Step[] {
  if (bimi === null || bimi.records.length === 0) return [];
  return [
    {
      id: "bimi",
      question: "Which logo does it show?",
      tone: bimi.result === "pass" ? "good" : "info",
      badge: `BIMI ${bimi.result}`,
      said: null,
      asks: `What stands at ${bimi.name ?? bimi.domain ?? "the domain"}? (BIMI, the sender’s logo)`,
      answers: bimi.records,
      concludes: bimi.result === "pass" ? "The domain’s own." : (bimi.explanation ?? "None."),
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
      asks: "What does the domain say?",
      answers: ["–"],
      concludes: `Not known${why === null ? "" : ` (${why})`}. ${neitherNor}`,
    },
  ];
}
