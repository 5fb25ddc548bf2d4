// What a thread does, without one.

import type { AnalysisContext } from "../../../../src/analyzer/world.ts";
import type { SweepContext } from "../../../../src/features/domains/work/sweep-context.ts";
import type { JobOutcome, JobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import { type AnswerTo, type Job, runJob } from "../../../../src/features/tests/analysis/jobs.ts";
import { workers } from "../../../../src/features/tests/analysis/worker.ts";
import { messageOf } from "../../../../src/platform/errors.ts";

export function createInProcessThread(
  analyst: AnalysisContext,
  toSweepAnalyst: () => SweepContext = refuse,
): JobThread {
  return {
    warmUp: async () => {},
    run: async <J extends Job>(job: J) => {
      const outcome: JobOutcome = await runJob(job, workers, { analyst, toSweepAnalyst }).then(
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
