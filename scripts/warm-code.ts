// Writes V8's code cache of the bundle after a start. A cache made without running lacks the functions that a start
// calls, and compiling those takes a fifth of it.
// Usage: node scripts/warm-code.ts <folder with main.wrapped and SQLite's addon> writes main.code in that folder.
// It is a separate process, because what it starts fills its memory and handles its signals.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { constants, Script } from "node:vm";
import { assayEnvironment } from "./assay-process.ts";

const patienceMs = 30_000;

const folder = resolve(process.argv[2] ?? "");
const dataDir = mkdtempSync(join(tmpdir(), "assay-warm-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const file = join(folder, "main.cjs");
const script = new Script(readFileSync(join(folder, "main.wrapped"), "latin1"), {
  filename: "main.cjs",
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
Object.assign(process.env, assayEnvironment(dataDir));
process.argv.splice(1, process.argv.length, file, "serve");
const ready = untilReady();
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(file), module, file, folder);
await ready;
writeFileSync(join(folder, "main.code"), script.createCachedData());
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
