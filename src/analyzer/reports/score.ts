// Findings → points. Areas have different weights, and what was not checked has none. Scores agree with the words:
// ceilings keep a message with a major fault under 90 and one with a critical fault under 70, and caps keep a message
// that a large provider rejects even lower. The docs page is generated from these tables.

import { type Area, areas, byId, type FindingId, type ListedCheck } from "../checks/check.ts";
import type { Kind } from "../checks/kind.ts";
import { bySeverity, type Finding, findingsIn, type Outcome } from "../checks/run.ts";
import { type Attempt, attemptOf, oncePerAttempt } from "./attempts.ts";
import { type CapInForce, findCap, findCaps, type Limit } from "./caps.ts";
import {
  asProven,
  causesOf,
  distinct,
  flawsOf,
  type Grave,
  isAboveInfo,
  isAuthenticated,
  isEnforcedFailure,
  mendedBy,
  proofs,
  raise,
  withRoots,
} from "./causes.ts";
import { leastChecked, toPoints } from "./grade-words.ts";

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
  compliance: "Sender requirements",
  format: "Message format",
  content: "Links and content",
  identity: "Sender identity",
  rendering: "Rendering",
  accessibility: "Accessibility",
};

/** Wording is weak evidence, so its total cost is limited. */
export const wording: { readonly checks: readonly string[]; readonly exempt: FindingId; readonly maxCost: number } = {
  checks: ["wording", "subject-style"],
  exempt: "subject-style.address",
  maxCost: 5,
};
/** A multiple of the cost of the check's most expensive finding. */
export const maxStakes = 2;
/** Each further occurrence of a finding costs this many times less than the one before. */
export const repeatDivisor = 2;

/** Keeps the score in line with the words: no A with a major fault, no C with a critical one. */
export const ceilings = {
  critical: { value: 69, eachFurther: 8, eachMajor: 3 },
  major: { value: 89, eachFurther: 3 },
  least: 5,
} as const;

/** Authentication scores no more than this without an authenticated author; nor does the identity of a doubted sender. */
export const unauthenticated: { readonly findings: readonly FindingId[]; readonly most: number } = {
  findings: [
    "dmarc-result.policy-reject",
    "dmarc-result.policy-quarantine",
    "dmarc-result.unaligned",
    "dmarc-result.strict-only",
    "dmarc-result.unauthenticated",
    "freemail-from.elsewhere",
  ],
  most: 40,
};

export type AreaScore = {
  readonly area: Area;
  /** Null if nothing could be checked. */
  readonly score: number | null;
  readonly weight: number;
  /** The share that could be checked, weighted by points at stake; null if no check applies. */
  readonly coverage: number | null;
};

export type Score = {
  /** Null if less than half could be checked. */
  readonly composite: number | null;
  readonly mean: number | null;
  readonly coverage: number;
  readonly areas: readonly AreaScore[];
  /** What keeps the composite below the mean. */
  readonly limit: Limit | null;
};

export type ScoredSubject = {
  readonly checks: readonly ListedCheck[];
  /** The kind whose rules for bulk senders apply; null if they don't apply. */
  readonly kind: Kind | null;
  /** Nothing ties the message to the domain that it names. */
  readonly isDoubted?: boolean;
  /** The workspace sends more than the mailbox providers' limit for bulk senders. */
  readonly isLarge?: boolean;
};

export type Scorer = {
  /** Without any fixes. */
  readonly now: Score;
  /** As if all occurrences of these findings, and everything that only follows from them, were fixed. */
  readonly without: (mended: ReadonlySet<FindingId>) => Score;
  /** The findings that would remain, with the provider replies that still apply. */
  readonly left: (mended: ReadonlySet<FindingId>) => readonly Finding[];
  /**
   * The issues to fix: findings that cost points, hold a cap or are worse than a note, and that follow from no other
   * finding.
   */
  readonly faults: readonly Pick<Finding, "id" | "severity">[];
  readonly kind: Kind | null;
  readonly isLarge: boolean;
};

