// The analysis thread's entry.

import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "./errors.ts";
import { createDns, type DnsOptions } from "./system/dns-client.ts";
import type { ThreadReply, ThreadRequest } from "./tasks/analysis-thread.ts";
import { analyzeStored } from "./tasks/analyze-stored.ts";

/** The thread asks DNS by itself, so that a question costs no hop to the main thread. */
function listen(port: NonNullable<typeof parentPort>, dnsOptions: Omit<DnsOptions, "now">): void {
  const now = () => Date.now();
  const dns = createDns({ ...dnsOptions, now });
  yieldToMainThread();
  const reply = (message: ThreadReply) => port.postMessage(message);
  reply("up");
  port.on("message", ({ id, input }: ThreadRequest) => {
    analyzeStored(input, { dns, now }).then(
      (finding) => reply({ id, outcome: { outcome: "finding", finding } }),
      (error: unknown) =>
        reply({
          id,
          outcome: { outcome: "failed", why: messageOf(error) },
        }),
    );
  });
}

/** Whoever sends mail or asks for a page waits for the main thread; nobody waits for this one. */
function yieldToMainThread(): void {
  // On Linux a priority is a thread's own; elsewhere it would be that of the whole process.
  if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}

if (parentPort) listen(parentPort, workerData);
