// The program as a command, for tests that start it as a process of its own. Built once in a run, by whichever file of tests
// comes first: from source each start would take a second of the processor, and each of its threads another.

import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "tsup";
import { inject } from "vitest";
import { bundle } from "../tsup.config.ts";

const mostMs = 120_000;

export async function testProgram(): Promise<readonly string[]> {
  const folder = inject("programFolder");
  const ready = join(folder, "ready");
  if (isFirst(join(folder, "begun"))) await buildInto(folder, ready);
  for (const deadline = Date.now() + mostMs; !existsSync(join(ready, "start.cjs")); await pause(50))
    if (Date.now() > deadline) throw new Error("Another file of tests did not build the program.");
  return [process.execPath, join(ready, "start.cjs")];
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

async function buildInto(folder: string, ready: string): Promise<void> {
  const aside = join(folder, "aside");
  const handbook = join(import.meta.dirname, "..", "src", "handbook");
  cpSync(handbook, join(aside, "handbook"), { recursive: true });
  await build({ ...bundle("checkout"), outDir: aside, clean: false, sourcemap: "inline", config: false });
  // What one start compiled, the next need not.
  const start =
    'require("node:module").enableCompileCache(require("node:path").join(__dirname, "compiled"));\nrequire("./main.cjs");\n';
  writeFileSync(join(aside, "start.cjs"), start);
  renameSync(aside, ready);
}
