// Starts Debian's rspamd and SpamAssassin on loopback, as real peers for tests and benchmarks.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScannerResult } from "../../src/analyzer/checks/infrastructure-facts.ts";
import { createScanners, type ScannedMessage, type Scanners } from "../../src/analyzer/facts/scanners.ts";
import { createFetchOperator } from "../../src/platform/system/fetch-doors.ts";
import { streamToOperator } from "../../src/platform/system/stream-exchange.ts";
import { findFreePort } from "../ports.ts";

const doors = { fetchOperator: createFetchOperator(), streamToOperator };
/** rspamd compiles its expressions at the first start. */
const startPatienceMs = 90_000;
export const answerPatienceMs = 20_000;

export type Engine = {
  readonly name: ScannerResult["engine"];
  readonly program: string;
  readonly debianPackage: string;
  readonly args: (folder: string, port: number, dnsPort: number) => readonly string[];
  readonly toScanners: (port: number) => Scanners;
};

export type Running = {
  readonly scanners: Scanners;
  /** CPU time of all its processes so far. */
  readonly cpuMs: () => number;
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

/** `first` is a message that is sent repeatedly until it answers. */
export async function withEngine(
  engine: Engine,
  { dnsPort, first }: { readonly dnsPort: number; readonly first: ScannedMessage },
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-scanner-"));
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, "state"));
  const port = await findFreePort();
  const child = spawn(engine.program, engine.args(folder, port, dnsPort), { stdio: "ignore" });
  try {
    const scanners = engine.toScanners(port);
    await waitUntilUp(child, scanners, { first, folder });
    await work({ scanners, cpuMs: () => readCpuMs(child.pid ?? 0) });
  } finally {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true });
  }
}

/** Linux counts in hundredths of a second (proc(5)). */
const msPerTick = 10;

function readCpuMs(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    const isParent = Number(name) === parent;
    if (!isParent && Number(fields[1]) !== parent) continue;
    // Its own time, and for the parent that of children that have ended.
    for (const field of fields.slice(11, isParent ? 15 : 13)) ticks += Number(field);
  }
  return ticks * msPerTick;
}

/** From the state on. The name before it is in parentheses and may contain spaces. */
function readStat(process: string): string[] {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
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
