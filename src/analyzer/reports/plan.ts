// What to fix first: malware, then issues that hold the score down or make a provider reject the message, then the most
// severe, then the biggest gain. The app, the terminal, the API and shared reports all list issues in this order.

import { type FindingId, type Gate, severities } from "../checks/check.ts";
import type { Finding } from "../checks/run.ts";
import { isRefused, type Limit, refusersOf } from "./caps.ts";
import { causesOf, isAboveInfo, isEnforcedFailure, isGrave, withRoots } from "./causes.ts";
import { toPoints, toTenths } from "./grade-words.ts";
import type { JudgedFinding, Judgment } from "./judgment.ts";
import type { Score, Scorer } from "./score.ts";

export type Step = {
  readonly finding: FindingId;
  /** After this step and all earlier ones; null without a score. */
  readonly composite: number | null;
  /** From this fix alone. */
  readonly gain: number;
  /** The composite once everything behind the limit is fixed; null if the issue holds no limit. */
  readonly unlocks: number | null;
  /**
   * Why it comes here: providers reject the message for it, it holds the score down, it is critical or major, or it
   * gives more than the rest.
   */
  readonly reason: "rejected" | "cap" | "severity" | "gain";
  /** The limit that it holds when its turn comes, and how many issues hold it together; null if it holds none. */
  readonly cap: { readonly value: number; readonly count: number } | null;
  /** The other issues that end with this step. Missing in older reports, as is the next. */
  readonly cures?: readonly FindingId[];
  /** The large mailbox providers that reject the message before this step, and no longer after it. */
  readonly providers?: readonly Gate["provider"][];
};

/** The gain of a fix alone; `mean` is used when a cap hides it. */
type Alone = { readonly gain: number; readonly mean: number };

function weighAlone({ now, without, faults }: Scorer): ReadonlyMap<FindingId, Alone> {
  const toAlone = (score: Score): Alone => ({
    gain: toTenths(pointsIn(score) - pointsIn(now)),
    mean: (score.mean ?? 0) - (now.mean ?? 0),
  });
  return new Map(faults.map(({ id }) => [id, toAlone(without(new Set([id])))]));
}

export const pointsIn = (score: Score) => toPoints(score) ?? 0;

/** The state after some fixes. */
type PlanState = { readonly hold: Hold | null; readonly refused: ReadonlySet<FindingId> };

/** An active limit, and everything that must be fixed to lift it. */
type Hold = { readonly limit: Limit; readonly by: ReadonlySet<FindingId>; readonly unlocks: number };

/** `lies`: findings that come first, because they show that the sender imitates someone else. */
export function toPlan(scorer: Scorer, lies: readonly FindingId[] = []): Step[] {
  const alone = weighAlone(scorer);
  const waiting = new Map(scorer.faults.map((fault) => [fault.id, fault]));
  const fixed = new Set<FindingId>();
  const steps: Step[] = [];
  let score = scorer.now;
  const first = toHold(scorer, fixed, score, null);
  let hold = first;
  while (waiting.size > 0) {
    hold = toHold(scorer, fixed, score, hold);
    const before = scorer.left(fixed);
    const place = { hold, refused: toRefused(before, scorer.kind) };
    const next = pick([...waiting.values()], place, { alone, lies });
    if (next === undefined) break;
    fixed.add(next.id);
    const ended = toEnded(next.id, { scorer, before, after: scorer.left(fixed) });
    for (const id of [next.id, ...ended.cures]) waiting.delete(id);
    score = scorer.without(fixed);
    const { composite } = score;
    const step = toReason(next, place, first);
    const gain = alone.get(next.id)?.gain ?? 0;
    const reason = step.reason === "cap" ? "severity" : step.reason;
    const points = composite === null ? { gain: 0, unlocks: null, reason, cap: null } : { gain };
    steps.push({ finding: next.id, composite, ...step, ...points, ...ended });
  }
  return steps;
}

type Change = {
  /** For the message without any change. */
  readonly scorer: Pick<Scorer, "faults" | "isLarge">;
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
};

/** What ends with a step besides its own issue. */
export function toEnded(
  finding: FindingId,
  { scorer: { faults, isLarge }, before, after }: Change,
): Required<Pick<Step, "cures" | "providers">> {
  const kept = new Set([finding, ...after.map(({ id }) => id)]);
  const gone = before.filter(({ id }) => !kept.has(id));
  const issues = gone.filter((one) => isAboveInfo(one) || faults.some(({ id }) => id === one.id));
  const refusing = refusersOf(before, isLarge).difference(refusersOf(after, isLarge));
  return { cures: [...new Set(issues.map(({ id }) => id))], providers: [...refusing] };
}

type Fault = Scorer["faults"][number];

function toRefused(left: readonly Finding[], kind: Scorer["kind"]): Set<FindingId> {
  return new Set(left.filter((one) => isRefused(one, kind)).flatMap((one) => causesOf(one, left)));
}

