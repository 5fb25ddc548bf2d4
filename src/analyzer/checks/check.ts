// A check asks one question. It is one value in one file and declares everything it can say. Its verdict is a value: found,
// passed, skipped because a fact is unknown, or not applicable.

import { type Fact, isNotInUse, type Why } from "./fact.ts";
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

/** A mailbox provider that acts on a finding, and its reply. */
export type Gate = {
  readonly provider: "gmail" | "yahoo" | "outlook" | "apple" | "gmx" | "other";
  /** bulk: senders above the provider's volume line, which one message cannot show. */
  readonly sender: "any" | "bulk";
  /** may: at the provider's discretion, or above an unpublished limit. Such a gate doesn't cap the score. */
  readonly may?: true;
  /** An SMTP reply (`550 5.7.26`), or what happens instead. */
  readonly reply: string;
  /** Applies only if the finding lists this name in `holds`. */
  readonly when?: string;
};

/**
 * Who fixes it: the author of the mail or template, the settings of the email service or sending software, the DNS
 * administrator, or the operator of the sending server (reverse DNS, HELO, TLS, removal from blocklists).
 */
export const owners = ["content", "email-service", "dns", "mail-server"] as const;
export type Owner = (typeof owners)[number];

/** A page of the handbook that says how to fix something (src/handbook/<page>.md). */
type HelpPage = `fix-${string}`;

export type FindingWords = {
  readonly severity: Severity;
  /** Points out of the area's 100. */
  readonly cost: number;
  /** A label of 2 to 6 words, without evidence: "No reverse DNS". */
  readonly title: string;
  readonly owner: Owner;
  /** The issue, with its evidence in {places}. */
  readonly says: string;
  /** What to do, ready to paste; null if there is nothing to do. */
  readonly fix: string | null;
  /** Why it matters, if the check's own reason doesn't fit. */
  readonly why?: string;
  readonly gates?: readonly Gate[];
  /** A page that explains it better than the check's own. */
  readonly helpPage?: HelpPage;
};

/** What a finding costs unless its check says otherwise. Minor ones differ too much, so each says it. */
const usualCosts = { critical: 45, major: 18, info: 0, good: 0 } as const;

/** A finding as its check defines it. */
type FindingDefinition = Omit<FindingWords, "owner" | "severity" | "cost"> & { readonly owner?: Owner } & (
    | { readonly severity: "minor"; readonly cost: number }
    | { readonly severity: keyof typeof usualCosts; readonly cost?: number }
  );

export type FindingId = `${string}.${string}`;

/** Ways to authenticate the author's domain. */
export type Proof = "spf" | "dkim";

export type Raised<Finding extends string = string> = {
  readonly finding: Finding;
  /** Fills the places of `says` and `fix`. */
  readonly data?: Data;
  /** What it is about, if one check can find the same issue several times: a link, a selector, an image. */
  readonly subject?: string;
  /** Another check's finding with the same cause. This one then costs nothing. */
  readonly ownedBy?: FindingId;
  /** Fixed as soon as one of these passes. */
  readonly mendedBy?: readonly Proof[];
  /** Names of the conditional gates that apply. */
  readonly holds?: readonly string[];
  /** Structured evidence: the record seen, the header, the link. */
  readonly evidence?: Readonly<Record<string, unknown>>;
};

export type Verdict<Finding extends string = string> =
  | readonly Raised<Finding>[]
  | { readonly passed: Data }
  | { readonly notApplicable: string }
  | { readonly skipped: Why };

/** Nothing found. `data` fills the check's `passes` sentence. */
export const passed = (data: Data = {}) => ({ passed: data });
/** The check does not apply, for this reason. */
export const notApplicable = (why: string) => ({ notApplicable: why });
/** The facts that decide are unknown. */
export const skipped = (why: Why) => ({ skipped: why });

/** A wanted fact that is unknown, so what depends on it was not judged. */
export type Lack = { readonly lacks: FactName; readonly why: Why };

/** The first unknown answer of several, such as answers of blocklists. The others were judged without it. */
export function findOpen(lacks: FactName, answers: readonly Fact<unknown>[]): Lack | null {
  const open = answers.find((answer) => !answer.known && !isNotInUse(answer.why));
  return open === undefined || open.known ? null : { lacks, why: open.why };
}

