// Reads a comparison and sums it up in one line: how the score differs, and what may be the cause.

import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { toList, toScore } from "../../../web/client/words.ts";
import type { compareTests, splitScoreChange } from "../contract.ts";

export type Comparison = AnswerOf<typeof compareTests>;
export type Cause = Comparison["causes"][number];
export type ComparedFinding = Comparison["findings"]["gone"][number];

/** Names of the two sides, for columns and lines. */
export type SideNames = { readonly before: string; readonly after: string };
export const namesOfTests: SideNames = { before: "Other test", after: "This test" };
export const namesOfReports: SideNames = { before: "Before", after: "Now" };

export type ComparisonQuery = {
  readonly id: string;
  readonly other: string;
  /** When the other report was made. Null means the newest. */
  readonly report: string | null;
};

export function askComparison({ id, other, report }: ComparisonQuery, signal?: AbortSignal): Promise<Comparison> {
  return call("GET /api/tests/:id/compare/:other", {
    params: { id, other },
    query: { report: report ?? undefined },
    signal,
  });
}

export type ScoreSplit = AnswerOf<typeof splitScoreChange>;

export function askScoreSplit({ id, other, report }: ComparisonQuery, signal: AbortSignal): Promise<ScoreSplit> {
  return call("GET /api/tests/:id/compare/:other/causes", {
    params: { id, other },
    query: { report: report ?? undefined },
    signal,
  });
}

export function addressOfComparison({ id, other, report }: ComparisonQuery): string {
  const path = `/tests/${id}/compare/${other}`;
  return report === null ? path : `${path}?report=${encodeURIComponent(report)}`;
}

export const causeWords: Readonly<
  Record<
    Cause,
    {
      readonly title: string;
      /** Within a sentence. */
      readonly name: string;
      readonly lead: string;
      readonly plural: boolean;
    }
  >
> = {
  mail: { title: "Message", name: "the message", lead: "Content and headers.", plural: false },
  infrastructure: {
    title: "Delivery",
    name: "the delivery",
    lead: "Sending server, its reverse DNS and HELO name, TLS, and return path.",
    plural: false,
  },
  dns: {
    title: "DNS",
    name: "DNS",
    lead: "Only records that both reports looked up. Order and TTL are ignored.",
    plural: false,
  },
  circumstances: {
    title: "Test conditions",
    name: "the test conditions",
    lead: "Label, type and volume settings, blocklists, spam filters, and skipped lookups.",
    plural: true,
  },
  rules: {
    title: "Assay’s rules",
    name: "Assay’s rules",
    lead: "Changes in how Assay evaluates the same data.",
    plural: true,
  },
};

export const causesInOrder = Object.keys(causeWords) as readonly Cause[];

function toReason(causes: readonly Cause[]): string {
  if (causes.length === 0) return "no relevant differences";
  const names = causesInOrder.filter((cause) => causes.includes(cause)).map((cause) => causeWords[cause].name);
  const [only] = causes;
  if (causes.length === 1 && only)
    return `only ${causeWords[only].name} ${causeWords[only].plural ? "differ" : "differs"}`;
  return `${toList(names)} differ`;
}

/**
 * `isOneTest`: the comparison is of two reports of the same test. `split`: the points of each cause, null until they are
 * known. What differs isn't always the cause.
 */
export function toHeadline(
  { scores, causes }: Comparison,
  isOneTest: boolean,
  split: ScoreSplit["causes"] | null = null,
): string {
  const [{ before, after } = { before: null, after: null }] = scores;
  const standing = (isOneTest ? toChange : toStanding)(before, after);
  const [main] = split ?? [];
  if (main === undefined || causes.length === 1) return `${standing}: ${toReason(causes)}`;
  const mostly = split?.length === 1 ? "" : "mostly ";
  return `${standing}, ${mostly}because of ${causeWords[main.cause].name}`;
}

type ScoreValue = number | null;

function toChange(before: ScoreValue, after: ScoreValue): string {
  if (after === null) return before === null ? "No score" : "No score anymore";
  if (before === null) return `New score: ${toScore(after)}`;
  if (before === after) return `Score unchanged at ${toScore(after)}`;
  return `Score ${after > before ? "up" : "down"} ${toDistance(before, after)}`;
}

function toStanding(before: ScoreValue, after: ScoreValue): string {
  if (after === null) return before === null ? "Neither test has a score" : "This test has no score";
  if (before === null) return "The other test has no score";
  if (before === after) return `Both tests score ${toScore(after)}`;
  const way = after > before ? "higher" : "lower";
  return `This test scores ${toDistance(before, after)} ${way} than the other`;
}

function toDistance(before: number, after: number): string {
  const points = toScore(Math.abs(after - before));
  return `${points} ${points === "1" ? "point" : "points"}`;
}

/** Passed checks are left out, because the results above already cover them. */
export function withoutGood<F extends { readonly severity: string }>(findings: readonly F[]): readonly F[] {
  return findings.filter(({ severity }) => severity !== "good");
}
