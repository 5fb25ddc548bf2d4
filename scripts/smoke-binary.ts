// Tests the single binary alone: an almost empty environment, an empty directory, no Node on its PATH. It answers,
// analyzes a file, serves, receives a message over SMTP, returns its report, and stops cleanly. Under an emulator, which
// takes seconds for each start, the other processor's binary only serves, receives and returns the message, and stops.
// Usage: npm run script -- scripts/smoke-binary.ts [dist/assay] [--under "qemu-aarch64 -L /usr/aarch64-linux-gnu"]

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type AssayProcess, runProgram, startAssay } from "./assay-process.ts";
import { type Program, runAssay } from "./first-message.ts";
import { sendMail } from "./smtp-client.ts";

const { values, positionals } = parseArgs({ options: { under: { type: "string" } }, allowPositionals: true });
const emulator = values.under?.split(" ") ?? [];
const command = [...emulator, resolve(positionals[0] ?? "dist/assay")];
/** A hang fails. An emulated processor is about twenty times slower. */
const patienceMs = emulator.length > 0 ? 240_000 : 10_000;

const home = mkdtempSync(join(tmpdir(), "assay-smoke-"));
const program: Program = {
  command,
  dataDir: home,
  environment: { PATH: "/usr/bin", HOME: home, ASSAY_ANALYSIS_BUDGET_MS: String(patienceMs) },
};
try {
  if (emulator.length === 0) runCommands();
  await serve();
  console.log(`${command.join(" ")}: answers, serves, accepts a message and returns it, stops with status 0.`);
} catch (error) {
  // With its cause, which alone says why a request failed.
  console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Commands that need no database leave nothing behind. */
function runCommands(): void {
  const version = runAssay(program, "version");
  if (!/\d+\.\d+\.\d+/.test(version)) throw new Error(`version returned ${JSON.stringify(version)}.`);
  const file = join(home, "first.eml");
  writeFileSync(file, "From: a@sender.example\r\nSubject: from a file\r\n\r\nHello.\r\n");
  const client = ["--ip", "192.0.2.1", "--helo", "client.example", "--mail-from", "<>"];
  const report = runAssay(program, "analyze", file, ...client, "--dns", "/dev/null", "--json");
  if (!report.includes("from a file")) throw new Error(`analyze returned ${report}`);
  rmSync(file);
  const left = readdirSync(home);
  if (left.length > 0) throw new Error(`version and analyze left files behind: ${left.join(", ")}.`);
}

async function serve(): Promise<void> {
  const server = await startAssay(program);
  try {
    await openPages(server.http);
    await takeMessage(server);
    const ended = await server.end("SIGTERM");
    if (ended !== 0) throw new Error(`SIGTERM ended it with ${ended}.`);
  } finally {
    await server.end("SIGKILL");
  }
}

async function openPages(base: string): Promise<void> {
  const { status } = await fetch(`${base}/readyz`);
  if (status !== 200) throw new Error(`/readyz returned ${status}.`);
  // Rendered by the part of the web app that is in the binary.
  const share = await fetch(`${base}/s/${"A".repeat(43)}`, { headers: { accept: "text/html" } });
  const page = await share.text();
  if (!page.includes(">Report not available</h1>")) throw new Error(`A share's page is ${page.slice(0, 500)}`);
  const handbook = await fetch(`${base}/docs/getting-started`);
  if (handbook.status !== 200) throw new Error(`/docs/getting-started returned ${handbook.status}.`);
}

async function takeMessage({ smtp, seedAddress }: AssayProcess): Promise<void> {
  const messageId = "<first@sender.example>";
  const body = `From: a@sender.example\nTo: ${seedAddress}\nMessage-ID: ${messageId}\nSubject: first\n\nHello.\n`;
  const reply = await sendMail(smtp, { from: "a@sender.example", to: [seedAddress], body });
  if (!reply.startsWith("250")) throw new Error(`The message was rejected: ${reply}`);
  const wait = ["wait", "--message-id", messageId, "--timeout", String(patienceMs / 1_000), "--json"];
  const { exitCode, stdout, stderr } = await runProgram(program, wait);
  // 3: analyzed, but without DNS not wholly checked.
  if (exitCode !== 3 || JSON.parse(stdout).subject !== "first")
    throw new Error(`wait ended with ${exitCode}: ${stderr}${stdout.slice(0, 500)}`);
}
