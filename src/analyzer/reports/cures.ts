// What each step of the plan changes. A step with records to publish is tried: the message is judged again with these
// records, as a preview does, so that both give the same score. All other steps are computed from points.

import type { FindingId } from "../checks/check.ts";
import { bySeverity } from "../checks/run.ts";
import { raiseOwners } from "./causes.ts";
import type { ProposedRecord } from "./fix-records.ts";
import { toTenths } from "./grade-words.ts";
import type { JudgedFinding, Judgment } from "./judgment.ts";
import { pointsIn, type Step, toEnded } from "./plan.ts";
import type { Scorer } from "./score.ts";

type Publish = (records: readonly ProposedRecord[]) => Promise<Scorer>;

type Trials = {
  /** For the message without any change. */
  readonly scorer: Scorer;
  /** Null if nothing can be tried. The records then fix the issues that propose them. */
  readonly publish: Publish | null;
};

/** One for the first step, and two for each other. Few messages have more than two such steps. */
const mostTrials = 7;

/** One issue for one change: what a step ends belongs to its issue. */
export async function withCures(judgment: Judgment, trials: Trials): Promise<Judgment> {
  const plan = await tryPlan(judgment, trials);
  return { ...judgment, plan, findings: withSteps(judgment.findings, plan) };
}

async function tryPlan({ findings, plan }: Judgment, trials: Trials): Promise<readonly Step[]> {
  const proposing = findings.filter(({ ownedBy, records = [] }) => ownedBy === null && records.length > 0);
  const records = new Map(proposing.map(({ id, records = [] }) => [id, records]));
  if (!plan.some(({ finding }) => records.has(finding))) return plan;
  const { scorer } = trials;
  const fixed = new Set<FindingId>();
  const cured = new Set<FindingId>();
  const steps: Step[] = [];
  const trial = createTrial(scorer, trials.publish ?? publishByPoints(scorer, proposing));
  for (const step of [...plan, ...unplanned(scorer, plan)]) {
    if (cured.has(step.finding)) continue;
    const before = trial.now().left(fixed);
    const gain = await trial.gain(records.get(step.finding) ?? []);
    if (gain === null) fixed.add(step.finding);
    const now = trial.now();
    const ended = toEnded(step.finding, { scorer, before, after: now.left(fixed) });
    for (const id of ended.cures) cured.add(id);
    const score = { gain: gain ?? step.gain, composite: now.without(fixed).composite };
    steps.push({ ...step, ...(step.composite !== null && score), ...ended });
  }
  return withUnlocked(steps);
}

function publishByPoints(scorer: Scorer, findings: readonly JudgedFinding[]): Publish {
  const keyOf = ({ name, type, value }: ProposedRecord) => `${name} ${type} ${value}`;
  return async (records) => {
    const published = new Set(records.map(keyOf));
    const isFixed = ({ records = [] }: JudgedFinding) => records.every((one) => published.has(keyOf(one)));
    const fixed = new Set(findings.filter(isFixed).map(({ id }) => id));
    const { without, left } = scorer;
    return {
      ...scorer,
      now: without(fixed),
      without: (more) => without(fixed.union(more)),
      left: (more) => left(fixed.union(more)),
    };
  };
}

function createTrial(scorer: Scorer, publish: Publish) {
  const published: ProposedRecord[] = [];
  let trialsLeft = mostTrials;
  let now = scorer;
  return {
    /** With all records published so far. */
    now: () => now,
    /** What these records add alone. Null if they can't be tried. */
    gain: async (records: readonly ProposedRecord[]): Promise<number | null> => {
      if (records.length === 0 || trialsLeft < 2) return null;
      const alone = await publish(records);
      now = published.length === 0 ? alone : await publish([...published, ...records]);
      trialsLeft -= published.length === 0 ? 1 : 2;
      published.push(...records);
      return toTenths(pointsIn(alone.now) - pointsIn(scorer.now));
    },
  };
}

/** By points another step ended these. They are steps themselves if it turns out that it doesn't. */
function unplanned({ faults, now, without }: Scorer, plan: readonly Step[]): Step[] {
  const planned = new Set(plan.map(({ finding }) => finding));
  return faults
    .filter(({ id }) => !planned.has(id))
    .map(({ id }) => ({
      finding: id,
      composite: now.composite,
      gain: now.composite === null ? 0 : toTenths(pointsIn(without(new Set([id]))) - pointsIn(now)),
      unlocks: null,
      reason: "gain",
      cap: null,
    }));
}

/** The issues that hold one limit together, with the score after the last of them. */
function withUnlocked(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    const { cap, unlocks } = step;
    if (cap === null) return step;
    const together = steps.filter((other) => other.cap?.value === cap.value && other.unlocks === unlocks);
    return { ...step, unlocks: together.at(-1)?.composite ?? unlocks, cap: { ...cap, count: together.length } };
  });
}

function withSteps(findings: readonly JudgedFinding[], plan: readonly Step[]): JudgedFinding[] {
  const gains = new Map(plan.map(({ finding, gain }) => [finding, gain]));
  const owners = new Map(plan.flatMap(({ finding, cures = [] }) => cures.map((id) => [id, finding] as const)));
  const owned = findings.map((one) => {
    const ownedBy = gains.has(one.id) ? one.ownedBy : (owners.get(one.id) ?? one.ownedBy);
    return { ...one, ownedBy, gain: ownedBy === null ? (gains.get(one.id) ?? 0) : 0 };
  });
  return [...raiseOwners(owned)].sort(bySeverity);
}
