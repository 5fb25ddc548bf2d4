// The program as a command, for tests that start it as a process of its own, and its web app. Each is built once in a run, by
// whichever file of tests comes first: from source each start would take a second of the processor, and each of its threads
// another.

import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "tsup";
import { inject } from "vitest";
import { startAssay } from "../scripts/assay-process.ts";
import { buildWeb } from "../scripts/build-web.ts";
import { sendMail } from "../scripts/smtp-client.ts";
import { bundle } from "../tsup.config.ts";

const mostMs = 120_000;

export async function testProgram(): Promise<readonly string[]> {
  return compiled("program", await onceInRun("program", buildProgram));
}

/** Saved reports are rendered by the web app, which most tests that start the program do without. */
export async function testProgramWithWebApp(): Promise<readonly string[]> {
  const name = "program-with-web";
  const make = async (folder: string) => {
    await buildProgram(folder);
    cpSync(await testWebApp(), join(folder, "web"), { recursive: true });
  };
  return compiled(name, await onceInRun(name, make));
}

async function compiled(name: string, folder: string): Promise<readonly string[]> {
  const program = [process.execPath, join(folder, "start.cjs")];
  await onceInRun(`${name}-compiled`, () => compile(program));
  return program;
}

/** The folder with the web app's files. */
export function testWebApp(): Promise<string> {
  return onceInRun("web", buildWeb);
}

async function onceInRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const ready = join(inject("programFolder"), name);
  const aside = `${ready}-unfinished`;
  if (isFirst(`${ready}-begun`)) {
    mkdirSync(aside);
    await make(aside);
    renameSync(aside, ready);
  }
  for (const deadline = Date.now() + mostMs; !existsSync(ready); await pause(50))
    if (Date.now() > deadline) throw new Error(`Another file of tests did not build ${name}.`);
  return ready;
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

async function buildProgram(folder: string): Promise<void> {
  const handbook = join(import.meta.dirname, "..", "src", "handbook");
  cpSync(handbook, join(folder, "handbook"), { recursive: true });
  // The threads were built when the run began (program-folder.ts).
  cpSync(join(inject("programFolder"), "threads"), folder, { recursive: true });
  const { entry, ...options } = bundle("checkout");
  const { main = "" } = entry as Readonly<Record<string, string>>;
  await build({ ...options, entry: { main }, outDir: folder, clean: false, config: false });
  // What one start compiled, the next need not.
  const start =
    'require("node:module").enableCompileCache(require("node:path").join(__dirname, "compiled"));\nrequire("./main.cjs");\n';
  writeFileSync(join(folder, "start.cjs"), start);
}

/**
 * Node keeps what the first process had compiled when it ended. A command's would lack what a server needs, and each server
 * would compile that again.
 */
async function compile(command: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-compile-"));
  const server = await startAssay({ dataDir, command });
  const to = [server.seedAddress];
  await sendMail(server.smtp, { from: "a@sender.example", to, body: "From: a@sender.example\n\nHi.\n" });
  const isAnalyzed = () => server.log.some(({ message }) => message === "message analyzed");
  for (const deadline = Date.now() + mostMs; !isAnalyzed() && Date.now() < deadline; ) await pause(20);
  await server.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
