// The analysis thread's entry.

import { parentPort, workerData } from "node:worker_threads";
import { createDns } from "./system/dns-client.ts";
import type { ThreadReply, ThreadRequest } from "./tasks/analysis-thread.ts";
import { analyzeMessage } from "./tasks/analyze-message.ts";

/** What the thread is given at its start: enough to ask DNS by itself, so that a question costs no hop to the main thread. */
export type WorkerSettings = Parameters<typeof createDns>[0];

function listen(port: NonNullable<typeof parentPort>, settings: Omit<WorkerSettings, "now">): void {
  const now = () => Date.now();
  const dns = createDns({ ...settings, now });
  const reply = (message: ThreadReply) => port.postMessage(message);
  port.on("message", ({ id, input }: ThreadRequest) => {
    analyzeMessage(input, { dns, now }).then(
      (report) => reply({ id, outcome: { outcome: "report", report } }),
      (error: unknown) => reply({ id, outcome: { outcome: "failed", why: error instanceof Error ? error.message : String(error) } }),
    );
  });
}

if (parentPort) listen(parentPort, workerData);
