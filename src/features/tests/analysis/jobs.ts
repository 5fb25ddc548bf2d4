// The jobs of the analysis threads, and their answers.

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
import {
  type DomainChange,
  type ImaginedDomain,
  type ImaginedMessage,
  imagineMessage,
  imagineWithDomain,
  type MessageChange,
} from "../../what-if/work/imagine-stored.ts";
import { analyzeStored, type Finding, type StoredMessage } from "./analyze-stored.ts";
import { type ExaminationJob, examineStored } from "./examinations.ts";
import {
  type EmlView,
  type KeptBytes,
  type PartContent,
  type Pictures,
  viewEml,
  viewPart,
  viewPreview,
} from "./view-message.ts";

export type AnalyzeJob = { readonly kind: "analyze"; readonly message: StoredMessage };
export type ViewJob =
  | { readonly kind: "eml"; readonly message: KeptBytes }
  | { readonly kind: "preview"; readonly message: KeptBytes; readonly pictures: Pictures }
  | { readonly kind: "part"; readonly message: KeptBytes; readonly part: string };
type CompareJob =
  | { readonly kind: "compare"; readonly before: StoredSide; readonly after: StoredSide }
  | {
      readonly kind: "history";
      readonly test: StoredTest;
      readonly reports: readonly { readonly createdAt: number; readonly report: string }[];
    };
type SplitJob = { readonly kind: "split"; readonly before: RecordedTest; readonly after: RecordedTest };
type ImagineJob =
  | { readonly kind: "imagine"; readonly message: ImaginedMessage }
  | { readonly kind: "imagine-domain"; readonly domain: ImaginedDomain };
export type Job = AnalyzeJob | ViewJob | CompareJob | SplitJob | ImagineJob | DomainJob | ExaminationJob;

type Answers = {
  readonly analyze: Finding;
  readonly eml: EmlView;
  readonly preview: string;
  readonly part: PartContent | null;
  readonly compare: Comparison | null;
  readonly history: ReportSummary[];
  readonly split: ScoreSplit | null;
  readonly imagine: MessageChange | null;
  readonly "imagine-domain": DomainChange;
  readonly domain: DomainFinding;
  readonly examine: string | null;
};
export type AnswerTo<J extends Job> = Answers[J["kind"]];

/** `toSweepAnalyst` is called for each domain check. */
export async function runJob(
  job: Job,
  analyst: AnalysisContext,
  toSweepAnalyst: () => SweepContext,
): Promise<Answers[Job["kind"]]> {
  if (job.kind !== "analyze") analyst.enter(phaseOf(job));
  switch (job.kind) {
    case "analyze":
      return await analyzeStored(job.message, analyst);
    case "eml":
      return viewEml(job.message);
    case "preview":
      return viewPreview(job.message, job);
    case "part":
      return viewPart(job.message, job.part);
    case "compare":
      return compareStored(job.before, job.after);
    case "history":
      return summarizeReports(job.test, job.reports);
    case "split":
      return await splitChange(job.before, job.after, analyst);
    case "imagine":
      return await imagineMessage(job.message, analyst);
    case "imagine-domain":
      return await imagineWithDomain(job.domain, analyst);
    case "domain":
      return await watchDomain(job, toSweepAnalyst());
    case "examine":
      return await examineStored(job, analyst);
  }
}

function phaseOf({ kind }: Job): Phase {
  if (kind === "examine") return "examining";
  return kind === "domain" ? "checking" : "viewing";
}
