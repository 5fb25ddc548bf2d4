// An examination thread that does what the first word of the message says: a freeze or a death on order.

import { Worker } from "node:worker_threads";
import { phaseNames as names } from "../../../../src/analyzer/phase.ts";

const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  const names = workerData.names;
  const enter = (phase) => Atomics.store(new Int32Array(workerData.phase), 0, names.indexOf(phase));
  parentPort.postMessage("up");
  parentPort.on("message", ({ id, job }) => {
    const order = Buffer.from(job.message.bytes).toString().split(" ")[0];
    enter("examining");
    if (order === "stall") for (;;);
    if (order === "die") process.exit(1);
    enter("second-parsing");
    if (order === "freeze" && !job.frozen.includes("second-parsing")) for (;;);
    const answer = JSON.stringify({ order, frozen: job.frozen });
    const outcome = order === "throw" ? { outcome: "failed", why: "as told" } : { outcome: "answer", answer };
    setTimeout(() => parentPort.postMessage({ id, outcome }), order === "slow" ? 500 : 0);
  });
`;

export function spawnObedientExaminer(phase: SharedArrayBuffer): Worker {
  return new Worker(script, { eval: true, workerData: { phase, names } });
}
