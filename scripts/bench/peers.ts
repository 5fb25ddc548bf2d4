// Measures what a message costs beside other programs: the processor time of all their processes, in turns, their memory
// before, after, and a minute after a thousand messages, and what each test takes on disk. Needs smtp-source (Debian's
// package `postfix`) and /proc. Debian's `rspamd` and `spamd` are compared if they are installed.
// Usage: npm run script -- scripts/bench/peers.ts [--rounds 5 --tests 100000 --record]

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { startDnsServer } from "../../test/dns-server.ts";
import { runTool } from "../older-build.ts";
import { processTree, residentMegabytes } from "../resident.ts";
import { format, measure, print, printMachine } from "./bench.ts";
import {
  type Contestant,
  costOfMessage,
  startDurable,
  startMaildev,
  startParser,
  startProgram,
} from "./contestants.ts";
import { type Figures, record } from "./figures.ts";
import { keptTests } from "./kept-tests.ts";
import { installMaildev, maildevVersion } from "./maildev.ts";
import { type Mails, writeMails } from "./mails.ts";
import { type Engine, engines, findLack, startEngine } from "./scanner-engines.ts";
import { hasSmtpSource, send } from "./smtp-source.ts";

const sizes = ["3 KB", "60 KB"] as const;
type Size = (typeof sizes)[number];

type Counts = Readonly<Record<Size, number>>;
/** As many as take a tenth of a second or more, because Linux counts in hundredths. */
const counts = {
  program: { "3 KB": 1_000, "60 KB": 200 },
  assay: { "3 KB": 200, "60 KB": 50 },
  rspamd: { "3 KB": 60, "60 KB": 20 },
  spamassassin: { "3 KB": 20, "60 KB": 6 },
} as const satisfies Record<string, Counts>;

type Peer = Pick<Contestant, "pid" | "backlog" | "stop"> & {
  readonly messagesARound: Counts;
  /** Resolves when each message has got its reply. */
  readonly take: (size: Size, messages: number) => Promise<unknown>;
};
type Peers = Readonly<Record<string, Peer>>;

/** Until the compiler has seen the code. */
const warmUpRounds = 1;
const connections = 4;
const flood = 1_000;
const minuteMs = 60_000;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    tests: { type: "string", default: "100000" },
    record: { type: "boolean", default: false },
  },
});
const manyTests = Number(values.tests);
if (hasSmtpSource()) await main();