/** Finishes what it started: if either SPF or DKIM is enough, a step of each would lift nothing. */
function toHold(scorer: Scorer, fixed: ReadonlySet<FindingId>, { limit }: Score, begun: Hold | null): Hold | null {
  if (limit === null) return null;
  const isRest = begun !== null && !begun.by.isSubsetOf(fixed) && begun.limit.why === limit.why;
  if (isRest && (limit.why === "ceiling" || isSame(limit, begun.limit))) return begun;
  const left = scorer.left(fixed);
  const holding = left.filter(({ id }) => limit.findings.includes(id));
  const held = new Set(holding.flatMap((one) => causesOf(one, left)));
  const by = limit.why === "cap" ? toNeeded(held, scorer, fixed, limit) : held;
  return { limit, by, unlocks: pointsIn(scorer.without(fixed.union(by))) };
}

function isSame(limit: Limit, other: Limit): boolean {
  return limit.why === other.why && limit.value === other.value;
}

/**
 * Prefers a fix that lifts the cap alone, also by removing its cause; among several, the failed DMARC policy, because it is
 * what receivers act on, then the one with the biggest gain.
 * Otherwise returns the issues without those that don't have to be fixed, dropping the least severe first.
 */
function toNeeded(
  held: ReadonlySet<FindingId>,
  { faults, without }: Scorer,
  fixed: ReadonlySet<FindingId>,
  limit: Limit,
): ReadonlySet<FindingId> {
  const lifts = (ids: ReadonlySet<FindingId>) => {
    const after = without(fixed.union(ids)).limit;
    return after === null || !isSame(limit, after);
  };
  const alone = faults.filter(({ id }) => lifts(new Set([id])));
  const reachOf = ({ id }: Fault) => pointsIn(without(fixed.union(new Set([id]))));
  const rankOf = (fault: Fault) => (isEnforcedFailure(fault) ? 0 : 1);
  const [enough] = alone.sort((one, other) => rankOf(one) - rankOf(other) || reachOf(other) - reachOf(one));
  if (enough) return new Set([enough.id]);
  const needed = new Set(held);
  // The failed policy is dropped last: other fixes may also end it, but receivers act on it.
  const dropped = faults.toReversed().toSorted((one, other) => rankOf(other) - rankOf(one));
  for (const { id } of dropped) if (needed.size > 1 && needed.delete(id) && !lifts(needed)) needed.add(id);
  return needed;
}

const malware: readonly FindingId[] = ["attachment-virus.found", "attachment-virus.in-message"];

function pick(
  waiting: readonly Fault[],
  { hold, refused }: PlanState,
  { alone, lies }: { readonly alone: ReadonlyMap<FindingId, Alone>; readonly lies: readonly FindingId[] },
): Fault | undefined {
  const toRank = ({ id, severity }: Fault): readonly number[] => {
    const { gain = 0, mean = 0 } = alone.get(id) ?? {};
    const isRefusal = refused.has(id);
    // While a message carries malware or imitates a brand, no other fix helps.
    const isFirst = malware.includes(id) || lies.includes(id);
    const group = hold?.by.has(id) ? 0 : isRefusal ? 1 : 2;
    return [isFirst ? 0 : 1, group, isRefusal ? 0 : 1, severities.indexOf(severity), -gain, -mean];
  };
  const ranked = waiting.map((fault) => ({ fault, rank: toRank(fault) }));
  return ranked.sort((one, other) => compare(one.rank, other.rank))[0]?.fault;
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((rank, index) => rank !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** An issue that holds the current limit says so, even if another limit is active at its turn. */
function toReason(
  fault: Fault,
  { hold, refused }: PlanState,
  first: Hold | null,
): Pick<Step, "reason" | "unlocks" | "cap"> {
  const holds = hold && ([first, hold].find((one) => one?.by.has(fault.id)) ?? null);
  const severity = isGrave(fault) ? ("severity" as const) : ("gain" as const);
  return {
    reason: refused.has(fault.id) ? "rejected" : holds ? "cap" : severity,
    unlocks: holds?.unlocks ?? null,
    cap: holds && { value: holds.limit.value, count: holds.by.size },
  };
}

/** Also for reports of earlier versions, whose steps have fewer fields. */
export function stepsOf({ findings, plan }: Pick<Judgment, "findings" | "plan">): Required<Step>[] {
  return plan.map((step: Partial<Step> & Pick<Step, "finding" | "composite">) => {
    const finding = findings.find(({ id, ownedBy }) => id === step.finding && ownedBy === null);
    const reason = finding && isGrave(finding) ? ("severity" as const) : ("gain" as const);
    return { gain: finding?.gain ?? 0, unlocks: null, reason, cap: null, cures: [], providers: [], ...step };
  });
}

/** The issues to fix, in the order of the plan. */
export function issuesOf({ findings, plan }: Pick<Judgment, "findings" | "plan">): JudgedFinding[] {
  const places = new Map(plan.map(({ finding }, index) => [finding, index]));
  const placeOf = ({ id }: JudgedFinding) => places.get(id) ?? places.size;
  const roots = withRoots(findings);
  return findings
    .filter((one, index) => (isAboveInfo(one) || places.has(one.id)) && roots[index]?.ownedBy === null)
    .sort((one, other) => placeOf(one) - placeOf(other));
}
