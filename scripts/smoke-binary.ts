// Tests the single binary alone: an almost empty environment, an empty directory, no Node on its PATH. It answers,
// analyzes a file, serves, receives a message over SMTP, returns it over the API, and stops cleanly.
// Usage: node scripts/smoke-binary.ts [dist/assay] [--under "qemu-aarch64 -L /usr/aarch64-linux-gnu"]

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startAssay } from "./assay-process.ts";
import { type Program, runAssay, takeFirstMessage } from "./first-message.ts";

const { values, positionals } = parseArgs({ options: { under: { type: "string" } }, allowPositionals: true });
const emulator = values.under?.split(" ") ?? [];
const command = [...emulator, resolve(positionals[0] ?? "dist/assay")];
/** An emulated processor is about twenty times slower. */
const patienceMs = emulator.length > 0 ? 240_000 : 10_000;

const home = mkdtempSync(join(tmpdir(), "assay-smoke-"));
try {
  await smoke({
    command,
    dataDir: home,
    environment: { PATH: "/usr/bin", HOME: home, ASSAY_ANALYSIS_BUDGET_MS: String(patienceMs) },
  });
  console.log(
    `${command.join(" ")}: answers, serves, accepts a message and returns it, stops with status 0.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** A command that needs no database leaves nothing behind. */
function analyzeFile(program: Program): void {
  const file = join(home, "first.eml");
  writeFileSync(file, "From: a@sender.example\r\nSubject: from a file\r\n\r\nHello.\r\n");
  const client = ["--ip", "192.0.2.1", "--helo", "client.example", "--mail-from", "<>"];
  const report = runAssay(program, "analyze", file, ...client, "--dns", "/dev/null", "--json");
  if (!report.includes("from a file")) throw new Error(`analyze returned ${report}`);
  rmSync(file);
  const left = readdirSync(home);
  if (left.length > 0) throw new Error(`version and analyze left files behind: ${left.join(", ")}.`);
}

/** Rendered by the part of the web app that is in the binary. */
async function openUnknownShare(base: string): Promise<void> {
  const answer = await fetch(`${base}/s/${"A".repeat(43)}`, { headers: { accept: "text/html" } });
  const page = await answer.text();
  if (!page.includes(">Report not available</h1>"))
    throw new Error(`A share's page is ${page.slice(0, 500)}`);
}

async function smoke(program: Program): Promise<void> {
  const version = runAssay(program, "version");
  if (!/\d+\.\d+\.\d+/.test(version)) throw new Error(`version returned ${JSON.stringify(version)}.`);
  analyzeFile(program);
  const server = await startAssay(program);
  try {
    const { status } = await fetch(`${server.http}/readyz`);
    if (status !== 200) throw new Error(`/readyz returned ${status}.`);
    await openUnknownShare(server.http);
    const page = await fetch(`${server.http}/docs/getting-started`);
    if (page.status !== 200) throw new Error(`/docs/getting-started returned ${page.status}.`);
    await takeFirstMessage(server, program, patienceMs);
    const ended = await server.end("SIGTERM");
    if (ended !== 0) throw new Error(`SIGTERM ended it with ${ended}.`);
  } finally {
    await server.end("SIGKILL");
  }
}
