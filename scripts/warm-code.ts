// Writes V8's code cache of the bundle's parts that a start loads, after a start. A cache made without running lacks the
// functions that a start calls, and compiling those takes a fifth of it.
// Usage: node scripts/warm-code.ts <folder with the bundle and SQLite's addon> writes <part>.code beside each.
// It is a separate process, because what it starts fills its memory and handles its signals.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Script } from "node:vm";
import { assayEnvironment } from "./assay-process.ts";

const patienceMs = 30_000;

const folder = resolve(process.argv[2] ?? "");
const dataDir = mkdtempSync(join(tmpdir(), "assay-warm-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
Object.assign(process.env, assayEnvironment(dataDir));
process.argv.splice(1, process.argv.length, join(folder, "main.cjs"), "serve");
const ready = untilReady();
const { parts } = createRequire(import.meta.url)("./binary-entry.cjs") as {
  readonly parts: ReadonlyMap<string, { readonly script: Script }>;
};
await ready;
for (const [name, { script }] of parts) writeFileSync(join(folder, `${name}.code`), script.createCachedData());
process.kill(process.pid, "SIGTERM");

/** The log's ready line. */
async function untilReady(): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  let isReady = false;
  process.stdout.write = ((chunk: string) => {
    isReady ||= chunk.includes('"message":"ready"');
    return true;
  }) as typeof write;
  for (const deadline = Date.now() + patienceMs; !isReady; await sleep(20))
    if (Date.now() > deadline) throw new Error("The bundle did not start.");
}
