// Entry point of the analysis threads, and the list of who does their jobs.

import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createPhaseCell } from "../../../analyzer/phase.ts";
import { messageOf } from "../../../platform/errors.ts";
import { createSweepContext, type SweepContext, type SweepOptions } from "../../domains/work/sweep-context.ts";
import { whatIfWorkers } from "../../what-if/work/imagine-stored.ts";
import { type AnalysisContextOptions, createAnalysisContext } from "./context.ts";
import type { ThreadReply, ThreadRequest } from "./job-thread.ts";
import { type Jobs, ownWorkers, runJob, type Workers } from "./jobs.ts";

export const workers: Workers<keyof Jobs> = {
  ...ownWorkers,
  // What optional features ask for.
  ...whatIfWorkers,
};

type WorkerData = AnalysisContextOptions & {
  readonly phase: SharedArrayBuffer;
  readonly sweep: SweepOptions;
  /** No one is waiting for its work, so it only gets the time that the other threads leave. */
  readonly isBackground?: boolean;
};

function listen(port: NonNullable<typeof parentPort>, { phase, sweep, isBackground, ...options }: WorkerData): void {
  const { enter } = createPhaseCell(phase);
  const analyst = { ...createAnalysisContext(options, () => Date.now()), enter };
  let sweeper: SweepContext | undefined;
  const toSweepAnalyst = () => {
    sweeper ??= createSweepContext(sweep, () => Date.now());
    return sweeper;
  };
  yieldToOthers(isBackground === true);
  const reply = (message: ThreadReply) => port.postMessage(message);
  reply("up");
  port.on("message", ({ id, job }: ThreadRequest) => {
    runJob(job, workers, { analyst, toSweepAnalyst }).then(
      (answer) => reply({ id, outcome: { outcome: "answer", answer } }),
      (error: unknown) => reply({ id, outcome: { outcome: "failed", why: messageOf(error) } }),
    );
  });
}

/** Incoming mail and page requests need the main thread; nothing urgent needs this one. */
function yieldToOthers(isBackground: boolean): void {
  // On Linux priority is per thread; elsewhere it would affect the whole process.
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  const priority = isBackground ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL;
  if (process.platform === "linux") setPriority(0, priority);
}

if (parentPort) listen(parentPort, workerData);
