// The server under test of a fuzzer: started from source in its own folder, which is removed with it, and monitored
// meanwhile.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import type { Program } from "../first-message.ts";
import { residentBytes } from "../resident.ts";

export async function withServer(
  name: string,
  environment: Readonly<Record<string, string>>,
  work: (server: AssayProcess, program: Program) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  const command = [process.execPath, fileURLToPath(new URL("../../src/main.ts", import.meta.url))];
  const program = { command, dataDir: join(folder, "data"), environment };
  const server = await startAssay(program);
  try {
    await work(server, program);
  } finally {
    await server.end("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}

/** Returns its memory once that is within the limit. */
export async function checkMemory(server: AssayProcess, boundBytes: number): Promise<number> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(500))
    if (weigh(server) <= boundBytes) return weigh(server);
  throw new Error(`The server uses ${toMegabytes(weigh(server))} MB and does not release memory.`);
}

export function weigh({ child }: AssayProcess, which: "now" | "peak" = "now"): number {
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error(`The server ended with ${child.exitCode ?? child.signalCode}.`);
  return residentBytes(child.pid ?? 0, which);
}

export function checkLog({ log }: AssayProcess): void {
  const errors = log.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new Error(`The server logged errors: ${JSON.stringify(errors.slice(0, 3))}`);
}

export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
