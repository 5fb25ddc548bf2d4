// A check asks one question, is one value in one file, and declares the few things it can say. What it finds out is a
// value: found, passed, skipped because a fact is unknown, or not applicable.

import type { Fact, Why } from "./fact.ts";
import { domainFacts, type FactName, type Facts, type KnownFacts } from "./facts.ts";
import type { CameThrough, Kind } from "./kind.ts";
import type { Data } from "./words.ts";

export const areas = [
  "authentication",
  "infrastructure",
  "compliance",
  "format",
  "identity",
  "content",
  "rendering",
  "accessibility",
] as const;
export type Area = (typeof areas)[number];

export const severities = ["critical", "major", "minor", "info", "good"] as const;
export type Severity = (typeof severities)[number];

/** A mailbox provider that acts on a finding, and what it then answers. */
export type Gate = {
  readonly provider: "gmail" | "yahoo" | "outlook" | "apple" | "gmx" | "other";
  /** bulk: senders above the provider's volume line, which one message cannot show. */
  readonly sender: "any" | "bulk";
  /** may: at its discretion, or by an unpublished limit; such a gate makes no cap. */
  readonly may?: true;
  /** A reply to SMTP (`550 5.7.26`), or what happens instead. */
  readonly reply: string;
  /** It holds only when the finding says so (`holds`). */
  readonly when?: string;
};

/**
 * Who fixes it: whoever writes the mail or its template, the settings of the service or program that sends, whoever runs
 * the DNS, or whoever runs the sending server (reverse DNS, HELO, TLS, removal from blocklists).
 */
export const owners = ["content", "email-service", "dns", "mail-server"] as const;
export type Owner = (typeof owners)[number];

export type FindingWords = {
  readonly severity: Severity;
  /** In points of the area's 100. */
  readonly cost: number;
  /** A label of 2 to 6 words, without evidence: "No reverse DNS". */
  readonly title: string;
  readonly owner: Owner;
  /** The fault, with its evidence in {places}. */
  readonly says: string;
  /** What to do, ready to paste; null where there is nothing to do. */
  readonly fix: string | null;
  /** Why it matters, where the check's own reason doesn't fit. */
  readonly why?: string;
  readonly gates?: readonly Gate[];
};

export type FindingId = `${string}.${string}`;

/** What can prove an author. */
export type Proof = "spf" | "dkim";

export type Raised<Finding extends string = string> = {
  readonly finding: Finding;
  /** Fills the places of `says` and `fix`. */
  readonly data?: Data;
  /** What it is about, where one check may find the same of several things: a link, a selector, a picture. */
  readonly subject?: string;
  /** The finding of another check that has the same cause: then it costs nothing here. */
  readonly ownedBy?: FindingId;
  /** It ends when one of these passes. */
  readonly mendedBy?: readonly Proof[];
  /** Conditional gates that hold. */
  readonly holds?: readonly string[];
  /** Structured evidence: the record seen, the header, the link. */
  readonly evidence?: Readonly<Record<string, unknown>>;
};

export type Verdict<Finding extends string = string> =
  | readonly Raised<Finding>[]
  | { readonly passed: Data }
  | { readonly notApplicable: string }
  | { readonly skipped: Why };

/** Nothing found; `data` fills the sentence that says so. */
export const passed = (data: Data = {}) => ({ passed: data });
/** The question does not arise, for this reason. */
export const notApplicable = (why: string) => ({ notApplicable: why });
/** What decides is not known. */
export const skipped = (why: Why) => ({ skipped: why });

/** A wanted fact that is unknown: what rests on it was not judged. */
export type Lack = { readonly lacks: FactName; readonly why: Why };

/** Of a family of answers, like those of several lists, the first that is not known: the others were judged without it. */
export function findOpen(lacks: FactName, answers: readonly Fact<unknown>[]): Lack | null {
  // What nobody switched on, or nobody asked, is no lack.
  const open = answers.find((answer) => !answer.known && answer.why !== "off");
  return open === undefined || open.known ? null : { lacks, why: open.why };
}

