// What a fix cures, and how the score rises with it: "Fixes SPF, DMARC, and the rejection at 4 providers. 49 → 61."

import { toWholeScore } from "../../../analyzer/reports/grade-words.ts";
import { toActor } from "../../../analyzer/words/gate-words.ts";
import { toList } from "../../../analyzer/words/plain-words.ts";

type CureStep = {
  readonly finding: string;
  /** After this step and all earlier ones. */
  readonly composite: number | null;
  /** The other findings that end with it. Missing in older reports, as are the providers. */
  readonly cures?: readonly string[];
  /** Those that reject the message no longer. */
  readonly providers?: readonly string[];
};

type Cured = { readonly id: string; readonly severity: string };

/** By the beginning of a finding's ID. */
const topics: readonly (readonly [start: string, topic: string])[] = [
  ["spf-", "SPF"],
  ["dkim-", "DKIM"],
  ["dmarc-", "DMARC"],
  ["ptr-", "reverse DNS"],
  ["fcrdns.", "reverse DNS"],
  ["helo-", "the HELO name"],
];

/** Null if it cures nothing besides its own issue. */
export function toCures(step: CureStep, findings: readonly Cured[]): string | null {
  const { finding, cures = [], providers = [] } = step;
  if (cures.length + providers.length === 0) return null;
  const isGrave = (id: string) =>
    findings.some((one) => one.id === id && (one.severity === "critical" || one.severity === "major"));
  const topicOf = (id: string) => topics.find(([start]) => id.startsWith(start))?.[1];
  const named = new Set([finding, ...cures].filter(isGrave).flatMap((id) => topicOf(id) ?? []));
  const others = cures.filter((id) => !isGrave(id) || topicOf(id) === undefined).length;
  const things = [
    ...named,
    ...(others === 0 ? [] : [others === 1 ? "1 more issue" : `${others} more issues`]),
    ...(providers.length === 0 ? [] : [`the rejection at ${toPlaces(providers)}`]),
  ];
  return `Fixes ${toList(things)}.`;
}

const mostNamed = 2;

function toPlaces(providers: readonly string[]): string {
  return providers.length > mostNamed ? `${providers.length} providers` : toList(providers.map(toActor));
}

/** The score now and after each step that changes it. Empty without a score. */
export function toStairs(plan: readonly CureStep[], composite: number | null): readonly number[] {
  if (composite === null) return [];
  const scores = [composite, ...plan.flatMap((step) => step.composite ?? [])].map(Math.floor);
  return scores.filter((score, index) => score !== scores[index - 1]);
}

/** "49 → 61 → 86 → 98". Empty if no step changes the score. */
export function toStairWords(plan: readonly CureStep[], composite: number | null): string {
  const stairs = toStairs(plan, composite);
  return stairs.length > 1 ? stairs.join(" → ") : "";
}

/** "49 → 61", or "49 → 61 with the next fix" if it takes both. Null if the score never rises. */
export function toRise(plan: readonly CureStep[], finding: string, composite: number | null): string | null {
  const at = plan.findIndex((step) => step.finding === finding);
  const before = plan[at - 1]?.composite ?? composite;
  if (at < 0 || before === null) return null;
  const rising = plan.findIndex((step, index) => index >= at && Math.floor(step.composite ?? 0) > Math.floor(before));
  const after = plan[rising]?.composite ?? null;
  if (after === null) return null;
  const stair = `${toWholeScore(before)} → ${toWholeScore(after)}`;
  const more = rising - at;
  return more === 0 ? stair : `${stair} with the next ${more === 1 ? "fix" : `${more} fixes`}`;
}

type Planned = {
  readonly composite: number | null;
  readonly plan: readonly CureStep[] | null;
  readonly findings: readonly Cured[] | null;
};

/** Both in one line: "Fixes SPF and DMARC: 49 → 61." Null if there is nothing to say. */
export function toCureLine({ composite, plan, findings }: Planned, finding: string): string | null {
  const step = plan?.find((one) => one.finding === finding);
  if (!step) return null;
  const cures = toCures(step, findings ?? [])?.slice(0, -1);
  const rise = toRise(plan ?? [], finding, composite);
  if (rise === null) return cures === undefined ? null : `${cures}.`;
  return `${cures ?? "Score"}: ${rise}.`;
}
