// Findings → points. Areas weigh differently, what was not checked weighs nothing, and no number disagrees with the words:
// ceilings keep a message with a major fault under 90 and one with a critical fault under 70, caps keep one that a large
// provider refuses lower still. The weights are published in the docs page that is made from this file's tables.

import { type Area, areas, type Check, type FindingId, type Proof } from "../checks/check.ts";
import type { Kind } from "../checks/kind.ts";
import type { Finding, Outcome } from "../checks/run.ts";
import { findCap, type Limit } from "./caps.ts";

export const weights: Readonly<Record<Area, number>> = {
  authentication: 30,
  infrastructure: 20,
  compliance: 14,
  format: 12,
  content: 10,
  identity: 6,
  rendering: 5,
  accessibility: 3,
};

export const areaLabels: Readonly<Record<Area, string>> = {
  authentication: "Authentication",
  infrastructure: "Sending host and domains",
  compliance: "Rules for senders",
  format: "Message format",
  content: "Links and content",
  identity: "Who it is from",
  rendering: "Looks in mail programs",
  accessibility: "Readable for everyone",
};

/** Wording is weak evidence: together it costs no more. */
const wordingChecks: ReadonlySet<string> = new Set(["wording", "subject-style"]);
const wordingExempt: FindingId = "subject-style.address";
const maxWordingCost = 5;
/** Of what one check may cost, in its dearest finding. */
const maxStakes = 2;

export type AreaScore = {
  readonly area: Area;
  /** Null where nothing could be checked. */
  readonly score: number | null;
  readonly weight: number;
  /** The share of what could be checked, by points at stake; null where no check applies. */
  readonly coverage: number | null;
};

export type Score = {
  /** Null when nothing at all could be checked. */
  readonly composite: number | null;
  readonly mean: number | null;
  readonly coverage: number;
  readonly areas: readonly AreaScore[];
  /** What holds the composite below the mean. */
  readonly limit: Limit | null;
};

export type Judged = { readonly checks: readonly Check[]; readonly kind: Kind | null };

export function toScore(outcomes: readonly Outcome[], { checks, kind }: Judged): Score {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const scored = areas.map((area) => scoreArea(area, outcomes, byId));
  const counted = scored.filter(({ score, coverage }) => score !== null && coverage !== null);
  const inForce = sum(counted.map(({ weight, coverage }) => weight * (coverage ?? 0)));
  const mean =
    inForce === 0
      ? null
      : sum(counted.map(({ weight, coverage, score }) => weight * (coverage ?? 0) * (score ?? 0))) / inForce;
  const limit = mean === null ? null : findLimit(findingsIn(outcomes), kind, mean);
  const applicable = sum(scored.map(({ weight, coverage }) => (coverage === null ? 0 : weight)));
  return {
    composite: mean === null ? null : round(limit?.value ?? mean),
    mean,
    coverage:
      applicable === 0 ? 0 : sum(scored.map(({ weight, coverage }) => weight * (coverage ?? 0))) / applicable,
    areas: scored,
    limit,
  };
}

function scoreArea(area: Area, outcomes: readonly Outcome[], checks: ReadonlyMap<string, Check>): AreaScore {
  let atStake = 0;
  let checked = 0;
  let cost = 0;
  let wordingCost = 0;
  for (const outcome of outcomes) {
    const check = checks.get(outcome.check);
    if (check?.area !== area || outcome.outcome === "not-applicable") continue;
    const stake = stakeOf(check);
    atStake += stake;
    if (outcome.outcome === "skipped") continue;
    checked += stake;
    if (outcome.outcome !== "found") continue;
    const isWording = (id: FindingId) => wordingChecks.has(check.id) && id !== wordingExempt;
    const strong = outcome.findings.filter(({ id }) => !isWording(id));
    const weak = outcome.findings.filter(({ id }) => isWording(id));
    cost += Math.min(costOf(strong), maxStakes * stake);
    wordingCost += Math.min(costOf(weak), maxStakes * stake);
  }
  const coverage = atStake === 0 ? null : checked / atStake;
  const score = coverage ? Math.max(0, 100 - cost - Math.min(wordingCost, maxWordingCost)) : null;
  return { area, score, weight: weights[area], coverage };
}

/** The dearest thing that a check can say. */
export function stakeOf({ findings }: Pick<Check, "findings">): number {
  return Math.max(0, ...Object.values(findings).map(({ cost }) => cost));
}

/** The same fault of several things costs the whole, then a half, a quarter …: never more than twice. */
export function costOf(findings: readonly Finding[]): number {
  const groups = Map.groupBy(findings, ({ id }) => id);
  return sum([...groups.values()].map((alike) => sum(alike.map(({ cost }, index) => cost / 2 ** index))));
}

