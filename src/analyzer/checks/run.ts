// Runs the checks on the facts. A check with an unknown fact is skipped. It neither passes nor fails, and neither does a
// check that throws.

import {
  type Check,
  type FindingId,
  type Gate,
  type Lack,
  type Owner,
  type Proof,
  type Severity,
  severities,
  type Verdict,
} from "./check.ts";
import { isNotInUse, type Why } from "./fact.ts";
import type { FactName, KnownFacts } from "./facts.ts";
import type { Kind } from "./kind.ts";
import { type Data, fill } from "./words.ts";

export type Finding = {
  readonly id: FindingId;
  readonly check: string;
  readonly severity: Severity;
  /** Its own cost. The score decides what it costs in this report. */
  readonly cost: number;
  /** Short, without evidence. */
  readonly title: string;
  readonly says: string;
  readonly fix: string | null;
  readonly owner: Owner;
  readonly gates: readonly Gate[];
  readonly subject: string | null;
  readonly ownedBy: FindingId | null;
  readonly mendedBy: readonly Proof[];
  /** It is an issue itself, even if others explain it: see `standAlone`. */
  readonly standsAlone?: true;
  readonly evidence: Readonly<Record<string, unknown>>;
};

export type Outcome = { readonly check: string } & (
  | {
      readonly outcome: "passed";
      readonly says: string;
      /** Values for the places of the sentence. */
      readonly data?: Data;
      readonly lacks: readonly Lack[];
    }
  | { readonly outcome: "found"; readonly findings: readonly Finding[]; readonly lacks: readonly Lack[] }
  /** broken: the check threw, which is our bug. */
  | { readonly outcome: "skipped"; readonly why: Why | "broken" }
  | { readonly outcome: "not-applicable"; readonly why: string }
);

type Subject =
  | { readonly on: "message"; readonly kind: Kind; readonly facts: Partial<KnownFacts> }
  | { readonly on: "domain"; readonly facts: Partial<KnownFacts> };

export type OnBroken = (check: string, error: unknown) => void;

export function runChecks(checks: readonly Check[], subject: Subject, onBroken: OnBroken): Outcome[] {
  const values = toValues(subject.facts);
  const isPrivate = hasPrivateDns(subject.facts);
  return checks.map((check) => {
    try {
      const outcome = runCheck(check, subject, values);
      return isPrivate ? withCause(outcome) : outcome;
    } catch (error) {
      onBroken(check.id, error);
      return { check: check.id, outcome: "skipped", why: "broken" };
    }
  });
}

/** A result that waits for several lookups says only that one failed. If no public name can be looked up, that is why. */
function withCause(outcome: Outcome): Outcome {
  if (outcome.outcome === "skipped" && outcome.why === "timeout") return { ...outcome, why: "private-dns" };
  if (!("lacks" in outcome)) return outcome;
  const lacks = outcome.lacks.map((one) => (one.why === "timeout" ? { ...one, why: "private-dns" as const } : one));
  return { ...outcome, lacks };
}

export function hasPrivateDns(facts: Partial<KnownFacts>): boolean {
  return Object.values(facts).some((fact) => !fact.known && fact.why === "private-dns");
}

type Values = Readonly<Partial<Record<FactName, unknown>>>;

/** The known values, built once for all checks, because most need nothing else. */
function toValues(facts: Partial<KnownFacts>): Values {
  const values: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(facts)) if (fact.known) values[name] = fact.value;
  return values;
}

function runCheck(check: Check, subject: Subject, values: Values): Outcome {
  const { id } = check;
  const notHere = whyNotHere(check, subject);
  if (notHere !== null) return { check: id, outcome: "not-applicable", why: notHere };
  for (const name of check.needs) {
    const fact = subject.facts[name];
    if (fact === undefined) return { check: id, outcome: "not-applicable", why: whyAbsent(name, subject) };
    if (!fact.known) return { check: id, outcome: "skipped", why: fact.why };
  }
  const asked = check.wants.length === 0 ? values : toAsked(check, subject, values);
  const verdict = check.run(asked);
  if (!isList(verdict) && !("passed" in verdict))
    return "skipped" in verdict
      ? { check: id, outcome: "skipped", why: verdict.skipped }
      : { check: id, outcome: "not-applicable", why: verdict.notApplicable };
  const lacks = findLacks(check, subject, check.open(asked));
  if (isList(verdict) && verdict.length > 0)
    return { check: id, outcome: "found", findings: verdict.map((one) => toFinding(check, one)), lacks };
  if (isHalfRead(check, subject.facts)) return { check: id, outcome: "not-applicable", why: halfRead };
  const data = isList(verdict) ? {} : verdict.passed;
  return { check: id, outcome: "passed", says: fill(check.passes, data), data, lacks };
}

