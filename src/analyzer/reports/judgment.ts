// Facts → the judgment of a report: findings with the gain of fixing each, the score, and what could not be checked.

import { isDeepStrictEqual } from "node:util";
import {
  type Area,
  byId,
  type FindingId,
  type Gate,
  type ListedCheck,
  type Owner,
  type Severity,
} from "../checks/check.ts";
import type { Why } from "../checks/fact.ts";
import type { FactName, KnownFacts } from "../checks/facts.ts";
import { isUnsure, type Kind, type KindFact, type WeighedKind, weighedKinds } from "../checks/kind.ts";
import { sortPraise } from "../checks/praise.ts";
import { bySeverity, type Finding, findingsIn, type OnBroken, type Outcome, runChecks } from "../checks/run.ts";
import { ruleLists } from "../checks/tallies/list.ts";
import { type Tally, toTallies } from "../checks/tally.ts";
import type { Volume } from "../checks/volume.ts";
import type { Learned } from "../placement/learned.ts";
import { predictPlacement } from "../placement/predict.ts";
import type { Placement } from "../placement/provider.ts";
import { raiseOwners, standAlone, withOwners, withRoots } from "./causes.ts";
import type { ProposedRecord } from "./fix-records.ts";
import { isLooped, withoutOwnDoing, withoutOwnLinks } from "./looped.ts";
import { type Step, toPlan } from "./plan.ts";
import { costOf, createScorer, type Score, type Scorer } from "./score.ts";
import { fitVolume, toBoundKind, volumeIn, withoutNotes } from "./sending-volume.ts";
import { findSuspicion, liesOf, type Suspicion, withChangesFor, withFixFor } from "./suspicion.ts";

/** All occurrences of a finding. */
export type JudgedFinding = {
  readonly id: FindingId;
  readonly check: string;
  readonly area: Area;
  readonly severity: Severity;
  /** Short, without evidence. */
  readonly title: string;
  /** The sentence of the first occurrence, with its evidence. */
  readonly says: string;
  readonly fix: string | null;
  readonly owner: Owner;
  /** Why it matters. */
  readonly why: string;
  readonly references: readonly string[];
  /** For all occurrences, in points of its area. */
  readonly cost: number;
  /** The gain of fixing only this. */
  readonly gain: number;
  readonly gates: readonly Gate[];
  /** The finding that causes it, so that it costs nothing itself. */
  readonly ownedBy: FindingId | null;
  /** Complete records that would fix it, each verified. Missing in older reports. */
  readonly records?: readonly ProposedRecord[];
  readonly occurrences: readonly Occurrence[];
  /** Number of further occurrences. */
  readonly leftOut: number;
};

export type Occurrence = Pick<Finding, "subject" | "says" | "fix" | "evidence">;

export type Judgment = {
  /** Null for a domain. */
  readonly kind: KindFact | null;
  /** The most severe first. */
  readonly findings: readonly JudgedFinding[];
  readonly passes: readonly { readonly check: string; readonly says: string }[];
  /** Checks that passed, but whose praise another finding contradicts. Missing in older reports. */
  readonly withheld?: readonly { readonly check: string; readonly because: FindingId }[];
  readonly skipped: readonly { readonly check: string; readonly why: Why | "broken" }[];
  readonly notApplicable: readonly { readonly check: string; readonly why: string }[];
  /** Checks that judged without a fact that they would have used. */
  readonly partly: readonly { readonly check: string; readonly lacks: FactName; readonly why: Why }[];
  readonly score: Score;
  /** The placement prediction for large providers; null for a domain. It does not change the score. */
  readonly placement: Placement | null;
  /** The order of fixes, each step with the score after it. */
  readonly plan: readonly Step[];
  /** How many of each provider's rules the message meets; empty for a domain. */
  readonly tallies: readonly Tally[];
  /** The score for other kinds; missing if the kind is certain, and in older reports. */
  readonly alternatives: readonly Alternative[];
  /** Missing if nothing suggests a forgery, in older reports, and for a domain. */
  readonly suspicion?: Suspicion;
  /** The workspace's sending volume at that time. Missing in older reports and for a domain. */
  readonly volume?: Volume;
};

type Alternative = { readonly kind: WeighedKind; readonly composite: number | null; readonly coverage: number };

export type MessageFacts = Partial<KnownFacts> & { readonly kind: { readonly value: KindFact } };

/** `again` scores the message with other facts, such as those after a change of records. */
type Judged = { readonly judgment: Judgment; readonly scorer: Scorer; readonly again: Again };
type Again = (facts: MessageFacts) => Scorer;

