// The jobs of the analysis threads, and their answers.

import { recognise } from "../../../analyzer/mail/bounces/classify.ts";
import type { Phase } from "../../../analyzer/phase.ts";
import type { Comparison } from "../../../analyzer/reports/compare.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import {
  compareStored,
  type ReportSummary,
  type StoredSide,
  type StoredTest,
  summarizeReports,
} from "../../compare/work/compare-stored.ts";
import { type RecordedTest, type ScoreSplit, splitChange } from "../../compare/work/split-change.ts";
import type { SweepContext } from "../../domains/work/sweep-context.ts";
import { type DomainFinding, type DomainJob, watchDomain } from "../../domains/work/watch-domain.ts";
import { type NotATest, toNotATest } from "../words/upload-words.ts";
import { analyzeStored, type Finding, type StoredMessage } from "./analyze-stored.ts";
import { type ExaminationJob, examineStored } from "./examinations.ts";
import {
  type EmlView,
  type KeptBytes,
  type PartContent,
  type PreviewOptions,
  type Still,
  type StillOptions,
  viewEml,
  viewPart,
  viewPreview,
  viewStill,
} from "./view-message.ts";

export type AnalyzeJob = { readonly kind: "analyze"; readonly message: StoredMessage };
export type ViewJob =
  | { readonly kind: "eml"; readonly message: KeptBytes }
  | ({ readonly kind: "preview"; readonly message: KeptBytes } & PreviewOptions)
  | ({ readonly kind: "still"; readonly message: KeptBytes } & StillOptions)
  | { readonly kind: "part"; readonly message: KeptBytes; readonly part: string };
type CompareJob =
  | { readonly kind: "compare"; readonly before: StoredSide; readonly after: StoredSide }
  | {
      readonly kind: "history";
      readonly test: StoredTest;
      readonly reports: readonly { readonly createdAt: number; readonly report: string }[];
    };
type RecogniseJob = { readonly kind: "recognise"; readonly raw: Uint8Array; readonly mailFrom: string | null };
type SplitJob = { readonly kind: "split"; readonly before: RecordedTest; readonly after: RecordedTest };
/** What a job asks, and its answer. A feature adds its own, and names what does it in worker.ts. */
export interface Jobs {
  analyze: { asks: AnalyzeJob; answers: Finding };
  eml: { asks: Extract<ViewJob, { kind: "eml" }>; answers: EmlView };
  preview: { asks: Extract<ViewJob, { kind: "preview" }>; answers: string };
  still: { asks: Extract<ViewJob, { kind: "still" }>; answers: Still };
  part: { asks: Extract<ViewJob, { kind: "part" }>; answers: PartContent | null };
  compare: { asks: Extract<CompareJob, { kind: "compare" }>; answers: Comparison | null };
  history: { asks: Extract<CompareJob, { kind: "history" }>; answers: ReportSummary[] };
  recognise: { asks: RecogniseJob; answers: NotATest | null };
  split: { asks: SplitJob; answers: ScoreSplit | null };
  domain: { asks: DomainJob; answers: DomainFinding };
  examine: { asks: ExaminationJob; answers: string | null };
}

type JobKind = keyof Jobs;
export type Job = Jobs[JobKind]["asks"];
export type AnswerTo<J extends Job> = Jobs[J["kind"]]["answers"];

type JobContext = {
  readonly analyst: AnalysisContext;
  /** Called for each domain check. */
  readonly toSweepAnalyst: () => SweepContext;
};

export type Workers<K extends JobKind> = {
  readonly [Kind in K]: (
    job: Jobs[Kind]["asks"],
    context: JobContext,
  ) => Jobs[Kind]["answers"] | Promise<Jobs[Kind]["answers"]>;
};

export const ownWorkers: Workers<
  | "analyze"
  | "eml"
  | "preview"
  | "still"
  | "part"
  | "compare"
  | "history"
  | "recognise"
  | "split"
  | "domain"
  | "examine"
> = {
  analyze: ({ message }, { analyst }) => analyzeStored(message, analyst),
  eml: ({ message }) => viewEml(message),
  preview: (job) => viewPreview(job.message, job),
  still: (job) => viewStill(job.message, job),
  part: ({ message, part }) => viewPart(message, part),
  compare: ({ before, after }) => compareStored(before, after),
  history: ({ test, reports }) => summarizeReports(test, reports),
  recognise: ({ raw, mailFrom }) => toNotATest(recognise(raw, { mailFrom, rcptTo: [] })),
  split: ({ before, after }, { analyst }) => splitChange(before, after, analyst),
  domain: (job, { toSweepAnalyst }) => watchDomain(job, toSweepAnalyst()),
  examine: (job, { analyst }) => examineStored(job, analyst),
};

export async function runJob<J extends Job>(
  job: J,
  workers: Workers<JobKind>,
  context: JobContext,
): Promise<AnswerTo<J>> {
  if (job.kind !== "analyze") context.analyst.enter(phaseOf(job));
  const work = workers[job.kind] as (job: J, context: JobContext) => AnswerTo<J> | Promise<AnswerTo<J>>;
  return await work(job, context);
}

function phaseOf({ kind }: Job): Phase {
  if (kind === "examine") return "examining";
  return kind === "domain" ? "checking" : "viewing";
}
