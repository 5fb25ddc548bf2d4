// What a thread does, without one.

import { messageOf } from "../../src/errors.ts";
import type { Analyst } from "../../src/tasks/analyst.ts";
import type { JobOutcome, JobThread } from "../../src/tasks/job-thread.ts";
import { type AnswerTo, type Job, runJob } from "../../src/tasks/jobs.ts";

export function createInProcessThread(analyst: Analyst): JobThread {
  return {
    warmUp: async () => {},
    run: async <J extends Job>(job: J) => {
      const outcome: JobOutcome = await runJob(job, analyst).then(
        (answer) => ({ outcome: "answer", answer }),
        (error: unknown) => ({ outcome: "failed", why: messageOf(error) }),
      );
      return outcome as JobOutcome<AnswerTo<J>>;
    },
    close: async () => {},
  };
}
