// What a thread that reads messages can be asked, and what it answers.

import type { Analyst } from "./analyst.ts";
import { analyzeStored, type Finding, type StoredMessage } from "./analyze-stored.ts";

export type AnalyzeJob = { readonly kind: "analyze"; readonly message: StoredMessage };
export type Job = AnalyzeJob;

type Answers = { readonly analyze: Finding };
export type AnswerTo<J extends Job> = Answers[J["kind"]];

export async function runJob(job: Job, analyst: Analyst): Promise<Answers[Job["kind"]]> {
  return await analyzeStored(job.message, analyst);
}
