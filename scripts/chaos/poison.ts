// Messages that hang or crash the analyzer, each kind twice among a hundred good ones, and the whole program is killed
// while it works on them. Every good one is analyzed, the start succeeds, and the bad ones end as failed with a reason.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import { kill, stop } from "./kills.ts";
import { listAll, readOne } from "./read-tests.ts";
import type { Scene, Stage } from "./scene.ts";

const good = 100;
const bad = ["stall", "exit", "throw", "stall", "exit", "throw"];
/** The number of good messages before each bad one. */
const badEvery = 16;
/** A message that hangs is ended by processor time, which may take minutes on a busy machine. */
const patienceMs = 1_800_000;
const killAfterMs = 700;
const environment = {
  NODE_OPTIONS: `--import=${fileURLToPath(new URL("poison-thread.ts", import.meta.url))}`,
  ASSAY_ANALYSIS_BUDGET_MS: "100",
};

export const poison: Scene = {
  name: "poison",
  promise: "A message that hangs or crashes the analyzer fails alone, and all others are analyzed.",
  play,
};

async function play({ folder }: Stage) {
  const dataDir = join(folder, "data");
  const killed = await startAssay({ dataDir, environment });
  const labels = Array.from({ length: good }, (_, number) => `good-${number}`);
  for (const [number, kind] of bad.entries()) labels.splice((number + 1) * badEvery, 0, `${kind}-${number}`);
  await sendAll(killed, labels);
  await sleep(killAfterMs);
  await kill(killed);
  const server = await startAssay({ dataDir, environment });
  await untilAnalysed(server.http, patienceMs);
  const reader = { http: server.http, ...makeToken({ command: builtProgram, dataDir, environment: {} }) };
  const missing = new Set(labels);
  const reasons = new Set<string>();
  let twice = 0;
  for await (const { id, label, status } of listAll(reader)) {
    if (!missing.delete(label ?? "")) twice += 1;
    const wanted = label?.startsWith("good-") ? "analyzed" : "failed";
    const { failure } = await readOne(reader, id);
    if (status !== wanted || (wanted === "failed" && !failure))
      throw new Error(`The message ${label} is ${status} instead of ${wanted}. Its reason: ${failure ?? "none"}`);
    if (failure) reasons.add(failure);
  }
  await stop(server);
  const note = `${good} good messages were analyzed. The ${bad.length} among them that stall, exit, or throw failed: ${[...reasons].join(" ")}`;
  return { kills: 1, acknowledged: labels.length, lost: missing.size, twice, note };
}

async function sendAll({ smtp, seedAddress }: AssayProcess, labels: readonly string[]): Promise<void> {
  const session = await openSession(smtp);
  for (const label of labels) {
    const to = [seedAddress.replace("@", `+${label}@`)];
    const body = `From: a@sender.example\nSubject: ${label}\nX-Poison: ${label.split("-")[0]}\n\nHello.\n`;
    const reply = await session.send({ from: "a@sender.example", to, body });
    if (!reply.startsWith("250")) throw new Error(`The message ${label} was rejected: ${reply}`);
  }
  session.close();
}
