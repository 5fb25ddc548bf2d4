// The analysis thread's entry.

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "./errors.ts";
import { createDns, type DnsOptions } from "./system/dns-client.ts";
import type { ThreadReply, ThreadRequest } from "./tasks/analysis-thread.ts";
import { analyzeMessage } from "./tasks/analyze-message.ts";

/** The thread asks DNS by itself, so that a question costs no hop to the main thread. */
function listen(port: NonNullable<typeof parentPort>, dnsOptions: Omit<DnsOptions, "now">): void {
  const now = () => Date.now();
  const dns = createDns({ ...dnsOptions, now });
  const reply = (message: ThreadReply) => port.postMessage(message);
  reply("up");
  port.on("message", ({ id, input }: ThreadRequest) => {
    analyzeMessage(input, { dns, now }).then(
      (analysis) => reply({ id, outcome: { outcome: "analysis", analysis } }),
      (error: unknown) =>
        reply({
          id,
          outcome: { outcome: "failed", why: messageOf(error) },
        }),
    );
  });
}

if (parentPort) listen(parentPort, workerData);