/** Built once per list, because every message uses the same one. */
export function byId<C extends Check>(checks: readonly C[]): ReadonlyMap<string, C> {
  const known = indexes.get(checks);
  // Made from the same list.
  if (known) return known as ReadonlyMap<string, C>;
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

/** Hides the kind from a check that declares no `byKind`, so it can't depend on it. */
type KindFor<ByKind extends boolean> = ByKind extends true ? Facts["kind"] : CameThrough;

type CheckDefinition<
  Needs extends FactName,
  Wants extends FactName,
  Finding extends string,
  ByKind extends boolean = boolean,
> = {
  /** Public, in kebab case. Never renamed, only retired. */
  readonly id: string;
  readonly helpPage: HelpPage;
  /** Names it in a list, in 1 to 4 words: "Reverse DNS". */
  readonly label: string;
  /** Who fixes its findings, unless a finding names someone else. */
  readonly owner: Owner;
  /** Completes "Asks …". */
  readonly asks: string;
  readonly why: string;
  readonly refs: readonly string[];
  /** If one is unknown, the check is skipped. */
  readonly needs: readonly Needs[];
  /** Passed on as facts, known or unknown. */
  readonly wants?: readonly Wants[];
  /** The kinds of mail that it runs on. Left out: all. */
  readonly kinds?: readonly Kind[];
  /** The verdict depends on the kind of mail. If left out, the fact `kind` only has what the mail came through. */
  readonly byKind?: ByKind;
  /** bulk: only rules for bulk senders ask for it, so findings are notes for everyone else. */
  readonly sender?: Gate["sender"];
  /**
   * only: never for messages. no: never for domains, although it needs nothing else. Left out: for messages, and for domains
   * if its needs allow.
   */
  readonly domain?: "only" | "no";
  /** The sentence shown when nothing is found. */
  readonly passes: string;
  readonly findings: Readonly<Record<Finding, FindingDefinition>>;
  readonly run: (facts: CheckFacts<Needs, Wants, ByKind>) => Verdict<Finding>;
  /** What a verdict leaves open, if a known fact contains unknown answers (`findOpen`). */
  readonly open?: (facts: CheckFacts<Needs, Wants, ByKind>) => Lack | null;
};

export type Check = Omit<
  CheckDefinition<FactName, FactName, string>,
  "domain" | "run" | "open" | "wants" | "kinds" | "findings" | "sender" | "byKind"
> & {
  readonly findings: Readonly<Record<string, FindingWords>>;
  readonly wants: readonly FactName[];
  readonly kinds: readonly Kind[] | "all";
  readonly sender: Gate["sender"];
  readonly byKind: boolean;
  readonly runsOn: { readonly message: boolean; readonly domain: boolean };
  readonly run: (facts: Readonly<Record<string, unknown>>) => Verdict;
  readonly open: (facts: Readonly<Record<string, unknown>>) => Lack | null;
};

/** As in the catalogue. */
export type ListedCheck = Check & { readonly area: Area };

export function inArea(area: Area, checks: readonly Check[]): readonly ListedCheck[] {
  return checks.map((check) => ({ ...check, area }));
}

export function defineCheck<
  Finding extends string,
  Needs extends FactName = never,
  Wants extends FactName = never,
  ByKind extends boolean = false,
>(definition: CheckDefinition<Needs, Wants, Finding, ByKind>): Check {
  const { id, helpPage, label, owner, asks, why, refs, needs, wants = [] } = definition;
  const { kinds = "all", domain, passes } = definition;
  const { run, open = () => null, sender = "any", byKind = false } = definition;
  const findings: Record<string, FindingWords> = {};
  for (const name in definition.findings) {
    const words: FindingDefinition = definition.findings[name];
    findings[name] = { owner, cost: words.severity === "minor" ? words.cost : usualCosts[words.severity], ...words };
  }
  const asksDomainAlone = needs.every((name) => domainFacts.has(name));
  // All fields are written out, so all checks have the same object shape, which is faster.
  return {
    id,
    helpPage,
    label,
    owner,
    asks,
    why,
    refs,
    needs,
    wants,
    kinds,
    byKind,
    sender,
    passes,
    findings,
    runsOn: { message: domain !== "only", domain: domain !== "no" && asksDomainAlone },
    // `runChecks` passes the facts that the definition asks for, which the type of a list of checks can't express.
    run: run as unknown as Check["run"],
    open: open as unknown as Check["open"],
  };
}