/** Computes the cost of every finding once, so that scoring again without one of them is cheap. */
export function createScorer(outcomes: readonly Outcome[], subject: ScoredSubject): Scorer {
  const { checks, kind, isDoubted = false, isLarge = false } = subject;
  const sums = sumAreas(outcomes, checks);
  const findings = withRoots(findingsIn(outcomes));
  const caps = findCaps(findings, kind);
  const unproven = findings.filter(({ id }) => unauthenticated.findings.includes(id)).map(({ id }) => id);
  const enforced = isDoubted ? findings.filter(isEnforcedFailure).map(({ id }) => id) : [];
  const critical = distinct(findings, "critical");
  const major = distinct(findings, "major");
  const flaws = proofs.map((proof) => ({ proof, ids: new Set(flawsOf(proof, findings).map(({ id }) => id)) }));
  const settle = (chosen: ReadonlySet<FindingId>) => {
    const proven = flaws.filter(({ ids }) => ids.size > 0 && ids.isSubsetOf(chosen)).map(({ proof }) => proof);
    return { proven, mended: proven.length === 0 ? chosen : chosen.union(mendedBy(findings, proven)) };
  };
  const without = (chosen: ReadonlySet<FindingId>): Score => {
    const { proven, mended } = settle(chosen);
    const stays = (id: FindingId) => !mended.has(id);
    const most = { authentication: unproven.some(stays), identity: enforced.some(stays) };
    const scored = sums.map((area) => holdDown(scoreArea(area, mended), most));
    const { mean, coverage } = weigh(scored, sums);
    const inReach = isAuthenticated(chosen, proven) ? findCaps(asProven(findings, true), kind) : caps;
    const isLeft = ({ id }: Grave) => stays(id);
    const ceiling = toCeiling(oncePerAttempt(critical.filter(isLeft)), oncePerAttempt(major.filter(isLeft)));
    const limits = [ceiling, findCap(inReach, mended)];
    const limit = mean === null ? null : findLimit(limits, mean);
    const composite = coverage < leastChecked ? null : toPoints({ mean, limit });
    return { composite, mean, coverage, areas: scored, limit };
  };
  const left = (chosen: ReadonlySet<FindingId>): Finding[] => {
    const { proven, mended } = settle(chosen);
    return asProven(findings, isAuthenticated(chosen, proven)).filter(
      ({ id, ownedBy }) => !mended.has(id) && (ownedBy === null || !mended.has(ownedBy)),
    );
  };
  return { now: without(new Set()), without, left, faults: toFaults(findings, caps), kind, isLarge };
}

/** The most severe first. */
function toFaults(findings: readonly Finding[], caps: readonly CapInForce[]): Scorer["faults"] {
  const capping = new Set(caps.flatMap(({ holding }) => holding.map(({ id }) => id)));
  const counting = findings.filter((one) => isAboveInfo(one) || one.cost > 0 || capping.has(one.id));
  const causes = new Set(counting.flatMap((one) => causesOf(one, findings)));
  const faults = raise(findings).filter(({ id, ownedBy }) => ownedBy === null && causes.has(id));
  return [...new Map(faults.sort(bySeverity).map((one) => [one.id, one])).values()];
}

function holdDown(scored: AreaScore, held: Readonly<Partial<Record<Area, boolean>>>): AreaScore {
  if (held[scored.area] !== true || scored.score === null) return scored;
  return { ...scored, score: Math.min(scored.score, unauthenticated.most) };
}

/** An area counts by how much of it was checked. */
function weigh(scored: readonly AreaScore[], sums: readonly AreaSums[]): Pick<Score, "mean" | "coverage"> {
  let applicable = 0;
  let checked = 0;
  let points = 0;
  for (const [index, { weight, coverage, score }] of scored.entries()) {
    const { atStake = 0, unpublishable = 0 } = sums[index] ?? {};
    if (coverage === null) continue;
    const share = (weight * atStake) / (atStake + unpublishable);
    applicable += share;
    checked += share * coverage;
    points += share * coverage * (score ?? 0);
  }
  return { mean: checked === 0 ? null : points / checked, coverage: applicable === 0 ? 0 : checked / applicable };
}

type AreaSums = {
  readonly area: Area;
  readonly atStake: number;
  /** What rests on a name for tests. It can have no DNS records, so nothing is missing. */
  readonly unpublishable: number;
  readonly checked: number;
  readonly checks: readonly CheckCosts[];
};

/** Per check: the cost of each of its findings over all occurrences. */
type CheckCosts = {
  readonly most: number;
  readonly isWording: boolean;
  /** The attempt that limits it together with others. */
  readonly attempt: Attempt | null;
  readonly costs: ReadonlyMap<FindingId, number>;
};

