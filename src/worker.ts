// Entry point of the analysis threads.

import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "./errors.ts";
import { type AnalysisContextOptions, createAnalysisContext } from "./tasks/analysis/context.ts";
import type { ThreadReply, ThreadRequest } from "./tasks/analysis/job-thread.ts";
import { runJob } from "./tasks/analysis/jobs.ts";
import { createPhaseCell } from "./tasks/analysis/phase.ts";
import { createSweepContext, type SweepContext, type SweepOptions } from "./tasks/analysis/sweep-context.ts";

type WorkerData = AnalysisContextOptions & {
  readonly phase: SharedArrayBuffer;
  readonly sweep: SweepOptions;
};

function listen(port: NonNullable<typeof parentPort>, { phase, sweep, ...options }: WorkerData): void {
  const { enter } = createPhaseCell(phase);
  const analyst = { ...createAnalysisContext(options, () => Date.now()), enter };
  let sweeper: SweepContext | undefined;
  const toSweepAnalyst = () => {
    sweeper ??= createSweepContext(sweep, () => Date.now());
    return sweeper;
  };
  yieldToMainThread();
  const reply = (message: ThreadReply) => port.postMessage(message);
  reply("up");
  port.on("message", ({ id, job }: ThreadRequest) => {
    runJob(job, analyst, toSweepAnalyst).then(
      (answer) => reply({ id, outcome: { outcome: "answer", answer } }),
      (error: unknown) => reply({ id, outcome: { outcome: "failed", why: messageOf(error) } }),
    );
  });
}

/** Incoming mail and page requests need the main thread; nothing urgent needs this one. */
function yieldToMainThread(): void {
  // On Linux priority is per thread; elsewhere it would affect the whole process.
  if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}

if (parentPort) listen(parentPort, workerData);
