// Sends thousands of numbered messages over many connections while Assay is killed with -9 at random moments and
// restarted. At the end the API shows every acknowledged message exactly once, unchanged and analyzed. A message whose
// 250 never arrived may be there once or not at all.
// Usage: npm run script -- scripts/chaos/mail.ts [--kills 50]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { checkAll, Refused, type Sent, sendOn } from "./numbered-mail.ts";

const connections = 20;
const pause = { leastMs: 50, mostMs: 900 };
const analysisPatienceMs = 600_000;
const environment = { ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100", ASSAY_MIN_FREE_BYTES: "0" };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "50" } } });
  const kills = Number(values.kills);
  const dataDir = mkdtempSync(join(tmpdir(), "assay-kill-many-"));
  const sent: Sent = { acknowledged: new Set(), inDoubt: new Set() };
  const began = Date.now();
  for (let round = 1; round <= kills; round++) {
    const server = await startAssay({ dataDir, environment });
    await sendUntilKilled(server, round, sent);
    if (round % 10 === 0) console.log(`${round} kills: ${sent.acknowledged.size} messages acknowledged.`);
  }
  const server = await startAssay({ dataDir, environment });
  const token = makeToken({ command: builtProgram, dataDir, environment: {} });
  await untilAnalysed(server.http, analysisPatienceMs);
  await checkAll({ http: server.http, ...token }, server.seedAddress, sent);
  await server.end("SIGTERM");
  rmSync(dataDir, { recursive: true });
  console.log(`${kills} kills over ${connections} connections in ${Math.round((Date.now() - began) / 1_000)} s.`);
}

async function sendUntilKilled(server: AssayProcess, round: number, sent: Sent): Promise<void> {
  const senders = Array.from({ length: connections }, (_, connection) =>
    sendOn(server, `${round}-${connection}`, sent),
  );
  // Each ends when its connection breaks.
  const ended = Promise.allSettled(senders);
  await sleep(pause.leastMs + Math.random() * (pause.mostMs - pause.leastMs));
  await server.end("SIGKILL");
  for (const outcome of await ended)
    if (outcome.status === "rejected" && outcome.reason instanceof Refused) throw outcome.reason;
}

await main();