function sumAreas(outcomes: readonly Outcome[], checks: readonly ListedCheck[]): AreaSums[] {
  const index = byId(checks);
  const none = { atStake: 0, unpublishable: 0, checked: 0 };
  const sums = areas.map((area) => ({ area, ...none, checks: [] as CheckCosts[] }));
  for (const outcome of outcomes) {
    if (outcome.outcome === "not-applicable") continue;
    const check = index.get(outcome.check);
    const area = check && sums[areas.indexOf(check.area)];
    if (!area) continue;
    const stake = stakeOf(check);
    if (outcome.outcome === "skipped" && outcome.why === "reserved-name") area.unpublishable += stake;
    else area.atStake += stake;
    if (outcome.outcome !== "skipped") area.checked += stake;
    if (outcome.outcome === "found") area.checks.push(...toCosts(outcome.findings, check, maxStakes * stake));
  }
  return sums;
}

function toCosts(findings: readonly Finding[], { id }: ListedCheck, most: number): CheckCosts[] {
  // An unauthenticated author caps the whole area, so such findings cost nothing on top.
  const faults = id === "dmarc-result" ? [] : findings.filter(({ cost }) => cost > 0);
  const isWording = wording.checks.includes(id);
  const parts = Map.groupBy(faults, (one) => (isWording ? one.id !== wording.exempt : attemptOf(id, one.severity)));
  return [...parts].map(([part, alike]) => ({
    most,
    isWording: part === true,
    attempt: typeof part === "object" ? part : null,
    costs: new Map([...Map.groupBy(alike, ({ id }) => id)].map(([id, each]) => [id, costOf(each)])),
  }));
}

function scoreArea({ area, atStake, checked, checks }: AreaSums, mended: ReadonlySet<FindingId>): AreaScore {
  let cost = 0;
  let wordingCost = 0;
  const attempted = new Map<Attempt, number>();
  for (const { most, isWording, attempt, costs } of checks) {
    let together = 0;
    for (const [id, each] of costs) if (!mended.has(id)) together += each;
    const bounded = Math.min(together, most);
    if (isWording) wordingCost += bounded;
    else if (attempt !== null) attempted.set(attempt, (attempted.get(attempt) ?? 0) + bounded);
    else cost += bounded;
  }
  for (const [{ most }, together] of attempted) cost += Math.min(together, most);
  const coverage = atStake === 0 ? null : checked / atStake;
  const score = coverage ? Math.max(0, 100 - cost - Math.min(wordingCost, wording.maxCost)) : null;
  return { area, score, weight: weights[area], coverage };
}

/** The most expensive finding of a check. */
export function stakeOf(check: Pick<ListedCheck, "findings">): number {
  const known = stakes.get(check);
  if (known !== undefined) return known;
  const stake = Math.max(0, ...Object.values(check.findings).map(({ cost }) => cost));
  stakes.set(check, stake);
  return stake;
}

/** Cached, because it is needed for every check of every message. */
const stakes = new WeakMap<Pick<ListedCheck, "findings">, number>();

/** For repeated findings, the first costs the full points, the next half, then a quarter, …: never more than twice. */
export function costOf(alike: readonly Pick<Finding, "cost">[]): number {
  return alike
    .filter(({ cost }) => cost > 0)
    .reduce((total, { cost }, index) => total + cost / repeatDivisor ** index, 0);
}

function findLimit(limits: readonly (Limit | null)[], mean: number): Limit | null {
  const [lowest] = limits.filter((limit) => limit !== null).sort((left, right) => left.value - right.value);
  return lowest && lowest.value < mean ? lowest : null;
}

function toCeiling(critical: readonly FindingId[], major: readonly FindingId[]): Limit | null {
  const { value, eachFurther, eachMajor } = ceilings.critical;
  if (critical.length > 0)
    return toLimit(value - eachFurther * (critical.length - 1) - eachMajor * major.length, critical);
  if (major.length === 0) return null;
  return toLimit(ceilings.major.value - ceilings.major.eachFurther * (major.length - 1), major);
}

function toLimit(value: number, findings: readonly FindingId[]): Limit {
  return { value: Math.max(ceilings.least, value), why: "ceiling", findings };
}
