// Collects what differs, and the issues that follow from it.

import {
  type ComparedThing,
  type ComparisonOutcome,
  maxDifferences,
  type ReadingDifference,
  type SecondReaderIssue,
  type ThingCompared,
} from "../reports/second-reading.ts";
import { blameOf } from "../reports/second-reading-causes-table.ts";
import type { SecondReaderFinding } from "../reports/second-reading-issues-table.ts";
import { toExcerpts } from "./excerpt.ts";

type NotedDifference = ReadingDifference & {
  /** The issue, if the message is to blame for the difference. */
  readonly issue: SecondReaderFinding;
  readonly offsets: readonly number[];
};

type Noted = {
  readonly compared: readonly ThingCompared[];
  readonly differences: readonly ReadingDifference[];
  readonly issues: readonly SecondReaderIssue[];
};

export type DifferenceList = {
  readonly add: (difference: NotedDifference) => void;
  /** `issue` alone: nothing differs, but the second reader found something. */
  readonly raise: (issue: SecondReaderIssue) => void;
  readonly toNoted: (things: readonly ComparedThing[], notCompared: ReadonlyMap<ComparedThing, string>) => Noted;
};

/** Bounds the stored result. */
const maxIssues = 20;

export function collectDifferences(raw: Uint8Array): DifferenceList {
  const all: NotedDifference[] = [];
  const raised: SecondReaderIssue[] = [];
  return {
    add: (difference) => void all.push(difference),
    raise: (issue) => void raised.push(issue),
    toNoted: (things, notCompared) => ({
      compared: things.map((thing) => {
        const why = notCompared.get(thing) ?? null;
        const own = all.filter((one) => one.thing === thing);
        return { thing, outcome: why === null ? toOutcome(own) : "not-compared", why };
      }),
      differences: all.slice(0, maxDifferences).map(({ issue: _, offsets: __, ...shown }) => shown),
      issues: [...toIssues(raw, all), ...raised].slice(0, maxIssues),
    }),
  };
}

function toOutcome(differences: readonly ReadingDifference[]): ComparisonOutcome {
  if (differences.length === 0) return "agrees";
  const isOpen = differences.some(({ cause }) => /^(message|unknown)$/.test(blameOf(cause)));
  return isOpen ? "differs" : "explained";
}

/** One for each finding, because all of its differences have the same fix. */
function toIssues(raw: Uint8Array, all: readonly NotedDifference[]): SecondReaderIssue[] {
  const own = all.filter(({ cause }) => blameOf(cause) === "message");
  return [...Map.groupBy(own, ({ issue }) => issue)].map(([finding, list]) => ({
    finding,
    evidence: toEvidence(list),
    bytes: toExcerpts(
      raw,
      list.flatMap(({ offsets }) => offsets),
    ),
  }));
}

const mostNamed = 3;

function toEvidence(list: readonly NotedDifference[]): string {
  const named = list.slice(0, mostNamed).map(({ about, ours, theirs }) => {
    const readings = `Assay: ${ours}; second reader: ${theirs}`;
    return about === null ? readings : `${about} (${readings})`;
  });
  const more = list.length - named.length;
  return `${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
