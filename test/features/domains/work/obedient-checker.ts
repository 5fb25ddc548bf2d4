// A thread that checks domains as their names order: one that begins with `die` ends the thread, `stall` freezes it.

import { Worker } from "node:worker_threads";

const script = `
  const { parentPort } = require("node:worker_threads");
  parentPort.postMessage("up");
  parentPort.on("message", ({ id, job }) => {
    if (job.input.domain.startsWith("die")) process.exit(1);
    if (job.input.domain.startsWith("stall")) for (;;);
    const answer = {
      checkedAt: 1, report: Buffer.from("report"), score: 50, marks: [], found: [], watch: "{}",
      certificates: null,
      kept: { gist: "gist", reportedAt: 1 },
      unstable: false, notice: null, confirmAt: null, broken: [],
      words: { spf: "pass", dkim: "pass", dmarc: "pass", bimi: "pass" },
    };
    setTimeout(() => parentPort.postMessage({ id, outcome: { outcome: "answer", answer } }), 20);
  });
`;

export function spawnObedientChecker(): Worker {
  return new Worker(script, { eval: true });
}
