// The result of a domain check, and one word for each mechanism.

import { hash } from "node:crypto";
import type { Bimi } from "../checks/authentication-facts.ts";
import type { Fact, Why } from "../checks/fact.ts";
import type { FactName, KnownFacts } from "../checks/facts.ts";
import { isUsableKey } from "../checks/infer-parked.ts";
import type { ListState, MtaStsPolicyAnswer, MxCertificate, Row } from "../checks/infrastructure-facts.ts";
import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";
import { isAboveInfo } from "./causes.ts";
import type { JudgedFinding, Judgment } from "./judgment.ts";

export type DomainFacts = Pick<
  KnownFacts,
  | "spfRecord"
  | "dkimKeys"
  | "dmarc"
  | "bimi"
  | "mx"
  | "mxCertificates"
  | "mtasts"
  | "tlsrpt"
  | "dane"
  | "dnssec"
  | "zone"
  | "uribl"
  | "senderListings"
  | "parked"
  | "history"
  | "own"
>;

/** error: DNS did not answer. */
export type VerdictWord = "pass" | "warn" | "fail" | "missing" | "error";

export const verdictMechanisms = ["spf", "dkim", "dmarc", "bimi"] as const;
export type VerdictMechanism = (typeof verdictMechanisms)[number];
/** Shown next to those four, without a word. */
export const otherMechanisms = ["mx", "mtaSts", "tlsRpt", "dnssec", "dane"] as const;
export const mechanisms = [...verdictMechanisms, ...otherMechanisms] as const;
export type Mechanism = (typeof mechanisms)[number];

export type Verdict = {
  readonly word: VerdictWord;
  /** False if something that could change the word did not answer. */
  readonly isWhole: boolean;
};

export type DomainReport = {
  readonly domain: string;
  readonly judgment: Judgment;
  readonly verdicts: Readonly<Record<VerdictMechanism, Verdict>>;
  readonly facts: DomainFacts;
  readonly analysis: DomainEvidence & {
    readonly version: string;
    readonly isReplay: boolean;
    readonly startedAt: number;
    readonly durationMs: number;
  };
};

/**
 * Selectors to guess when none was entered or seen. A guessed selector that exists is then known, and must answer like
 * an entered one.
 */
export type Guesses = {
  readonly found: readonly string[];
  /** Whether to try all guesses (again). */
  readonly all: boolean;
};

export const allGuesses: Guesses = { found: [], all: true };

/** All answers from outside, and what was known before. */
export type DomainEvidence = {
  /** Selectors from the operator's settings. */
  readonly configured: readonly string[];
  /** IP addresses that the domain was seen sending from. */
  readonly senders: readonly string[];
  /** The guessed selectors. */
  readonly guesses: Guesses;
  readonly dns: readonly DnsAnswer[];
  /** Lookups that one part of the work had to skip, although another part may have made them. */
  readonly unasked: readonly string[];
  /** Answers without DNSSEC validation, which distinguish a broken signature from a server that is down. */
  readonly unchecked: readonly DnsAnswer[];
  readonly lists: readonly ListState[];
  /** The MTA-STS policy; null if no record announces one. */
  readonly policy: Fact<MtaStsPolicyAnswer> | null;
  /** The logo and its certificate; null if no record announces them. */
  readonly bimiFiles: Pick<Bimi, "logo" | "certificate"> | null;
  /** Answers of the authoritative name servers, by IP address. */
  readonly servers: readonly { readonly address: string; readonly authoritative: Fact<boolean> }[];
  /** Certificates of the MX hosts, from this check or up to a day old; null if not fetched. */
  readonly certificates: readonly Row<MxCertificate>[] | null;
  readonly history: KnownFacts["history"];
  readonly own: KnownFacts["own"];
};

export function toVerdicts(facts: DomainFacts, judgment: Judgment): DomainReport["verdicts"] {
  const toEntry = (mechanism: VerdictMechanism) => toVerdict(mechanism, facts, judgment);
  return { spf: toEntry("spf"), dkim: toEntry("dkim"), dmarc: toEntry("dmarc"), bimi: toEntry("bimi") };
}

function toVerdict(mechanism: VerdictMechanism, facts: DomainFacts, judgment: Judgment): Verdict {
  const { isKnown, isMissing } = presence[mechanism](facts);
  if (!isKnown) return { word: "error", isWhole: false };
  const word = toWord(findingsOf(mechanism, judgment), isMissing);
  const isMinor = word === "missing" && protections.includes(mechanism) && judgment.findings.some(isUnprotected);
  return { word: isMinor ? "warn" : word, isWhole: isWhole(mechanism, judgment) };
}

/** The records that say that a domain sends no mail. Without them, such a domain has a minor issue and doesn't fail. */
const protections: readonly VerdictMechanism[] = ["spf", "dmarc"];

