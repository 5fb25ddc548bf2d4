// Measures how soon the single binary is ready in an empty directory (SMTP, HTTP, database), its memory then and after
// one analyzed message and 5 s of rest, and the file's size, compared with bare Node.
// Usage: npm run build:binary && npm run script -- scripts/bench/start.ts [--record]

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { type Program, takeFirstMessage } from "../first-message.ts";
import { processorSeconds } from "../processor-time.ts";
import { residentMegabytes } from "../resident.ts";
import { atMost, type Figure, measure, printMachine } from "./bench.ts";
import { record } from "./figures.ts";

type Started = { readonly afterMs: number; readonly pid: number | undefined };

const binary = resolve("dist/assay");
const restMs = 5_000;
const mostMs = 400;
/**
 * Relative to bare Node, for slower machines. They swing by more than a third: it took 9 to 16 times as long as bare Node
 * on different days.
 */
const mostTimes = 20;

printMachine();
const [bare, ready, bareWork, readyWork] = (await measure("ms", {
  "bare Node: start to first line": () => withBareNode(({ afterMs }) => afterMs),
  "Assay: start to ready": () => withAssay(async ({ afterMs }) => afterMs),
  "bare Node: processor time": () => withBareNode(workMs),
  "Assay: processor time": () => withAssay(async (started) => workMs(started)),
})) as [Figure, Figure, Figure, Figure];
// Memory differs by less than one percent from run to run, and each run takes seconds.
const memoryCases = {
  "bare Node: resident memory": () => withBareNode(weigh),
  "Assay: resident memory when ready": () => withAssay(async (started) => weigh(started)),
  "Assay: after one message and 5 s": () => withAssay(afterOneMessage),
};
const [bareMemory, memory, rested] = (await measure("MB", memoryCases, 1)) as [Figure, Figure, Figure];
const sizeMegabytes = statSync(binary).size / 1e6;
const toRow = (time: Figure, work: Figure, size: Figure) =>
  ({
    "Until ready": [time.median, "ms"],
    "Processor time": [work.median, "ms"],
    "Memory then": [size.median, "MB"],
  }) as const;
record("start", { Assay: toRow(ready, readyWork, memory), "Node alone": toRow(bare, bareWork, bareMemory) });
record("sizes", {
  "Single binary, with Node": { Size: [sizeMegabytes, "MB"] },
  "Server’s code": { Size: [megabytesOf("dist", /\.cjs$/), "MB"] },
  "Web app, all pages": { Size: [megabytesOf("dist/web", /(?<!\.br|\.gz)$/), "MB"] },
});
atMost(ready, Math.max(mostMs, Math.round(mostTimes * bare.median)), "ms");
atMost(memory, 225, "MB");
// With the second reader's libraries, which were loaded once for the message. About 125 MB are pages of the file itself.
atMost(rested, 385, "MB");
// With the libraries for passkeys and encrypted backups, which are loaded when they are used.
atMost({ name: "file", median: sizeMegabytes, runs: [sizeMegabytes] }, 148, "MB");

async function withBareNode(look: (started: Started) => number): Promise<number> {
  const began = performance.now();
  const program = "console.log(1); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const figure = look({ afterMs: performance.now() - began, pid: child.pid });
  child.kill();
  await once(child, "exit");
  return figure;
}

async function withAssay(
  look: (started: Started, server: AssayProcess, program: Program) => Promise<number>,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-start-"));
  const program = { command: [binary], dataDir, environment: {} };
  const began = performance.now();
  const server = await startAssay(program);
  try {
    return await look({ afterMs: performance.now() - began, pid: server.child.pid }, server, program);
  } finally {
    await server.end("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function afterOneMessage(started: Started, server: AssayProcess, program: Program): Promise<number> {
  await takeFirstMessage(server, program, 10_000);
  await sleep(restMs);
  return weigh(started);
}

function workMs({ pid }: Started): number {
  return processorSeconds(pid ?? 0) * 1_000;
}

/** Without what an older build left for servers that still run. */
function megabytesOf(folder: string, names: RegExp): number {
  const built = statSync("dist/main.cjs").mtimeMs - 60_000;
  const files = readdirSync(folder).filter((name) => names.test(name));
  const fresh = files.map((name) => statSync(join(folder, name))).filter(({ mtimeMs }) => mtimeMs > built);
  return fresh.reduce((sum, { size }) => sum + size, 0) / 1e6;
}

function weigh({ pid }: Started): number {
  return residentMegabytes(pid ?? 0, "now");
}
