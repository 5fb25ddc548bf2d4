// A person waits for what a thread does for them: its answer, or in plain words why there is none. A hostile message may
// stall or end the thread; nothing else happens then.

import { overloaded, Refusal } from "../../errors.ts";
import type { System } from "../../system/system.ts";
import type { JobOutcome } from "./job-thread.ts";

type Asked = { readonly testId: string; readonly log: System["log"] };

/** Who does it, and what it is called. */
type Work = { readonly by: "reader" | "analyser"; readonly name: "reading" | "analysis" };

export const reading: Work = { by: "reader", name: "reading" };
export const analysing: Work = { by: "analyser", name: "analysis" };

export function answerOf<Answer>(outcome: JobOutcome<Answer>, work: Work, { testId, log }: Asked): Answer {
  switch (outcome.outcome) {
    case "answer":
      return outcome.answer;
    case "failed":
      throw new Error(`The ${work.name} of ${testId} failed: ${outcome.why}`);
    case "stalled":
      log.warn(`a message stalled the ${work.by}`, { test: testId });
      throw new Refusal("overloaded", `This message stalled the ${work.by}.`);
    default:
      throw overloaded(`The ${work.name} was interrupted`);
  }
}