function isUnprotected({ id }: JudgedFinding): boolean {
  return id === "parked-domain.unprotected";
}

/** A missing record outweighs the finding about it, and a broken record outweighs a missing one. */
function toWord(findings: readonly JudgedFinding[], isMissing: boolean): VerdictWord {
  const faults = findings.filter((finding) => isAboveInfo(finding) && !isAbsence(finding));
  if (faults.some(({ severity }) => severity !== "minor")) return "fail";
  if (isMissing) return "missing";
  return faults.length > 0 ? "warn" : "pass";
}

function isAbsence({ id }: JudgedFinding): boolean {
  return id === "spf-record.missing" || id === "dmarc-record.missing";
}

type Presence = { readonly isKnown: boolean; readonly isMissing: boolean };

/** Uses the fact instead of the finding, because a domain that sends no mail may lack a record. */
const presence: Readonly<Record<VerdictMechanism, (facts: DomainFacts) => Presence>> = {
  spf: ({ spfRecord }) => toPresence(spfRecord, ({ records }) => records.length === 0),
  dkim: ({ dkimKeys }) => toPresence(dkimKeys, (keys) => !keys.some(isUsableKey)),
  dmarc: ({ dmarc }) => toPresence(dmarc, ({ foundAt }) => foundAt === null),
  bimi: ({ bimi }) =>
    bimi.known && bimi.value.result === "temperror"
      ? { isKnown: false, isMissing: false }
      : toPresence(bimi, ({ result }) => result === "none"),
};

function toPresence<T>(fact: Fact<T>, isAbsent: (value: T) => boolean): Presence {
  return fact.known ? { isKnown: true, isMissing: isAbsent(fact.value) } : { isKnown: false, isMissing: false };
}

const ownChecks: Readonly<Partial<Record<Mechanism, readonly string[]>>> = {
  mx: ["from-domain", "mx-hosts"],
  mtaSts: ["mta-sts"],
  tlsRpt: ["tls-rpt"],
};

/** A check belongs to the mechanism that its ID starts with. */
export function isOf(mechanism: Mechanism, check: string): boolean {
  return ownChecks[mechanism]?.includes(check) ?? check.split("-", 1)[0] === mechanism;
}

export function findingsOf(mechanism: Mechanism, { findings }: Judgment): readonly JudgedFinding[] {
  return findings.filter(({ check }) => isOf(mechanism, check));
}

function isWhole(mechanism: Mechanism, { skipped, partly }: Judgment): boolean {
  return ![...skipped, ...partly].some(({ check, why }) => isOf(mechanism, check) && isMissed(why));
}

/** A file that was available an hour ago and does not answer now must not change the word. */
function isMissed(why: Why | "broken"): boolean {
  return isTrouble(why) || why === "silent" || why === "not-public";
}

const troubles: ReadonlySet<Why | "broken"> = new Set(["timeout", "servfail", "refused", "private-dns", "budget"]);

/** DNS or a server did not answer. A source that is turned off doesn't count. */
export function isTrouble(why: Why | "broken"): boolean {
  return troubles.has(why);
}

/** The fact behind each mechanism. */
export const factOf = {
  spf: "spfRecord",
  dkim: "dkimKeys",
  dmarc: "dmarc",
  bimi: "bimi",
  mx: "mx",
  mtaSts: "mtasts",
  tlsRpt: "tlsrpt",
  dnssec: "dnssec",
  dane: "dane",
} as const satisfies Record<Mechanism, FactName>;

// A short fingerprint of a domain's report. Two checks with the same results have the same fingerprint, independent of
// time, duration and record order. A check without changes, which is nearly every check, then doesn't write the report
// again.

export function toDomainGist({ judgment, verdicts, facts, analysis }: DomainReport): string {
  const { startedAt: _at, durationMs: _took, dns, unchecked, ...evidence } = analysis;
  const said = { judgment, verdicts, facts, evidence, dns: toSaid(dns), unchecked: toSaid(unchecked) };
  return hash("sha256", JSON.stringify(said).replace(times, ""), "base64url");
}

/**
 * The time when a file was fetched. Consequences, such as an expiring certificate, are in the judgment. This works on
 * the JSON text, where quotes inside values are escaped, because a JSON replacer function is several times slower.
 */
const times = /(?<=[{,])"(?:fetchedAt|seenAt)":\d+,?/g;

/** Leaves out times, durations and servers, which differ each time. */
function toSaid(answers: readonly DnsAnswer[]): string[] {
  return answers
    .map(({ name, type, status, records, aliases, authenticated }) => {
      const sorted = records.map((record) => JSON.stringify(record)).sort();
      return JSON.stringify([toQuestionKey(name, type), status, sorted, aliases, authenticated]);
    })
    .sort();
}