const halfRead = "The message is too long to be checked completely.";

/** A message that was only partly read doesn't pass, because the rest may have an issue. */
function isHalfRead({ needs }: Check, { links, html }: Partial<KnownFacts>): boolean {
  const isLinksCut = links?.known === true && links.value.total > links.value.list.length;
  const isHtmlCut = html?.known === true && html.value.cuts.length > 0;
  const asksForLinks = needs.includes("links");
  return (asksForLinks && isLinksCut) || (isHtmlCut && (asksForLinks || needs.includes("html")));
}

type Verdicts = Extract<Verdict, readonly unknown[]>;

function isList(verdict: Verdict): verdict is Verdicts {
  return Array.isArray(verdict);
}

/** Wanted facts are passed on as facts, known or unknown. */
function toAsked({ needs, wants }: Check, { facts }: Subject, values: Values): Values {
  const asked: Partial<Record<FactName, unknown>> = {};
  for (const name of needs) asked[name] = values[name];
  for (const name of wants) asked[name] = facts[name] ?? { known: false, why: "no-message" };
  return asked;
}

function findLacks({ wants }: Check, { facts }: Subject, open: Lack | null): Lack[] {
  const lacks: Lack[] = [];
  for (const name of wants) {
    const fact = facts[name];
    if (fact !== undefined && !fact.known && !isNotInUse(fact.why)) lacks.push({ lacks: name, why: fact.why });
  }
  if (open) lacks.push(open);
  return lacks;
}

/** A fact that is left out does not apply. */
function whyAbsent(name: FactName, { on }: Subject): string {
  if (on === "domain") return "Does not apply to this domain.";
  if (name === "malware") return "No malware scanner is set up.";
  if (name === "dmarc")
    return "The From header does not have exactly one author domain that could have a DMARC policy.";
  return name === "html" || name === "images" ? "The message has no HTML." : "Applies only to domains.";
}

function whyNotHere({ runsOn, kinds }: Check, subject: Subject): string | null {
  if (!runsOn[subject.on]) return subject.on === "message" ? "Applies only to domains." : "Applies only to messages.";
  if (subject.on === "message" && kinds !== "all" && !kinds.includes(subject.kind))
    return `Does not apply to ${subject.kind} mail.`;
  return null;
}

function toFinding(check: Check, raised: Verdicts[number]): Finding {
  const words = check.findings[raised.finding];
  if (!words) throw new Error(`${check.id} has no finding ${raised.finding}.`);
  const { data = {}, subject = null, ownedBy = null, mendedBy = [], holds = [], evidence = {} } = raised;
  return {
    id: `${check.id}.${raised.finding}`,
    check: check.id,
    severity: words.severity,
    cost: ownedBy === null ? words.cost : 0,
    title: words.title,
    says: fill(words.says, data),
    fix: words.fix && fill(words.fix, data),
    owner: words.owner,
    gates: (words.gates ?? []).filter(({ when }) => when === undefined || holds.includes(when)),
    subject,
    ownedBy,
    mendedBy,
    evidence: { ...data, ...evidence },
  };
}

export function findingsIn(outcomes: readonly Outcome[]): Finding[] {
  const findings: Finding[] = [];
  for (const outcome of outcomes) if (outcome.outcome === "found") findings.push(...outcome.findings);
  return findings;
}

/** True for anything worse than a note. */
export function isFault({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "good" && severity !== "info";
}

type Ranked = Pick<Finding, "severity" | "cost">;

/** The most severe first, then the most expensive, then in list order. */
export function bySeverity(left: Ranked, right: Ranked): number {
  return severities.indexOf(left.severity) - severities.indexOf(right.severity) || right.cost - left.cost;
}
