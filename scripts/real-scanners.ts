// Debian's rspamd and SpamAssassin, started on loopback, are asked about three messages, and what they say is read.
// Usage: node scripts/real-scanners.ts [--all]
// What this machine lacks is skipped and said; with --all that is a failure.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ScannerResult } from "../src/checks/infrastructure-facts.ts";
import { createScanners, type ScannedMessage, type Scanners } from "../src/facts/scanners.ts";
import { claimedSession } from "../src/mail/session.ts";
import { createFetchOperator } from "../src/system/fetch-doors.ts";
import { exchangeOperatorTcp } from "../src/system/operator-tcp.ts";
import { startDnsServer } from "../test/dns-server.ts";

const doors = { fetchOperator: createFetchOperator(), exchangeOperatorTcp };
/** rspamd compiles its expressions at the first start. */
const startPatienceMs = 90_000;
const answerPatienceMs = 20_000;

type Engine = {
  readonly name: ScannerResult["engine"];
  readonly program: string;
  readonly debianPackage: string;
  readonly args: (folder: string, port: number, dnsPort: number) => readonly string[];
  readonly toScanners: (port: number) => Scanners;
  /** What it says of the test string that every filter knows, whatever its score. */
  readonly callsSpam: (result: ScannerResult) => boolean;
};

const engines: readonly Engine[] = [
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
    toScanners: (port) =>
      createScanners({ rspamdUrl: `http://127.0.0.1:${port}`, spamdAddress: null }, doors),
    callsSpam: ({ action }) => action === "reject",
  },
  {
    name: "spamassassin",
    program: "/usr/sbin/spamd",
    debianPackage: "spamd",
    args: (folder, port) => [
      ...["--local", "--nouser-config", "--max-children=1", "--username=nobody", "--syslog=stderr"],
      ...["--listen=127.0.0.1", `--port=${port}`, `--pidfile=${join(folder, "spamd.pid")}`],
    ],
    toScanners: (port) =>
      createScanners({ rspamdUrl: null, spamdAddress: { host: "127.0.0.1", port } }, doors),
    callsSpam: ({ symbols }) => symbols.some(({ name, points }) => name === "GTUBE" && points === 1000),
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

const header = [
  "From: Ann <ann@sender.example>",
  "To: one@seed.example",
  "Subject: a message",
  "Date: Sat, 21 Nov 2026 12:00:00 +0000",
  "Message-ID: <scanned@sender.example>",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "",
].join("\r\n");

/** In two parts, so that no filter stumbles over this file. */
const testString = ["XJS*C4JDBQADN1.NSBN3*2IDNEN*", "GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"].join("");

const bodies = {
  // SpamAssassin has a rule for such a greeting.
  plain: "Dear Friend,\r\nhere is what you asked for.\r\n",
  "test string": `${testString}\r\n`,
  "eight-bit": `Dear Friend,\r\n${"Gr\u00fc\u00dfe, \u{1f600} ".repeat(20_000)}\r\n`,
};

function toMessage(body: string): ScannedMessage {
  return {
    raw: Buffer.from(header + body),
    session: claimedSession({
      clientAddress: "8.8.4.4",
      helo: "out.sender.example",
      mailFrom: "ann@sender.example",
      rcptTo: ["one@seed.example", "two@seed.example"],
    }),
    clientName: "out.sender.example",
    receiver: "mx.seed.example",
    receivedAt: Date.UTC(2026, 10, 21, 12),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
  const dns = await startDnsServer({});
  try {
    for (const engine of engines) {
      const lack = findLack(engine);
      if (lack === null) await tryEngine(engine, dns.port);
      else if (values.all) throw new Error(`${engine.name} could not be tried: this machine lacks ${lack}.`);
      else console.log(`skip  ${engine.name}: this machine lacks ${lack}`);
    }
  } finally {
    await dns.close();
  }
}

function findLack({ program, debianPackage }: Engine): string | null {
  if (!existsSync(program)) return `Debian's package ${debianPackage}`;
  return process.getuid?.() === 0 ? null : "the superuser's rights";
}

async function tryEngine(engine: Engine, dnsPort: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-scanner-"));
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, "state"));
  const port = await findFreePort();
  const child = spawn(engine.program, engine.args(folder, port, dnsPort), { stdio: "ignore" });
  try {
    const scanners = engine.toScanners(port);
    await waitUntilUp(child, scanners, folder);
    for (const [name, body] of Object.entries(bodies)) {
      const result = await ask(scanners, body);
      check(engine, name, result);
      console.log(`pass  ${engine.name}: ${name}: ${JSON.stringify(result)}`);
    }
  } finally {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true });
  }
}

/** Free a moment ago: the engines take a number and cannot say which one they got. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function waitUntilUp(child: ChildProcess, scanners: Scanners, folder: string): Promise<void> {
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(500)) {
    if (child.exitCode !== null) break;
    const [row] = await scanners.ask(toMessage(bodies.plain), answerPatienceMs);
    if (row?.fact.known) return;
  }
  const log = join(folder, "log");
  throw new Error(`It did not come up. ${existsSync(log) ? readFileSync(log, "utf8").slice(-2_000) : ""}`);
}

async function ask(scanners: Scanners, body: string): Promise<ScannerResult> {
  const [row] = await scanners.ask(toMessage(body), answerPatienceMs);
  if (row?.fact.known) return row.fact.value;
  throw new Error(`No opinion: ${JSON.stringify(row)}.`);
}

function check({ name: engine, callsSpam }: Engine, name: string, result: ScannerResult): void {
  const sum = result.symbols.reduce((points, symbol) => points + symbol.points, 0);
  const isTest = name === "test string";
  const problems = [
    ...(result.engine === engine ? [] : ["another engine"]),
    ...(result.symbols.length > 0 ? [] : ["no symbols"]),
    ...(isTest || result.symbols.some(({ text }) => text !== null) ? [] : ["no descriptions"]),
    ...(callsSpam(result) === isTest ? [] : ["another verdict on the test string"]),
    // Rounding of each symbol to the tenths that a report shows.
    ...(isTest || Math.abs(sum - result.score) < 0.06 * result.symbols.length
      ? []
      : [`symbols that sum up to ${sum}`]),
  ];
  if (problems.length > 0)
    throw new Error(`${engine}: ${name}: ${problems.join(", ")}: ${JSON.stringify(result)}`);
}

await main();
