// Measures how fast the web server answers while mail arrives over 100 connections, first small messages and then large
// ones: /healthz and /api/tests, four pollers each.
// Usage: npm run script -- scripts/bench/flood.ts [--seconds 15]

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/dns-server.ts";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { makeToken } from "../first-message.ts";
import { atMost, format, print, printMachine } from "./bench.ts";
import { benchEnvironment } from "./contestants.ts";
import { type MailSize, type Mails, writeMails } from "./mails.ts";
import { percentile } from "./probe.ts";
import { flood, hasSmtpSource } from "./smtp-source.ts";

const connections = 100;
const pollersOfEach = 4;
const pauseMs = 10;
const warmUpMs = 1_000;
const mostMs = 250;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "15" } } });
const seconds = Number(values.seconds);

if (hasSmtpSource()) await main();

async function main(): Promise<void> {
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(resolve("build", "bench-flood-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  const dataDir = join(folder, "data");
  // High enough that the flood is accepted and not refused.
  const environment = {
    ...benchEnvironment(`${dns.address}:${dns.port}`),
    ASSAY_LOG_LEVEL: "info",
    ASSAY_MAX_BACKLOG: "10000000",
  };
  const server = await startAssay({ dataDir, environment });
  printMachine();
  try {
    const { token, workspaceId } = makeToken({ command: builtProgram, dataDir, environment });
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
    for (const size of ["3 KB", "1 MB"] as const) await pollUnderFlood(server, mails, size, headers);
  } finally {
    await server.end("SIGKILL");
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pollUnderFlood(
  server: AssayProcess,
  mails: Mails,
  size: MailSize,
  headers: Record<string, string>,
): Promise<void> {
  const { stop } = flood({
    port: server.smtp.port,
    recipient: server.seedAddress,
    sender: mails.sender,
    file: mails.files[size],
    connections,
  });
  await sleep(warmUpMs);
  const until = performance.now() + seconds * 1_000;
  const waits = { "/healthz": [] as number[], "/api/tests": [] as number[] };
  const pollers = Object.entries(waits).flatMap(([path, waitsMs]) =>
    Array.from({ length: pollersOfEach }, () => poll(`${server.http}${path}`, headers, until, waitsMs)),
  );
  await Promise.all(pollers);
  await stop();
  for (const [path, waitsMs] of Object.entries(waits)) {
    const sorted = waitsMs.toSorted((a, b) => a - b);
    const p99 = percentile(sorted, 0.99);
    print(
      `${path}, ${size}: ${sorted.length} answers, p50 ${format(percentile(sorted, 0.5))} ms, p99 ${format(p99)} ms, longest ${format(sorted.at(-1) ?? Number.NaN)} ms`,
    );
    atMost({ name: `p99 of ${path}, ${size}`, median: p99, runs: [p99] }, mostMs, "ms");
  }
}

async function poll(url: string, headers: Record<string, string>, until: number, waitsMs: number[]): Promise<void> {
  while (performance.now() < until) {
    const began = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
    waitsMs.push(performance.now() - began);
    await sleep(pauseMs);
  }
}