async function main(): Promise<void> {
  installMaildev();
  const folder = mkdtempSync(resolve("build", "bench-peers-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  printMachine();
  const started: Peer[] = [];
  const keep = (peer: Peer): Peer => {
    started.push(peer);
    return peer;
  };
  try {
    const surroundings = { folder, dnsServer: `${dns.address}:${dns.port}` };
    const large = { ...surroundings, folder: join(folder, "large") };
    cpSync((await keptTests(manyTests)).dataDir, join(large.folder, "program"), { recursive: true });
    const bytesOfMany = bytesUsed(large.folder);
    const mailed = async (start: Promise<Contestant>, messagesARound?: Counts) =>
      keep(takingMail(await start, mails, messagesARound));
    const ours = await mailed(startProgram(surroundings), counts.assay);
    const theirs = {
      [`MailDev ${maildevVersion}`]: await mailed(startMaildev(surroundings)),
      [`smtp-server ${versionOf("smtp-server")} with mailparser ${versionOf("mailparser")}`]: await mailed(
        startParser(),
      ),
    };
    const filters: Record<string, Peer> = {};
    const absent: Record<string, string> = {};
    for (const engine of engines) {
      const lack = findLack(engine);
      if (lack === null) filters[nameOf(engine)] = keep(await scanning(engine, dns.port, mails));
      else absent[engine.name] = lack;
    }
    const oursWithMany = await mailed(startProgram(large));
    const flooded = { Assay: ours, [`Assay with ${manyTests.toLocaleString("en")} tests`]: oursWithMany, ...theirs };
    record("memory", await weighAround(flooded, filters), absent);
    record("disk", await measureDisk(ours, folder, bytesOfMany));
    const receiving = await mailed(startDurable(surroundings));
    const untilThen = { "Assay, until the reply 250": receiving, "Assay, until the stored report": ours };
    record("message", await compareCosts({ ...untilThen, ...theirs, ...filters }), absent);
  } finally {
    for (const { stop } of started) await stop();
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function takingMail(contestant: Contestant, { sender, files }: Mails, messagesARound: Counts = counts.program): Peer {
  const { port, recipient } = contestant;
  return {
    ...contestant,
    messagesARound,
    take: (size, messages) => send({ port, recipient, sender, connections, messages, file: files[size] }),
  };
}

/** A filter takes a message over its own protocol, and waits long for DNS. */
async function scanning(engine: Engine, dnsPort: number, { sender, bodies }: Mails): Promise<Peer> {
  const client = { clientAddress: "127.0.0.1", helo: "client.sender.example" };
  const session = claimedSession({ ...client, mailFrom: sender, rcptTo: ["reader@receiver.example"] });
  const toScanned = (size: Size) => ({
    raw: Buffer.from(bodies[size].replaceAll("\n", "\r\n")),
    session,
    receivedAt: Date.now(),
    receiver: "mx.receiver.example",
    clientName: client.helo,
  });
  const { pid, scan, stop } = await startEngine(engine, dnsPort, toScanned("3 KB"));
  return {
    pid,
    stop,
    backlog: async () => 0,
    messagesARound: counts[engine.name],
    take: async (size, messages) => {
      let taken = 0;
      const scanSome = async () => {
        while (taken++ < messages) await scan(toScanned(size));
      };
      await Promise.all(Array.from({ length: connections }, scanSome));
    },
  };
}

function nameOf({ name, debianPackage }: Engine): string {
  const [, version] = /^Version: (\S+)/m.exec(runTool("dpkg-query", ["-s", debianPackage])) ?? [];
  return `${name === "rspamd" ? name : "SpamAssassin"} ${version}`;
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8")).version;
}

/** The filters keep nothing, so they are weighed only at rest. */
async function weighAround(flooded: Peers, filters: Peers): Promise<Figures> {
  const weights: Record<string, Record<string, readonly [number, string]>> = {};
  const note = (when: string, name: string, peer: Peer) => {
    const megabytes = weigh(peer);
    weights[name] = { ...weights[name], [when]: [megabytes, "MB"] };
    print(`${name}, ${when}: ${format(megabytes)} MB`);
  };
  await sleep(minuteMs);
  for (const [name, peer] of Object.entries({ ...flooded, ...filters })) note("At rest", name, peer);
  for (const [name, peer] of Object.entries(flooded)) {
    await costOfMessage(peer, flood, () => peer.take("3 KB", flood));
    note(`After ${flood.toLocaleString("en")} messages`, name, peer);
  }
  await sleep(minuteMs);
  for (const [name, peer] of Object.entries(flooded)) note("A minute later", name, peer);
  return weights;
}

/** Of all its processes. What they share counts once. */
function weigh({ pid }: Peer): number {
  const tree = processTree(pid);
  return tree.reduce((sum, one) => sum + residentMegabytes(one, tree.length > 1 ? "share" : "now"), 0);
}

async function measureDisk(ours: Peer, folder: string, bytesOfMany: number): Promise<Figures> {
  const figures: Record<string, Figures[string]> = {};
  const note = (name: string, bytes: number) => {
    figures[name] = { "Each test": [bytes / 1_000, "KB"] };
    print(`${name}: ${format(bytes)} bytes a test`);
  };
  note(`${manyTests.toLocaleString("en")} tests with short messages`, bytesOfMany / manyTests);
  for (const size of sizes) {
    const before = bytesUsed(folder);
    const messages = ours.messagesARound[size];
    await costOfMessage(ours, messages, () => ours.take(size, messages));
    note(`A message of ${size}`, (bytesUsed(folder) - before) / messages);
  }
  return figures;
}

/** The pages of the database that are in use. */
function bytesUsed(folder: string): number {
  const database = new Database(join(folder, "program", "assay.db"), { readonly: true });
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
  const bytes = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  database.close();
  return bytes;
}

async function compareCosts(peers: Peers): Promise<Figures> {
  const costs: Record<string, Record<string, readonly [number, string]>> = {};
  for (const size of sizes) {
    print(`\n${size}, milliseconds of processor time a message`);
    const cases = Object.entries(peers).map(([name, peer]) => {
      const messages = peer.messagesARound[size];
      return [name, () => costOfMessage(peer, messages, () => peer.take(size, messages))] as const;
    });
    for (let round = 0; round < warmUpRounds; round++) for (const [, warmUp] of cases) await warmUp();
    for (const { name, median } of await measure("ms", Object.fromEntries(cases), Number(values.rounds)))
      costs[name] = { ...costs[name], [size]: [median, "ms"] };
  }
  return costs;
}
