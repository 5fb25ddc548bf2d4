// How soon the single binary is ready in an empty directory (SMTP, HTTP, database), what memory it takes then and after
// one analysed message, how large it is; next to bare Node.
// Usage: npm run build:binary && npm run bench:start

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startAssay } from "../assay-process.ts";
import { takeFirstMessage } from "../first-message.ts";
import { expectAtMost, printMachine, toRuns } from "./bench.ts";

type Figures = { readonly readyMs: number; readonly readyMegabytes: number; readonly restMegabytes: number };

const binary = resolve(process.argv[2] ?? "dist/assay");
const runs = 5;
const restMs = 5_000;

printMachine();
await startBareNode();
const bare = await inTurn(startBareNode);
toRuns(
  "bare Node: start to first line",
  "ms",
  bare.map(({ readyMs }) => readyMs),
);
toRuns(
  "bare Node: resident memory",
  "MB",
  bare.map(({ readyMegabytes }) => readyMegabytes),
);
const assay = await inTurn(startBinary);
const ready = toRuns(
  "Assay: start to ready",
  "ms",
  assay.map(({ readyMs }) => readyMs),
);
const atReady = toRuns(
  "Assay: resident memory when ready",
  "MB",
  assay.map(({ readyMegabytes }) => readyMegabytes),
);
const atRest = toRuns(
  "Assay: one message analysed, 5 s of rest",
  "MB",
  assay.map(({ restMegabytes }) => restMegabytes),
);
console.log();
expectAtMost("ready", ready.median, 400, "ms");
expectAtMost("resident memory when ready", atReady.median, 200, "MB");
expectAtMost("resident memory after a message and 5 s of rest", atRest.median, 280, "MB");
expectAtMost("file", statSync(binary).size / 1e6, 140, "MB");

async function inTurn(run: () => Promise<Figures>): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (let count = 0; count < runs; count++) figures.push(await run());
  return figures;
}

async function startBareNode(): Promise<Figures> {
  const began = performance.now();
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const readyMs = performance.now() - began;
  const readyMegabytes = residentMegabytes(child.pid);
  child.kill();
  await once(child, "exit");
  return { readyMs, readyMegabytes, restMegabytes: Number.NaN };
}

async function startBinary(): Promise<Figures> {
  const program = {
    command: [binary],
    dataDir: mkdtempSync(join(tmpdir(), "assay-start-")),
    environment: {},
  };
  const began = performance.now();
  const server = await startAssay(program);
  try {
    const readyMs = performance.now() - began;
    const readyMegabytes = residentMegabytes(server.child.pid);
    await takeFirstMessage(server, program, 10_000);
    await sleep(restMs);
    return { readyMs, readyMegabytes, restMegabytes: residentMegabytes(server.child.pid) };
  } finally {
    await server.end("SIGTERM");
    rmSync(program.dataDir, { recursive: true, force: true });
  }
}

/** VmRSS counts in KiB. */
function residentMegabytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
