// An analyser that does what the first word of the message says: a freeze or a death on order.

import { Worker } from "node:worker_threads";

const script = `
  const { parentPort } = require("node:worker_threads");
  parentPort.postMessage("up");
  const dns = [];
  const analysis = { version: "0", startedAt: 0, durationMs: 0, dns };
  const authentication = { known: false, why: "not asked" };
  parentPort.on("message", ({ id, input }) => {
    const order = Buffer.from(input.raw).toString().split(" ")[0];
    if (order === "stall") for (;;);
    if (order === "die") process.exit(1);
    if (order === "wait") return;
    const outcome =
      order === "throw"
        ? { outcome: "failed", why: "as told" }
        : {
            outcome: "analysis",
            analysis: {
              recognised: { kind: "test" },
              message: { subject: order, from: null, messageId: null },
              report: { subject: order, from: null, authentication, analysis },
            },
          };
    parentPort.postMessage({ id, outcome });
  });
`;

export function spawnObedientAnalyser(): Worker {
  return new Worker(script, { eval: true });
}