export function judgeMessage(
  facts: MessageFacts,
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
  learned: Learned | null = null,
): Judged {
  const weighed = weigh(facts, runAll(facts, checks, onBroken), checks, onBroken);
  const { own, run, outcomes, scorer, suspicion, volume } = weighed;
  const kind = facts.kind.value;
  const judged = toJudgment(outcomes, scorer, checks, { kind, suspicion });
  const placement = predictPlacement({ facts: own, volume, learned, outcomes: withoutNotes(outcomes, checks, volume) });
  const judgment: Judgment = {
    ...judged,
    ...(suspicion && { suspicion }),
    volume,
    // Provider rules are about sending mail, and this message was not sent.
    tallies: isLooped(facts) ? [] : toTallies(ruleLists, outcomes, kind, facts),
    placement: withChangesFor(suspicion, placement, judged.findings),
    alternatives: isUnsure(kind)
      ? toAlternatives({ fact: kind, isDoubted: suspicion !== null }, run, own, checks, onBroken)
      : [],
  };
  const again = (changed: MessageFacts) =>
    weigh(changed, runChanged(changed, { facts, run }, checks, onBroken), checks, onBroken).scorer;
  return { judgment, scorer, again };
}

function runAll(facts: MessageFacts, checks: readonly ListedCheck[], onBroken: OnBroken): readonly Outcome[] {
  return runAs(facts.kind.value.scoredAs, withoutOwnLinks(facts), checks, onBroken);
}

/** Runs only the checks that a changed fact concerns. */
function runChanged(
  facts: MessageFacts,
  { facts: before, run }: { readonly facts: MessageFacts; readonly run: readonly Outcome[] },
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
): readonly Outcome[] {
  const names = Object.keys({ ...before, ...facts }) as FactName[];
  const changed = new Set(names.filter((name) => !isDeepStrictEqual(facts[name], before[name])));
  if (changed.has("kind")) return runAll(facts, checks, onBroken);
  const concerned = checks.filter(({ needs, wants }) => [...needs, ...wants].some((name) => changed.has(name)));
  const outcomes = new Map(runAll(facts, concerned, onBroken).map((one) => [one.check, one]));
  return run.map((one) => outcomes.get(one.check) ?? one);
}

/** `run`: what the checks say, for the scored kind. */
function weigh(facts: MessageFacts, run: readonly Outcome[], checks: readonly ListedCheck[], onBroken: OnBroken) {
  const kind = facts.kind.value;
  const own = withoutOwnLinks(facts);
  const volume = volumeIn(facts);
  const scored = withoutOwnDoing(run, facts);
  const noted = [...scored];
  if (kind.kind !== kind.scoredAs)
    for (const [index, note] of notesOf(kind, own, checks, onBroken)) noted[index] = note;
  const outcomes = withoutOwnDoing(noted, facts);
  const suspicion = findSuspicion(findingsIn(outcomes), facts);
  const isDoubted = suspicion !== null;
  const scorer = createScorer(isDoubted ? standAlone(scored) : scored, {
    checks,
    kind: toBoundKind(kind.scoredAs, volume),
    isDoubted,
    isLarge: volume === "large" && kind.scoredAs === "bulk",
  });
  return { own, run, outcomes: isDoubted ? standAlone(outcomes) : outcomes, scorer, suspicion, volume };
}

function runAs(
  kind: Kind,
  facts: MessageFacts,
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
): readonly Outcome[] {
  const { value } = facts.kind;
  const asked = kind === value.kind ? facts : { ...facts, kind: { known: true, value: { ...value, kind } } };
  const outcomes = runChecks(checks, { on: "message", kind, facts: asked as MessageFacts }, onBroken);
  return fitVolume(outcomes, checks, volumeIn(facts));
}

/**
 * Findings that apply only because of marks that provider rules ask for, such as an unsubscribe link. They are shown
 * but cost nothing, so that adding such a mark can't lower the score. Keyed by the index of the check.
 */
function* notesOf(
  { kind, scoredAs }: KindFact,
  facts: MessageFacts,
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
): Generator<readonly [number, Outcome]> {
  for (const [index, check] of checks.entries()) {
    const { kinds } = check;
    if (kinds === "all" || !kinds.includes(kind) || kinds.includes(scoredAs)) continue;
    const [outcome] = runAs(kind, facts, [check], onBroken);
    if (outcome) yield [index, outcome.outcome === "found" ? toNotes(outcome) : outcome];
  }
}

function toNotes(outcome: Extract<Outcome, { outcome: "found" }>): Outcome {
  const findings = outcome.findings.map((one) => ({ ...one, severity: "info" as const, cost: 0, gates: [] }));
  return { ...outcome, findings };
}

