// What a thread does, without one.

import { messageOf } from "../../../src/errors.ts";
import type { AnalysisContext } from "../../../src/tasks/analysis/context.ts";
import type { JobOutcome, JobThread } from "../../../src/tasks/analysis/job-thread.ts";
import { type AnswerTo, type Job, runJob } from "../../../src/tasks/analysis/jobs.ts";
import type { SweepContext } from "../../../src/tasks/analysis/sweep-context.ts";

export function createInProcessThread(
  analyst: AnalysisContext,
  toSweepAnalyst: () => SweepContext = refuse,
): JobThread {
  return {
    warmUp: async () => {},
    run: async <J extends Job>(job: J) => {
      const outcome: JobOutcome = await runJob(job, analyst, toSweepAnalyst).then(
        (answer) => ({ outcome: "answer", answer }),
        (error: unknown) => ({ outcome: "failed", why: messageOf(error) }),
      );
      return outcome as JobOutcome<AnswerTo<J>>;
    },
    close: async () => {},
  };
}

function refuse(): never {
  throw new Error("No domain is checked here.");
}
