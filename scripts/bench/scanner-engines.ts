// Starts Debian's rspamd and SpamAssassin on loopback, as real peers for benchmarks.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScannerResult } from "../../src/analyzer/checks/infrastructure-facts.ts";
import { createScanners, type ScannedMessage, type Scanners } from "../../src/analyzer/facts/scanners.ts";
import { createFetchOperator } from "../../src/platform/system/fetch-doors.ts";
import { streamToOperator } from "../../src/platform/system/stream-exchange.ts";
import { endWithUs } from "../assay-process.ts";
import { findFreePort } from "../ports.ts";

const doors = { fetchOperator: createFetchOperator(), streamToOperator };
/** rspamd compiles its expressions at the first start. */
const startPatienceMs = 90_000;
const answerPatienceMs = 20_000;

export type Engine = {
  readonly name: ScannerResult["engine"];
  readonly program: string;
  readonly debianPackage: string;
  readonly args: (folder: string, port: number, dnsPort: number) => readonly string[];
  readonly toScanners: (port: number) => Scanners;
};

export const engines: readonly Engine[] = [
  {
    name: "rspamd",
    program: "/usr/bin/rspamd",
    debianPackage: "rspamd",
    args: (folder, port, dnsPort) => {
      const file = join(folder, "rspamd.conf");
      writeFileSync(file, rspamdSettings(folder, port, dnsPort));
      const places = ["RUNDIR", "DBDIR", "LOGDIR"].map((name) => `--var=${name}=${folder}`);
      return ["-f", "-i", "-c", file, ...places];
    },
    toScanners: (port) => createScanners({ rspamdUrl: `http://127.0.0.1:${port}`, spamdAddress: null }, doors),
  },
  {
    name: "spamassassin",
    program: "/usr/sbin/spamd",
    debianPackage: "spamd",
    args: (folder, port) => [
      "--local",
      "--nouser-config",
      "--max-children=1",
      "--username=nobody",
      "--syslog=stderr",
      "--listen=127.0.0.1",
      `--port=${port}`,
      `--pidfile=${join(folder, "spamd.pid")}`,
    ],
    toScanners: (port) => createScanners({ rspamdUrl: null, spamdAddress: { host: "127.0.0.1", port } }, doors),
  },
];

function rspamdSettings(folder: string, port: number, dnsPort: number): string {
  return `
.include "$CONFDIR/common.conf"
options {
  .include "$CONFDIR/options.inc"
  dns { nameserver = ["127.0.0.1:${dnsPort}"]; timeout = 1s; retransmits = 1; }
}
logging { type = "file"; filename = "${folder}/log"; level = "error"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
`;
}

/** Null if it can be started here. */
export function findLack({ program, debianPackage }: Engine): string | null {
  if (!existsSync(program)) return `Debian's package ${debianPackage}`;
  return process.getuid?.() === 0 ? null : "root privileges";
}

/** `scan` resolves when the engine has answered. `first` is scanned repeatedly until it does. */
export async function startEngine(engine: Engine, dnsPort: number, first: ScannedMessage) {
  const folder = mkdtempSync(join(tmpdir(), "assay-scanner-"));
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, "state"));
  const port = await findFreePort();
  const child = endWithUs(spawn(engine.program, engine.args(folder, port, dnsPort), { stdio: "ignore" }));
  const scanners = engine.toScanners(port);
  await waitUntilUp(child, scanners, { first, folder });
  return {
    pid: child.pid ?? 0,
    scan: async (message: ScannedMessage) => {
      const [row] = await scanners.ask(message, answerPatienceMs);
      if (!row?.fact.known) throw new Error(`${engine.name} did not respond.`);
    },
    stop: async () => {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Was free a moment ago: the engines take a port number and can't report which one they got. */
async function waitUntilUp(
  child: ChildProcess,
  scanners: Scanners,
  { first, folder }: { readonly first: ScannedMessage; readonly folder: string },
): Promise<void> {
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(500)) {
    if (child.exitCode !== null) break;
    const [row] = await scanners.ask(first, answerPatienceMs);
    if (row?.fact.known) return;
  }
  const log = join(folder, "log");
  throw new Error(`It did not start. ${existsSync(log) ? readFileSync(log, "utf8").slice(-2_000) : ""}`);
}
