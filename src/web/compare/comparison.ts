// What differs between two reports, in one sentence: by how much, and what may be the reason.

import type { compareTests } from "../../api/comparison.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { toList, toScore } from "../client/words.ts";

export type Comparison = AnswerOf<typeof compareTests>;
export type Cause = Comparison["causes"][number];
export type ComparedFinding = Comparison["findings"]["gone"][number];

/** Of the two sides, for columns and lines. */
export type SideNames = { readonly before: string; readonly after: string };
export const namesOfTests: SideNames = { before: "Other test", after: "This test" };
export const namesOfReports: SideNames = { before: "Before", after: "Now" };

export type ComparisonQuery = {
  readonly id: string;
  readonly other: string;
  /** Of which time the other's report is; null: its newest. */
  readonly report: string | null;
};

export function askComparison(
  { id, other, report }: ComparisonQuery,
  signal?: AbortSignal,
): Promise<Comparison> {
  return call("GET /api/tests/:id/compare/:other", {
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
  Record<Cause, { readonly title: string; readonly lead: string; readonly plural: boolean }>
> = {
  mail: {
    title: "The message",
    lead: "What it says, and the headers that it came with.",
    plural: false,
  },
  infrastructure: {
    title: "The sending server",
    lead: "Which machine handed it over, and what it is called.",
    plural: false,
  },
  dns: {
    title: "DNS",
    lead: "Only what both asked. Order, age and how long an answer may be kept do not count.",
    plural: false,
  },
  circumstances: {
    title: "The circumstances",
    lead: "What people said of it, and which scanners and blocklists answered.",
    plural: true,
  },
  rules: { title: "Assay’s rules", lead: "What Assay itself judges otherwise.", plural: true },
};

export const causesInOrder = Object.keys(causeWords) as readonly Cause[];

function toReason(causes: readonly Cause[]): string {
  if (causes.length === 0) return "nothing that counts differs";
  const names = causesInOrder.filter((cause) => causes.includes(cause)).map(toName);
  const [only] = causes;
  if (causes.length === 1 && only)
    return `only ${toName(only)} ${causeWords[only].plural ? "differ" : "differs"}`;
  return `${toList(names)} differ`;
}

function toName(cause: Cause): string {
  const { title } = causeWords[cause];
  return title.replace(/^The /, "the ");
}

/** `isOneTest`: two reports of one test, and not two tests. */
export function toHeadline({ scores, causes }: Comparison, isOneTest: boolean): string {
  const [{ before, after } = { before: null, after: null }] = scores;
  return `${(isOneTest ? toChange : toStanding)(before, after)}: ${toReason(causes)}`;
}

type ScoreValue = number | null;

function toChange(before: ScoreValue, after: ScoreValue): string {
  if (after === null) return before === null ? "There is no score" : "There is no score any more";
  if (before === null) return "There is a score now";
  if (before === after) return `The score stays at ${toScore(after)}`;
  return `The score ${after > before ? "rose" : "fell"} by ${toDistance(before, after)}`;
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

/** What is in order is told by the verdicts. */
export function withoutGood<F extends { readonly severity: string }>(findings: readonly F[]): readonly F[] {
  return findings.filter(({ severity }) => severity !== "good");
}
