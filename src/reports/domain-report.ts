// What a check of a bare domain answers, and the one word for each of its mechanisms.

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
/** Told beside those four, without a word of their own. */
export const otherMechanisms = ["mx", "mtaSts", "tlsRpt", "dnssec", "dane"] as const;
export const mechanisms = [...verdictMechanisms, ...otherMechanisms] as const;
export type Mechanism = (typeof mechanisms)[number];

export type Verdict = {
  readonly word: VerdictWord;
  /** False while something that could change the word did not answer. */
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

/** Selectors where nobody named one, and none was seen. What was guessed once, and was there, is known, and must answer like what was named. */
export type Guesses = {
  readonly found: readonly string[];
  /** Whether all that can be guessed is tried (again). */
  readonly all: boolean;
};

export const allGuesses: Guesses = { found: [], all: true };

/** All that was heard of the world, and what was known before. */
export type DomainEvidence = {
  /** Selectors that the operator named. */
  readonly configured: readonly string[];
  /** Addresses that it was seen to send from. */
  readonly senders: readonly string[];
  /** Which selectors were guessed. */
  readonly guesses: Guesses;
  readonly dns: readonly DnsAnswer[];
  /** What a part of the work was not allowed to ask, though another may have been. */
  readonly unasked: readonly string[];
  /** Answers whose signatures nobody checked, which tell a broken signature from a server that is down. */
  readonly unchecked: readonly DnsAnswer[];
  readonly lists: readonly ListState[];
  /** The MTA-STS policy; null where no record announces one. */
  readonly policy: Fact<MtaStsPolicyAnswer> | null;
  /** The logo and its certificate; null where no record announces one. */
  readonly bimiFiles: Pick<Bimi, "logo" | "certificate"> | null;
  /** What the name servers themselves said, by address. */
  readonly servers: readonly { readonly address: string; readonly authoritative: Fact<boolean> }[];
  /** What the MX hosts showed, now or within the day; null where nobody asked them. */
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
  return { word: toWord(findingsOf(mechanism, judgment), isMissing), isWhole: isWhole(mechanism, judgment) };
}

/** That nothing is there outweighs the finding that says so; what is there and broken outweighs it in turn. */
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

/** By the fact and not by the finding, because a domain that sends no mail lacks a record without fault. */
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
  return fact.known
    ? { isKnown: true, isMissing: isAbsent(fact.value) }
    : { isKnown: false, isMissing: false };
}

const ownChecks: Readonly<Partial<Record<Mechanism, readonly string[]>>> = {
  mx: ["from-domain", "mx-hosts"],
  mtaSts: ["mta-sts"],
  tlsRpt: ["tls-rpt"],
};

/** A check belongs to what its name begins with. */
export function isOf(mechanism: Mechanism, check: string): boolean {
  return ownChecks[mechanism]?.includes(check) ?? check.split("-", 1)[0] === mechanism;
}

export function findingsOf(mechanism: Mechanism, { findings }: Judgment): readonly JudgedFinding[] {
  return findings.filter(({ check }) => isOf(mechanism, check));
}

function isWhole(mechanism: Mechanism, { skipped, partly }: Judgment): boolean {
  return ![...skipped, ...partly].some(({ check, why }) => isOf(mechanism, check) && isMissed(why));
}

/** A file that was there an hour ago and does not answer now must not make another word. */
function isMissed(why: Why | "broken"): boolean {
  return isTrouble(why) || why === "silent" || why === "not-public";
}

const troubles: ReadonlySet<Why | "broken"> = new Set(["timeout", "servfail", "refused", "budget"]);

/** The world did not answer; what is switched off is no trouble. */
function isTrouble(why: Why | "broken"): boolean {
  return troubles.has(why);
}

export function isWhollyChecked({ judgment: { skipped, partly } }: Pick<DomainReport, "judgment">): boolean {
  return ![...skipped, ...partly].some(({ why }) => isTrouble(why));
}

/** The fact that each mechanism stands on. */
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

// What a domain's report says, in a few bytes: the same for two checks that found the same, whenever they were made, however
// long that took, and in whatever order a name server gave its records. So that a check of a domain at which nothing
// happened, which is nearly each of them, need not write its report again.

export function toDomainGist({ judgment, verdicts, facts, analysis }: DomainReport): string {
  const { startedAt: _at, durationMs: _took, dns, unchecked, ...evidence } = analysis;
  const said = { judgment, verdicts, facts, evidence, dns: toSaid(dns), unchecked: toSaid(unchecked) };
  return hash("sha256", JSON.stringify(said).replace(times, ""), "base64url");
}

/**
 * When a file was fetched. What follows from it, as that a certificate ends soon, stands in the judgment. In the text, where a
 * stranger's own quotes have a backslash: to be asked about each value costs JSON several times as much.
 */
const times = /(?<=[{,])"(?:fetchedAt|seenAt)":\d+,?/g;

/** Without when, how long and from whom, which are others each time. */
function toSaid(answers: readonly DnsAnswer[]): string[] {
  return answers
    .map(({ name, type, status, records, aliases, authenticated }) => {
      const sorted = records.map((record) => JSON.stringify(record)).sort();
      return JSON.stringify([toQuestionKey(name, type), status, sorted, aliases, authenticated]);
    })
    .sort();
}
