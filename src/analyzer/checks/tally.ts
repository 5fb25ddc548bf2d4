// How many of a mailbox provider's published rules a message meets. This costs no points. Each rule is derived from facts and
// findings. A rule that depends on something unknown counts neither as met nor as broken.

import type { FindingId, Gate } from "./check.ts";
import type { Why } from "./fact.ts";
import type { KnownFacts } from "./facts.ts";
import { whyWords } from "./inner-title.ts";
import type { KindFact } from "./kind.ts";
import { bySeverity, type Finding, findingsIn, hasPrivateDns, type Outcome } from "./run.ts";

export const ruleProviders = ["gmail", "yahoo", "outlook", "icloud"] as const;
type RuleProvider = (typeof ruleProviders)[number];

export type RuleOutcome =
  | { readonly met: boolean; readonly why: string }
  | { readonly unknown: Why | "broken" }
  | { readonly notApplicable: string };

/** What the rules are derived from. */
export type RuleFacts = {
  readonly kind: KindFact;
  readonly facts: Partial<KnownFacts>;
  /** The most severe first. */
  readonly findings: readonly Finding[];
  /** Findings that are worse than a note. */
  readonly faults: readonly Finding[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
};

/** `check.finding`, `check.*`, or `spf-*` for all checks with that prefix. */
type FindingPattern = string;

export type Rule = {
  /** Public, never renamed. */
  readonly id: string;
  readonly sender: Gate["sender"];
  /** Replaces that rule for bulk mail. */
  readonly inPlaceOf?: string;
  /** The provider's requirement, as a sentence. */
  readonly asks: string;
  /** Findings that break the rule. */
  readonly explainedBy: readonly FindingPattern[];
  /** The same, but their checks may have been skipped. */
  readonly alsoBy?: readonly FindingPattern[];
  /** If left out, the rule is met when there are no such findings. `byFindings` is that result. */
  readonly read?: (seen: RuleFacts, byFindings: RuleOutcome) => RuleOutcome;
  /** The reply to a breach, if no finding has one. */
  readonly reply?: string;
  /** If it is not the provider's page for senders. */
  readonly reference?: string;
};

export type ProviderRules = {
  readonly provider: RuleProvider;
  /** The provider's name in gates. */
  readonly gate: Gate["provider"];
  readonly rules: readonly Rule[];
  readonly reference: string;
  /** Requirements that a single message can't show. */
  readonly unseen: readonly string[];
};

export type RuleResult = {
  readonly rule: string;
  readonly standing: "met" | "not-met" | "unknown" | "not-applicable";
  readonly why: string;
  /** Findings that explain a breach, the most severe first. */
  readonly findings: readonly FindingId[];
  /** The provider's SMTP reply. */
  readonly reply: string | null;
};

export type Tally = { readonly provider: RuleProvider; readonly items: readonly RuleResult[] };

export const met = (why: string): RuleOutcome => ({ met: true, why });
export const notMet = (why: string): RuleOutcome => ({ met: false, why });

export function toTallies(
  providers: readonly ProviderRules[],
  outcomes: readonly Outcome[],
  kind: KindFact,
  facts: Partial<KnownFacts>,
): Tally[] {
  const byCheck = new Map<string, Outcome>();
  for (const outcome of outcomes) byCheck.set(outcome.check, outcome);
  const findings = findingsIn(outcomes).sort(bySeverity);
  const faults = findings.filter(({ severity }) => severity !== "good" && severity !== "info");
  const seen: RuleFacts = { kind, facts, findings, faults, outcomes: byCheck };
  return providers.map((one) => ({ provider: one.provider, items: toItems(one, seen) }));
}

function toItems(provider: ProviderRules, seen: RuleFacts): RuleResult[] {
  const isFor = (sender: Gate["sender"]) => rulesFor(provider, sender).map((rule) => toResult(rule, provider, seen));
  if (seen.kind.kind !== "bulk") return isFor("any");
  if (!isSmall(seen)) return isFor("bulk");
  const later = provider.rules.filter(({ sender }) => sender === "bulk");
  return [...isFor("any"), ...later.map((rule) => plain(rule, "not-applicable", notYet))];
}

const notYet = "Applies only to bulk senders (5,000 or more messages a day).";

function isSmall({ facts: { volume } }: RuleFacts): boolean {
  return volume?.known === true && volume.value === "small";
}

/** Cached, because the rules depend only on the provider and on whether it is bulk mail. */
function rulesFor(provider: ProviderRules, of: Gate["sender"]): readonly Rule[] {
  const known = chosen[of];
  const rules = known.get(provider) ?? chooseRules(provider, of);
  known.set(provider, rules);
  return rules;
}

const chosen: Readonly<Record<Gate["sender"], WeakMap<ProviderRules, readonly Rule[]>>> = {
  any: new WeakMap(),
  bulk: new WeakMap(),
};

function chooseRules({ rules }: ProviderRules, of: Gate["sender"]): Rule[] {
  const asked = rules.filter(({ sender }) => sender === "any" || of === "bulk");
  const replaced = new Set(asked.map(({ inPlaceOf }) => inPlaceOf));
  return asked.filter(({ id }) => !replaced.has(id));
}

function toResult(rule: Rule, { gate }: ProviderRules, seen: RuleFacts): RuleResult {
  const byFindings = readFindings(rule, seen);
  const standing = rule.read ? rule.read(seen, byFindings) : byFindings;
  if ("unknown" in standing) {
    const why = standing.unknown === "timeout" && hasPrivateDns(seen.facts) ? "private-dns" : standing.unknown;
    return plain(rule, "unknown", `Unknown: ${whyWords[why]}.`);
  }
  if ("notApplicable" in standing) return plain(rule, "not-applicable", standing.notApplicable);
  if (standing.met) return plain(rule, "met", standing.why);
  const findings = rule.read ? worstOf(allFor(rule, seen.findings)) : faultsFor(rule, seen);
  return {
    rule: rule.id,
    standing: "not-met",
    why: standing.why,
    findings: [...new Set(findings.map(({ id }) => id))],
    reply: findReply(findings, gate, seen) ?? rule.reply ?? null,
  };
}

/** The result of a rule that no finding breaks. */
function plain({ id }: Rule, standing: RuleResult["standing"], why: string): RuleResult {
  return { rule: id, findings: [], reply: null, standing, why };
}

/** The first few sentences are enough. */
const maxTitles = 3;

function readFindings(rule: Rule, seen: RuleFacts): RuleOutcome {
  const faults = faultsFor(rule, seen);
  if (faults.length > 0)
    return notMet(
      faults
        .slice(0, maxTitles)
        .map(({ says }) => says)
        .join(" "),
    );
  const outcomes: Outcome[] = [];
  for (const id of toMatcher(rule).checks) {
    const outcome = seen.outcomes.get(id);
    if (outcome?.outcome === "skipped") return { unknown: outcome.why };
    if (outcome) outcomes.push(outcome);
  }
  const judged = outcomes.filter(({ outcome }) => outcome === "passed" || outcome === "found");
  return judged.length === 0 ? { notApplicable: whyNotAsked(outcomes) } : met(whyMet(judged));
}

function whyNotAsked(outcomes: readonly Outcome[]): string {
  const [first] = outcomes.flatMap((one) => (one.outcome === "not-applicable" ? [one.why] : []));
  return first ?? "This rule does not apply.";
}

/** Few checks are quoted. For many, a count is clearer. */
const maxSentences = 3;

function whyMet(judged: readonly Outcome[]): string {
  const sentences = judged.flatMap(wordsOf);
  if (sentences.length > 0 && judged.length <= maxSentences) return sentences.join(" ");
  const count = judged.length === 1 ? "The check" : `${judged.length} checks`;
  const hasOthers = judged.some((one) => one.outcome === "found" && findingsIn([one]).some(isIssue));
  return `${count} found no issues${hasOthers ? " that break this rule" : ""}.`;
}

const isIssue = ({ severity }: Finding) => severity !== "good";

function wordsOf(outcome: Outcome): string[] {
  if (outcome.outcome === "passed") return [outcome.says];
  if (outcome.outcome !== "found") return [];
  return outcome.findings.filter(({ severity }) => severity === "good").map(({ says }) => says);
}

function checkOf(pattern: FindingPattern): string {
  return pattern.slice(0, pattern.indexOf("."));
}

/** Findings that break the rule. */
function faultsFor(rule: Rule, seen: RuleFacts): readonly Finding[] {
  return allFor(rule, seen.faults);
}

function allFor(rule: Rule, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings;
  const { exact, beginnings } = toMatcher(rule);
  return findings.filter(
    ({ id, severity }) =>
      severity !== "good" && (exact.has(id) || beginnings.some((beginning) => id.startsWith(beginning))),
  );
}

type Matcher = {
  readonly exact: ReadonlySet<string>;
  readonly beginnings: readonly string[];
  /** Checks that decide whether the rule is met. */
  readonly checks: readonly string[];
};

/** Cached per rule, because every message is compared with about forty. */
function toMatcher(rule: Rule): Matcher {
  const known = matchers.get(rule);
  if (known) return known;
  const patterns = [...rule.explainedBy, ...(rule.alsoBy ?? [])];
  const matcher = {
    exact: new Set(patterns.filter((pattern) => !pattern.endsWith("*"))),
    beginnings: patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)),
    checks: [...new Set(rule.explainedBy.map(checkOf))],
  };
  matchers.set(rule, matcher);
  return matcher;
}

const matchers = new WeakMap<Rule, Matcher>();

export function matches(pattern: FindingPattern, id: FindingId): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

/** Many checks cover SPF. For a breach, only the most severe findings are shown. */
function worstOf(findings: readonly Finding[]): readonly Finding[] {
  const rank = ({ severity }: Finding) => (severity === "critical" ? "major" : severity);
  const [first] = findings;
  return first === undefined ? [] : findings.filter((one) => rank(one) === rank(first));
}

/** The provider's certain SMTP reply. */
function findReply(findings: readonly Finding[], provider: Gate["provider"], seen: RuleFacts): string | null {
  const replies = findings
    .flatMap(({ gates }) => gates)
    .filter((gate) => gate.provider === provider && !gate.may && /\b[45]\d\d\b/.test(gate.reply))
    .filter(({ sender }) => sender === "any" || (seen.kind.kind === "bulk" && !isSmall(seen)));
  return replies[0]?.reply ?? null;
}