/** `run`: the outcomes for the scored kind. Checks that do not depend on the kind are not run again. */
function toAlternatives(
  { fact: { scoredAs }, isDoubted }: { readonly fact: KindFact; readonly isDoubted: boolean },
  run: readonly Outcome[],
  facts: MessageFacts,
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
): Alternative[] {
  return weighedKinds
    .filter((kind) => kind !== scoredAs)
    .map((kind) => {
      const bound = toBoundKind(kind, volumeIn(facts));
      const again = checks.filter((check) => dependsOn(check, kind, scoredAs));
      const changed = new Map(runAs(kind, facts, again, onBroken).map((one) => [one.check, one]));
      const outcomes = run.map((one) => changed.get(one.check) ?? one);
      const { now } = createScorer(outcomes, { checks, kind: bound, isDoubted });
      return { kind, composite: now.composite, coverage: now.coverage };
    });
}

function dependsOn({ kinds, byKind }: ListedCheck, one: Kind, other: Kind): boolean {
  return byKind || (kinds !== "all" && kinds.includes(one) !== kinds.includes(other));
}

export function judgeDomain(
  facts: Partial<KnownFacts>,
  checks: readonly ListedCheck[],
  onBroken: OnBroken,
): Omit<Judged, "again"> {
  const outcomes = runChecks(checks, { on: "domain", facts }, onBroken);
  const scorer = createScorer(outcomes, { checks, kind: null });
  const judged = toJudgment(outcomes, scorer, checks, { kind: null, suspicion: null });
  return { judgment: { ...judged, placement: null, tallies: [], alternatives: [] }, scorer };
}

/** `scorer`: without findings that are shown but cost nothing. */
function toJudgment(
  outcomes: readonly Outcome[],
  scorer: Scorer,
  checks: readonly ListedCheck[],
  { kind, suspicion }: { readonly kind: KindFact | null; readonly suspicion: Suspicion | null },
): Omit<Judgment, "placement" | "tallies" | "alternatives" | "volume" | "suspicion"> {
  const { findings, passes, withheld } = sortPraise(outcomes);
  const plan = toPlan(scorer, liesOf(suspicion));
  const gains = new Map(plan.map(({ finding, gain }) => [finding, gain]));
  return {
    kind,
    findings: toFindings(withRoots(findings), checks, gains).map((one) => withFixFor(suspicion, one, checks)),
    passes,
    withheld,
    ...toRest(outcomes),
    score: scorer.now,
    plan,
  };
}

/** Checks without findings: passed, not checked, or not applicable. */
function toRest(outcomes: readonly Outcome[]): Pick<Judgment, "skipped" | "notApplicable" | "partly"> {
  const skipped: Judgment["skipped"][number][] = [];
  const notApplicable: Judgment["notApplicable"][number][] = [];
  const partly: Judgment["partly"][number][] = [];
  for (const one of outcomes) {
    const { check } = one;
    if (one.outcome === "skipped") skipped.push({ check, why: one.why });
    else if (one.outcome === "not-applicable") notApplicable.push({ check, why: one.why });
    if ("lacks" in one) for (const lack of one.lacks) partly.push({ check, ...lack });
  }
  return { skipped, notApplicable, partly };
}

function toFindings(
  all: readonly Finding[],
  checks: readonly ListedCheck[],
  gains: ReadonlyMap<FindingId, number>,
): JudgedFinding[] {
  const index = byId(checks);
  const owned = raiseOwners(withOwners(all));
  const groups = Map.groupBy(owned, ({ id, ownedBy }) => `${id} ${ownedBy}`);
  const judged = [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    const check = first && index.get(first.check);
    return check ? [toJudged(first, alike, check, gains.get(first.id) ?? 0)] : [];
  });
  return judged.sort(bySeverity);
}

/** The maximum number of occurrences with evidence. Further ones cost almost nothing. */
const maxOccurrences = 20;

function toJudged(
  { id, severity, title, says, fix, owner, ownedBy }: Finding,
  alike: readonly Finding[],
  { id: check, area, why, refs, findings }: ListedCheck,
  gain: number,
): JudgedFinding {
  // These values come from the check's table, so they are the same in every occurrence.
  const gates = new Set(alike.flatMap(({ gates }) => gates));
  const shown = alike.slice(0, maxOccurrences);
  return {
    id,
    check,
    area,
    severity,
    title,
    says,
    fix,
    owner,
    why: findings[id.slice(check.length + 1)]?.why ?? why,
    references: refs,
    cost: costOf(alike),
    gain: ownedBy === null ? gain : 0,
    gates: [...gates],
    ownedBy,
    occurrences: shown.map(({ subject, says, fix, evidence }) => ({ subject, says, fix, evidence })),
    leftOut: alike.length - shown.length,
  };
}