function findLimit(findings: readonly Finding[], kind: Kind | null, mean: number): Limit | null {
  const limits = [toCeiling(findings), findCap(findings, kind)].filter((limit) => limit !== null);
  const [lowest] = limits.sort((left, right) => left.value - right.value);
  return lowest && lowest.value < mean ? lowest : null;
}

function toCeiling(findings: readonly Finding[]): Limit | null {
  const distinct = (severity: Finding["severity"]) => [
    ...new Set(findings.filter((one) => one.severity === severity && one.cost > 0).map(({ id }) => id)),
  ];
  const critical = distinct("critical");
  const major = distinct("major");
  if (critical.length > 0) {
    const value = Math.max(5, 69 - 8 * (critical.length - 1) - 3 * major.length);
    return { value, why: "ceiling", findings: critical };
  }
  if (major.length === 0) return null;
  return { value: Math.max(5, 89 - 3 * (major.length - 1)), why: "ceiling", findings: major };
}

export function findingsIn(outcomes: readonly Outcome[]): Finding[] {
  return outcomes.flatMap((outcome) => (outcome.outcome === "found" ? outcome.findings : []));
}

/** As if every occurrence of it, and what follows from it alone, were mended. */
export function without(outcomes: readonly Outcome[], id: FindingId): Outcome[] {
  const proof = provenWithout(outcomes, id);
  const stays = (finding: Finding) =>
    finding.id !== id && finding.ownedBy !== id && (proof === null || !finding.mendedBy.includes(proof));
  return outcomes.map((outcome) => {
    if (outcome.outcome !== "found") return outcome;
    const left = outcome.findings.filter(stays);
    return { ...outcome, findings: proof === "spf" ? left.map(whereSpfPasses) : left };
  });
}

/** The proof that passes once this is mended: it was the last grave fault of SPF, or of DKIM. */
function provenWithout(outcomes: readonly Outcome[], id: FindingId): Proof | null {
  const proof = proofs.find((name) => id.startsWith(`${name}-`));
  if (proof === undefined) return null;
  const faults = findingsIn(outcomes).filter((one) => isGrave(one) && one.id.startsWith(`${proof}-`));
  return faults.length > 0 && faults.every((fault) => fault.id === id) ? proof : null;
}

const proofs: readonly Proof[] = ["spf", "dkim"];

function isGrave({ severity, ownedBy }: Finding): boolean {
  return ownedBy === null && (severity === "critical" || severity === "major");
}

/** Some providers refuse for want of DKIM only where SPF fails too. */
function whereSpfPasses(finding: Finding): Finding {
  return { ...finding, gates: finding.gates.filter(({ when }) => when !== "spf-fails") };
}

/** What mending each finding alone would give. */
export function toGains(outcomes: readonly Outcome[], judged: Judged): ReadonlyMap<FindingId, number> {
  const now = toScore(outcomes, judged).composite ?? 0;
  const ids = new Set(findingsIn(outcomes).map(({ id }) => id));
  return new Map(
    [...ids].map((id) => [id, round((toScore(without(outcomes, id), judged).composite ?? now) - now)]),
  );
}

export type Step = { readonly finding: FindingId; readonly composite: number };

/** What to mend first: each step is the one that gives most after those before it. */
export function toPlan(outcomes: readonly Outcome[], judged: Judged): Step[] {
  const steps: Step[] = [];
  let left = outcomes;
  for (let next = bestStep(left, judged); next; next = bestStep(left, judged)) {
    steps.push({ finding: next.id, composite: next.score.composite ?? 0 });
    left = without(left, next.id);
  }
  return steps;
}

type Candidate = { readonly id: FindingId; readonly score: Score };

/** Null when nothing that is left would raise anything; what a ceiling hides still counts. */
function bestStep(outcomes: readonly Outcome[], judged: Judged): Candidate | null {
  let best: Candidate | null = null;
  for (const id of new Set(findingsIn(outcomes).map((finding) => finding.id))) {
    const score = toScore(without(outcomes, id), judged);
    if (best === null || isBetter(score, best.score)) best = { id, score };
  }
  return best && isBetter(best.score, toScore(outcomes, judged)) ? best : null;
}

function isBetter(score: Score, best: Score): boolean {
  const difference = (score.composite ?? 0) - (best.composite ?? 0);
  return difference > 0 || (difference === 0 && (score.mean ?? 0) > (best.mean ?? 0));
}

export type Grade = "A" | "B" | "C" | "D" | "F";

export function toGrade(composite: number): Grade {
  const [, grade] = grades.find(([from]) => composite >= from) ?? [0, "F" as const];
  return grade;
}

const grades: readonly (readonly [from: number, grade: Grade])[] = [
  [90, "A"],
  [80, "B"],
  [70, "C"],
  [55, "D"],
];

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function round(points: number): number {
  return Math.round(points * 10) / 10;
}
