// Runs before each file of tests: threads of the program start from this run's bundles. From source a thread needs a
// quarter of a second of CPU time to start, from a bundle 30 ms, and a store that is searched or exported starts one or two.

import { syncBuiltinESMExports } from "node:module";
import workerThreads, { type WorkerOptions } from "node:worker_threads";
import { inject, onTestFinished } from "vitest";

const bundles = inject("threadBundles");

class BundledWorker extends workerThreads.Worker {
  static readonly isBundled = true;

  constructor(file: string | URL, options?: WorkerOptions) {
    super((typeof file === "string" ? bundles[file] : undefined) ?? file, options);
  }
}

// All files of a worker share the module that this changes.
if (!("isBundled" in workerThreads.Worker)) replaceWorker(BundledWorker);

/** Until the test ends, threads start from source. */
export function startThreadsFromSource(): void {
  const bundled = workerThreads.Worker;
  replaceWorker(Object.getPrototypeOf(bundled) as typeof bundled);
  onTestFinished(() => replaceWorker(bundled));
}

function replaceWorker(worker: typeof workerThreads.Worker): void {
  workerThreads.Worker = worker;
  syncBuiltinESMExports();
}
