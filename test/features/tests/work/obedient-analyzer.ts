// An analyser that does what the first word of the message says: a freeze or a death on order.

import { type ResourceLimits, Worker } from "node:worker_threads";

const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { zstdCompressSync } = require("node:zlib");
  parentPort.postMessage("up");
  parentPort.on("message", ({ id, job }) => {
    const phase = new Int32Array(workerData.phase);
    Atomics.store(phase, 0, 2); // reading
    Atomics.add(phase, 1, 1);
    const order = Buffer.from(job.message.bytes).toString().split(" ")[0];
    if (order === "stall") for (;;);
    const cell = new Int32Array(new SharedArrayBuffer(4));
    if (order === "starve") Atomics.wait(cell, 0, 0, 1_200); // without the processor, as on a busy machine
    if (order === "hang") Atomics.wait(cell, 0, 0);
    if (order === "die") process.exit(1);
    if (order === "hoard") for (const kept = []; ; ) kept.push(new Array(100_000).fill(id));
    if (order === "wait") return;
    const outcome =
      order === "throw"
        ? { outcome: "failed", why: "as told" }
        : {
            outcome: "answer",
            answer: {
              kind: "test",
              analysis: {
                subject: order, header_from: null, from_domain: null, message_id: null, spf: null, dkim: null, dmarc: null,
                composite: null, coverage: null, kind: null, body_key: null, attachments: null, malware: null, door: "smtp" as const,
                inbox_rate: null, spam_rate: null, promo_rate: null,
                report: zstdCompressSync("{}"),
                contribution: '{"kind":"test","score":null,"folders":{},"issues":{}}',
              },
              seenSenders: [],
              marks: [],
              broken: [],
              dns: { asked: 0, timeouts: 0, unanswered: 0 },
            },
          };
    setTimeout(() => parentPort.postMessage({ id, outcome }), order === "slow" ? 1_000 : 0);
  });
`;

export function spawnObedientAnalyser(phase: SharedArrayBuffer, resourceLimits: ResourceLimits = {}): Worker {
  return new Worker(script, { eval: true, workerData: { phase }, resourceLimits });
}
