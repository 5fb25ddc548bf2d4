// Facts → what a report says of them: findings and what mending each would give, the score, and what nobody could check.

import {
  type Area,
  byId,
  type Check,
  type FindingId,
  type Gate,
  type Owner,
  type Severity,
} from "../checks/check.ts";
import type { Why } from "../checks/fact.ts";
import type { FactName, KnownFacts } from "../checks/facts.ts";
import { isUnsure, type Kind, type KindFact, type WeighedKind, weighedKinds } from "../checks/kind.ts";
import { sortPraise } from "../checks/praise.ts";
import { bySeverity, type Finding, type OnBroken, type Outcome, runChecks } from "../checks/run.ts";
import { ruleLists } from "../checks/tallies/list.ts";
import { type Tally, toTallies } from "../checks/tally.ts";
import type { Volume } from "../checks/volume.ts";
import { predictPlacement } from "../placement/predict.ts";
import type { Placement } from "../placement/provider.ts";
import type { Shifts } from "../placement/shifts.ts";
import { causesOf, withRoots } from "./causes.ts";
import type { ProposedRecord } from "./fix-records.ts";
import { isLooped, withoutOwnDoing, withoutOwnLinks } from "./looped.ts";
import { type Step, toPlan } from "./plan.ts";
import { costOf, createScorer, type Score } from "./score.ts";
import { fitVolume, toBoundKind, volumeIn, withoutNotes } from "./sending-volume.ts";

/** All occurrences of one fault together. */
export type JudgedFinding = {
  readonly id: FindingId;
  readonly check: string;
  readonly area: Area;
  readonly severity: Severity;
  /** Short, without evidence. */
  readonly title: string;
  /** Of the first occurrence, with its evidence. */
  readonly says: string;
  readonly fix: string | null;
  readonly owner: Owner;
  /** Why it matters. */
  readonly why: string;
  readonly references: readonly string[];
  /** In points of its area, for all occurrences. */
  readonly cost: number;
  /** What mending it alone would give. */
  readonly gain: number;
  readonly gates: readonly Gate[];
  /** The finding that it follows from; then it costs nothing. */
  readonly ownedBy: FindingId | null;
  /** Whole records that would fix it, each checked. Absent in older reports. */
  readonly records?: readonly ProposedRecord[];
  readonly occurrences: readonly Occurrence[];
  /** Occurrences beyond those. */
  readonly leftOut: number;
};

export type Occurrence = Pick<Finding, "subject" | "says" | "fix" | "evidence">;

export type Judgment = {
  /** Null for a bare domain. */
  readonly kind: KindFact | null;
  /** The most severe first. */
  readonly findings: readonly JudgedFinding[];
  readonly passes: readonly { readonly check: string; readonly says: string }[];
  /** Checks that passed, but would praise what that finding of another one faults; reports made earlier have none. */
  readonly withheld?: readonly { readonly check: string; readonly because: FindingId }[];
  readonly skipped: readonly { readonly check: string; readonly why: Why | "broken" }[];
  readonly notApplicable: readonly { readonly check: string; readonly why: string }[];
  /** Checks that judged without a fact that they would have used. */
  readonly partly: readonly { readonly check: string; readonly lacks: FactName; readonly why: Why }[];
  readonly score: Score;
  /** Where large providers would put it; null for a bare domain. It does not change the score. */
  readonly placement: Placement | null;
  /** What to mend first, each step with the score after it. */
  readonly plan: readonly Step[];
  /** How many of each provider's rules a message keeps; none of a bare domain. */
  readonly tallies: readonly Tally[];
  /** What the score would be if it were of another kind; none where its kind is sure, and in reports from before. */
  readonly alternatives: readonly Alternative[];
  /** What the workspace sent when it was judged; absent in older reports, and of a bare domain. */
  readonly volume?: Volume;
};

export type Alternative = {
  readonly kind: WeighedKind;
  readonly composite: number | null;
  readonly coverage: number;
};

export type MessageFacts = Partial<KnownFacts> & { readonly kind: { readonly value: KindFact } };

export function judgeMessage(
  facts: MessageFacts,
  checks: readonly Check[],
  onBroken: OnBroken,
  shifts: Shifts,
): Judgment {
  const kind = facts.kind.value;
  const own = withoutOwnLinks(facts);
  const volume = volumeIn(facts);
  const run = runAs(kind.scoredAs, own, checks, onBroken);
  const scored = withoutOwnDoing(run, facts);
  const noted = [...scored];
  if (kind.kind !== kind.scoredAs)
    for (const [index, note] of notesOf(kind, own, checks, onBroken)) noted[index] = note;
  const outcomes = withoutOwnDoing(noted, facts);
  return {
    ...toJudgment(outcomes, scored, checks, { kind, volume }),
    volume,
    // Providers' rules are about how mail is sent, and this one was not sent.
    tallies: isLooped(facts) ? [] : toTallies(ruleLists, outcomes, kind, facts),
    placement: predictPlacement({
      ...{ facts: own, shifts, volume },
      outcomes: withoutNotes(outcomes, checks, volume),
    }),
    alternatives: isUnsure(kind) ? toAlternatives(kind, run, own, checks, onBroken) : [],
  };
}

