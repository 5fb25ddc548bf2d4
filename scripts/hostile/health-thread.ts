// Polls /healthz and reports the slowest answer since the last report. It runs in a separate thread, because otherwise
// the sender's own work would count as the server's delay.

import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const pollMs = 10;
let longestMs = 0;

parentPort?.on("message", () => {
  parentPort?.postMessage(longestMs);
  longestMs = 0;
});

await ask();
for (;;) {
  const began = performance.now();
  await ask();
  longestMs = Math.max(longestMs, performance.now() - began);
  await sleep(pollMs);
}

async function ask(): Promise<void> {
  await (await fetch(`${workerData}/healthz`)).arrayBuffer();
}