/** Made once of a list: every message is judged by the same one. */
export function byId(checks: readonly Check[]): ReadonlyMap<string, Check> {
  const known = indexes.get(checks);
  if (known) return known;
  const index = new Map(checks.map((check) => [check.id, check]));
  indexes.set(checks, index);
  return index;
}

const indexes = new WeakMap<readonly Check[], ReadonlyMap<string, Check>>();

type CheckFacts<Needs extends FactName, Wants extends FactName, ByKind extends boolean> = {
  readonly [Name in Needs]: Name extends "kind" ? KindFor<ByKind> : Facts[Name];
} & {
  readonly [Name in Wants]: Name extends "kind" ? Fact<KindFor<ByKind>> : KnownFacts[Name];
};

/** What a check that judges every kind alike can't see, it can't judge by. */
type KindFor<ByKind extends boolean> = ByKind extends true ? Facts["kind"] : CameThrough;

type CheckDefinition<
  Needs extends FactName,
  Wants extends FactName,
  Finding extends string,
  ByKind extends boolean = boolean,
> = {
  /** Public, kebab-case; never renamed, only retired. */
  readonly id: string;
  readonly area: Area;
  /** Names it in a list, in 1 to 4 words: "Reverse DNS". */
  readonly label: string;
  /** Who fixes what it finds, where a finding does not name another. */
  readonly owner: Owner;
  /** Completes "Asks …". */
  readonly asks: string;
  readonly why: string;
  readonly refs: readonly string[];
  /** Unknown: the check is skipped. */
  readonly needs: readonly Needs[];
  /** Used when they are known; handed over as they are. */
  readonly wants?: readonly Wants[];
  readonly kinds: readonly Kind[] | "all";
  /** It judges one kind of mail otherwise than another. Left out: the fact `kind` only tells it what the mail came through. */
  readonly byKind?: ByKind;
  /** bulk: no rule for those who send less asks for it, so that to them what it finds is a note. */
  readonly sender?: Gate["sender"];
  /** only: of a bare domain, never of a message. Left out: of a message, and of a domain where its needs allow. */
  readonly domain?: "only" | "no";
  /** Said when nothing is found. */
  readonly passes: string;
  readonly findings: Readonly<Record<Finding, Omit<FindingWords, "owner"> & { readonly owner?: Owner }>>;
  readonly run: (facts: CheckFacts<Needs, Wants, ByKind>) => Verdict<Finding>;
  /** What a verdict that was reached leaves open, where a known fact holds answers that are not (`findOpen`). */
  readonly open?: (facts: CheckFacts<Needs, Wants, ByKind>) => Lack | null;
};

export type Check = Omit<
  CheckDefinition<FactName, FactName, string>,
  "domain" | "run" | "open" | "wants" | "findings" | "sender" | "byKind"
> & {
  readonly findings: Readonly<Record<string, FindingWords>>;
  readonly wants: readonly FactName[];
  readonly sender: Gate["sender"];
  readonly byKind: boolean;
  readonly runsOn: { readonly message: boolean; readonly domain: boolean };
  readonly run: (facts: Readonly<Record<string, unknown>>) => Verdict;
  readonly open: (facts: Readonly<Record<string, unknown>>) => Lack | null;
};

export function defineCheck<
  Finding extends string,
  Needs extends FactName = never,
  Wants extends FactName = never,
  ByKind extends boolean = false,
>(definition: CheckDefinition<Needs, Wants, Finding, ByKind>): Check {
  const { id, area, label, owner, asks, why, refs, needs, wants = [], kinds, domain, passes } = definition;
  const { run, open = () => null, sender = "any", byKind = false } = definition;
  const findings: Record<string, FindingWords> = {};
  for (const name in definition.findings) findings[name] = { owner, ...definition.findings[name] };
  const asksDomainAlone = needs.every((name) => domainFacts.has(name));
  // All written out, so that all checks are of one shape, which is quicker to read.
  return {
    ...{ id, area, label, owner, asks, why, refs, needs, wants, kinds, byKind, sender, passes, findings },
    runsOn: { message: domain !== "only", domain: domain !== "no" && asksDomainAlone },
    // `runChecks` hands over what the definition asked for, which a list of checks cannot express.
    run: run as unknown as Check["run"],
    open: open as unknown as Check["open"],
  };
}