function runAs(
  kind: Kind,
  facts: MessageFacts,
  checks: readonly Check[],
  onBroken: OnBroken,
): readonly Outcome[] {
  const { value } = facts.kind;
  const asked = kind === value.kind ? facts : { ...facts, kind: { known: true, value: { ...value, kind } } };
  const outcomes = runChecks(checks, { on: "message", kind, facts: asked as MessageFacts }, onBroken);
  return fitVolume(outcomes, checks, volumeIn(facts));
}

/**
 * What is asked only because of marks that rules ask for, such as an unsubscribe link: told, but without cost, or adding such
 * a mark could lower the score. By the place of the check.
 */
function* notesOf(
  { kind, scoredAs }: KindFact,
  facts: MessageFacts,
  checks: readonly Check[],
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

/** `run`: as it is scored. What does not depend on the kind is not judged again. */
function toAlternatives(
  { scoredAs }: KindFact,
  run: readonly Outcome[],
  facts: MessageFacts,
  checks: readonly Check[],
  onBroken: OnBroken,
): Alternative[] {
  return weighedKinds
    .filter((kind) => kind !== scoredAs)
    .map((kind) => {
      const bound = toBoundKind(kind, volumeIn(facts));
      const again = checks.filter((check) => dependsOn(check, kind, scoredAs));
      const changed = new Map(runAs(kind, facts, again, onBroken).map((one) => [one.check, one]));
      const outcomes = run.map((one) => changed.get(one.check) ?? one);
      const { now } = createScorer(outcomes, { checks, kind: bound });
      return { kind, composite: now.composite, coverage: now.coverage };
    });
}

function dependsOn({ kinds, byKind }: Check, one: Kind, other: Kind): boolean {
  return byKind || (kinds !== "all" && kinds.includes(one) !== kinds.includes(other));
}

export function judgeDomain(
  facts: Partial<KnownFacts>,
  checks: readonly Check[],
  onBroken: OnBroken,
): Judgment {
  const outcomes = runChecks(checks, { on: "domain", facts }, onBroken);
  return {
    ...toJudgment(outcomes, outcomes, checks, { kind: null, volume: null }),
    placement: null,
    tallies: [],
    alternatives: [],
  };
}

/** `scored` without what is told but costs nothing. */
function toJudgment(
  outcomes: readonly Outcome[],
  scored: readonly Outcome[],
  checks: readonly Check[],
  { kind, volume }: { readonly kind: KindFact | null; readonly volume: Volume },
): Omit<Judgment, "placement" | "tallies" | "alternatives" | "volume"> {
  const scorer = createScorer(scored, { checks, kind: toBoundKind(kind?.scoredAs ?? null, volume) });
  const { findings, passes, withheld } = sortPraise(outcomes);
  const plan = toPlan(scorer);
  const gains = new Map(plan.map(({ finding, gain }) => [finding, gain]));
  return {
    kind,
    findings: toFindings(withRoots(findings), checks, gains),
    ...{ passes, withheld },
    ...toRest(outcomes),
    score: scorer.now,
    plan,
  };
}

/** What was not found: it passed, it was not checked, or it did not arise. */
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
  checks: readonly Check[],
  gains: ReadonlyMap<FindingId, number>,
): JudgedFinding[] {
  const index = byId(checks);
  const owned = all.map((finding) => ({ ...finding, ownedBy: ownerOf(finding, all) }));
  const groups = Map.groupBy(owned, ({ id, ownedBy }) => `${id} ${ownedBy}`);
  const judged = [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    const check = first && index.get(first.check);
    return check ? [toJudged(first, alike, check, gains.get(first.id) ?? 0)] : [];
  });
  return judged.sort(bySeverity);
}

/** Of several causes the gravest. */
function ownerOf(finding: Finding, findings: readonly Finding[]): FindingId | null {
  const [cause = finding.id] = causesOf(finding, findings);
  return cause === finding.id ? null : cause;
}

/** Evidence of this many is shown; more of the same costs next to nothing. */
const maxOccurrences = 20;

function toJudged(
  { id, severity, title, says, fix, owner, ownedBy }: Finding,
  alike: readonly Finding[],
  { id: check, area, why, refs, findings }: Check,
  gain: number,
): JudgedFinding {
  // Each is a value of its check's table: the same one in every occurrence.
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
