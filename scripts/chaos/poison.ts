// Messages that hang or crash the analyzer, each kind twice among a hundred good ones, then the same with the whole
// program killed while it works on them. Every good one is analyzed, every start succeeds, and the bad ones end as
// failed with a reason.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import { listAll, type Reader, readOne } from "./read-tests.ts";
import type { Scene, Stage } from "./scene.ts";

const good = 100;
const kinds = ["stall", "exit", "throw"];
/** The number of good messages before each bad one. Each kind comes twice. */
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

async function play({ folder, isSmall }: Stage) {
  const dataDir = join(folder, "data");
  let server = await startAssay({ dataDir, environment });
  const token = makeToken({ command: builtProgram, dataDir, environment: {} });
  if (!isSmall) {
    await sendAll(server, "calm");
    await untilAnalysed(server.http, patienceMs);
    await check({ http: server.http, ...token }, "calm");
  }
  await sendAll(server, "killed");
  await sleep(killAfterMs);
  await server.end("SIGKILL");
  server = await startAssay({ dataDir, environment });
  await untilAnalysed(server.http, patienceMs);
  const reasons = await check({ http: server.http, ...token }, "killed");
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  return {
    kills: 1,
    acknowledged: (isSmall ? 1 : 2) * (good + reasons.length),
    note: `${good} good messages were analyzed, ${isSmall ? "" : "and as many again, "}with the server killed meanwhile. Those among them that stall, exit, or throw failed: ${[...new Set(reasons)].join(" ")}`,
  };
}

async function sendAll(server: AssayProcess, batch: string): Promise<void> {
  const session = await openSession(server.smtp);
  const sendOne = async (name: string, header: string) => {
    const reply = await session.send({
      from: "a@sender.example",
      to: [server.seedAddress.replace("@", `+${batch}-${name}@`)],
      body: `From: a@sender.example\nSubject: ${name}\n${header}\nHello.\n`,
    });
    if (!reply.startsWith("250")) throw new Error(`The message ${name} was rejected: ${reply}`);
  };
  for (let count = 0; count < good; count++) {
    await sendOne(`good-${count}`, "");
    if (count % badEvery !== badEvery - 1) continue;
    const bad = Math.floor(count / badEvery);
    const kind = kinds[bad % kinds.length] ?? "";
    await sendOne(`${kind}-${bad}`, `X-Poison: ${kind}\n`);
  }
  session.close();
}

/** Returns why the bad ones failed. */
async function check(reader: Reader, batch: string): Promise<string[]> {
  const reasons = new Map<string, string>();
  let analysed = 0;
  for await (const { id, label, status } of listAll(reader)) {
    if (!label?.startsWith(`${batch}-`)) continue;
    const name = label.slice(batch.length + 1);
    if (name.startsWith("good-")) {
      if (status !== "analyzed") throw new Error(`The good message ${name} is ${status}.`);
      analysed++;
      continue;
    }
    const { failure } = await readOne(reader, id);
    if (status !== "failed" || !failure) throw new Error(`The bad message ${name} is ${status} (${failure}).`);
    reasons.set(name, failure);
  }
  const bad = Math.floor(good / badEvery);
  if (analysed !== good || reasons.size !== bad)
    throw new Error(`${analysed} of ${good} good and ${reasons.size} of ${bad} bad messages are there.`);
  return [...reasons.values()];
}
