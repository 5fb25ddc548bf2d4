// Kills Assay with -9 again and again while it writes messages to a real S3 store (OpenStack Swift), until a thousand
// writes were interrupted: some before the object was written, some between object and row, some before the reply. At the
// end every acknowledged message has its row and its object, byte for byte, and after a sweep there is no object without
// a row.
// Usage: npm run script -- scripts/objects-prove.ts [--writes 1000] [-- --place directory]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { untilAnalysed } from "./backlog.ts";
import { checkAll, Refused, type Sent, sendOn } from "./durability/numbered-mail.ts";
import { makeToken, runAssay } from "./first-message.ts";
import { hasSwift, startSwift } from "./scale/swift.ts";

const connections = 20;
const pause = { leastMs: 50, mostMs: 2_500 };
/** Fewer than the ten after which a message that is always in progress is taken for the killer. */
const killsInARow = 6;
const analysisPatienceMs = 600_000;

type Environment = Readonly<Record<string, string>>;

async function main(writes: number, place: Environment): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-objects-"));
  const environment = {
    ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100",
    ASSAY_MIN_FREE_BYTES: "0",
    ASSAY_LOG_LEVEL: "info",
    ...place,
  };
  const sent: Sent = { acknowledged: new Set(), inDoubt: new Set() };
  const began = Date.now();
  let kills = 0;
  for (; sent.inDoubt.size < writes; kills++) {
    const server = await startAssay({ dataDir, environment });
    await sendUntilKilled(server, kills, sent);
    if (kills % killsInARow === killsInARow - 1) await letItAnalyze(dataDir, environment);
    if (kills % 10 === 9)
      console.log(
        `${kills + 1} kills: ${sent.acknowledged.size} messages acknowledged, ${sent.inDoubt.size} writes interrupted.`,
      );
  }
  const server = await startAssay({ dataDir, environment });
  const program = { command: builtProgram, dataDir, environment };
  await untilAnalysed(server.http, analysisPatienceMs);
  const doubtful = await checkAll({ http: server.http, ...makeToken(program) }, server.seedAddress, sent);
  const rows = sent.acknowledged.size + doubtful;
  const sweep = () =>
    JSON.parse(runAssay(program, "messages", "sweep", "--older-than-minutes", "0", "--json")) as {
      objects: number;
      removed: number;
    };
  const first = sweep();
  console.log(`${first.objects} objects for ${rows} rows. The sweep removed ${first.removed} without a row.`);
  if (first.objects - first.removed !== rows) throw new Error("Objects and rows differ after the sweep.");
  if (first.removed === 0) throw new Error("No kill fell between an object and its row, so nothing was proven.");
  const second = sweep();
  if (second.objects !== rows || second.removed !== 0) throw new Error(`After it: ${JSON.stringify(second)}.`);
  const checked = JSON.parse(runAssay(program, "messages", "check", "--json")) as {
    messages: number;
    missing: string[];
  };
  if (checked.messages !== rows || checked.missing.length > 0)
    throw new Error(`${checked.messages} messages were checked, ${checked.missing.length} are missing.`);
  await server.end("SIGTERM");
  rmSync(dataDir, { recursive: true });
  console.log(
    `${kills} kills interrupted ${sent.inDoubt.size} writes in ${Math.round((Date.now() - began) / 1_000)} s: none lost, none orphaned after the sweep.`,
  );
}

async function letItAnalyze(dataDir: string, environment: Environment): Promise<void> {
  const server = await startAssay({ dataDir, environment });
  await untilAnalysed(server.http, analysisPatienceMs);
  await server.end("SIGTERM");
}

async function sendUntilKilled(server: AssayProcess, round: number, sent: Sent): Promise<void> {
  const senders = Array.from({ length: connections }, (_, connection) =>
    sendOn(server, `${round}-${connection}`, sent),
  );
  const ended = Promise.allSettled(senders);
  await sleep(pause.leastMs + Math.random() * (pause.mostMs - pause.leastMs));
  await server.end("SIGKILL");
  for (const outcome of await ended)
    if (outcome.status === "rejected" && outcome.reason instanceof Refused) throw outcome.reason;
}

const { values } = parseArgs({
  options: { writes: { type: "string", default: "1000" }, place: { type: "string", default: "s3" } },
});
if (values.place === "directory") await main(Number(values.writes), { ASSAY_MESSAGES: "directory" });
else if (hasSwift()) {
  const swift = await startSwift();
  try {
    await main(Number(values.writes), swift.settings);
  } finally {
    await swift.stop();
  }
}
