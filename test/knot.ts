// A real name server on loopback, Knot of Debian's package `knot`, whose zones are changed under whoever asks it. What no
// zone holds does not exist, as in a world that consists of these zones.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

export type Knot = {
  /** As ASSAY_DNS_SERVERS takes it. */
  readonly address: string;
  readonly port: number;
  readonly pid: () => number;
  /** From now on the zone is this. */
  readonly change: (zone: string, text: string) => Promise<void>;
  /** It keeps silent: packets to it are lost. */
  readonly silence: () => Promise<void>;
  readonly wake: () => void;
  /** Questions that it got since it began. */
  readonly countQuestions: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

export type KnotOptions = {
  /**
   * Zone files by name (`a.example`, without the closing dot; `.` for all above). SOA and NS need not be in them: then they
   * are put before, with a TTL of 60 s for all that names none.
   */
  readonly zones: Readonly<Record<string, string>>;
  readonly workers?: number;
};

const program = "/usr/sbin/knotd";
const control = "/usr/sbin/knotc";
const loopback = "127.0.0.1";
const patienceMs = 20_000;

export const hasKnot = existsSync(program) && existsSync(control);

const run = promisify(execFile);

export async function startKnot({ zones, workers = 1 }: KnotOptions): Promise<Knot> {
  const folder = mkdtempSync(join(tmpdir(), "assay-knot-"));
  const port = await findPort();
  const settings = join(folder, "knot.conf");
  const all = { ".": "", ...zones };
  const writer = createZoneWriter(folder);
  for (const [zone, text] of Object.entries(all)) writer.write(zone, text);
  writeFileSync(settings, toSettings({ folder, port, workers, zones: Object.keys(all) }));
  const child = spawn(program, ["-c", settings], { stdio: ["ignore", "pipe", "pipe"] });
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const stop = async () => {
    process.off("exit", endWithUs);
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilUp(child, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: `${loopback}:${port}`,
    port,
    pid: () => child.pid ?? 0,
    change: async (zone, text) => {
      writer.write(zone, text);
      await run(control, ["-c", settings, "-b", "zone-reload", toRooted(zone)]);
    },
    silence: async () => {
      child.kill("SIGSTOP");
      await untilStopped(child);
    },
    wake: () => void child.kill("SIGCONT"),
    countQuestions: async () => {
      const { stdout } = await run(control, ["-c", settings, "stats", "mod-stats.request-protocol"]);
      return [...stdout.matchAll(/= (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    stop,
  };
}

type Settings = {
  readonly folder: string;
  readonly port: number;
  readonly workers: number;
  readonly zones: readonly string[];
};

function toSettings({ folder, port, workers, zones }: Settings): string {
  const threads = ["udp-workers", "tcp-workers", "background-workers"].map((name) => `  ${name}: ${workers}`);
  return [
    "server:",
    `  listen: ${loopback}@${port}`,
    `  rundir: ${folder}`,
    ...threads,
    "database:",
    `  storage: ${join(folder, "database")}`,
    "log:",
    "  - target: stderr",
    "    any: error",
    "mod-stats:",
    "  - id: count",
    "    request-protocol: on",
    "template:",
    "  - id: default",
    `    storage: ${folder}`,
    "    zonefile-sync: -1",
    "    zonefile-load: whole",
    "    journal-content: none",
    "    global-module: mod-stats/count",
    "zone:",
    ...zones.flatMap((zone) => [`  - domain: "${toRooted(zone)}"`, `    file: "${toFile(zone)}"`]),
    "",
  ].join("\n");
}

/** A serial that grows tells the server that there is something new. */
function createZoneWriter(folder: string) {
  let serial = 0;
  return {
    write: (zone: string, text: string) => {
      serial++;
      mkdirSync(join(folder, "zones"), { recursive: true });
      const hasTop = /\sSOA\s/i.test(text);
      const top = ["@ SOA ns.invalid. hostmaster.invalid. ", ` ${serial} 3600 600 86400 60`].join("");
      const names = /\sNS\s/i.test(text) ? [] : ["@ NS ns.invalid."];
      const head = hasTop ? [] : [`$ORIGIN ${toRooted(zone)}`, "$TTL 60", top, ...names];
      writeFileSync(join(folder, toFile(zone)), [...head, text, ""].join("\n"));
    },
  };
}

function toRooted(zone: string): string {
  return zone.endsWith(".") ? zone : `${zone}.`;
}

function toFile(zone: string): string {
  return `zones/${zone === "." ? "root" : zone}.zone`;
}

/** One that is free for both, as far as anybody can tell beforehand. */
async function findPort(): Promise<number> {
  const tcp = createServer().listen(0, loopback);
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  const bound = new Promise<boolean>((resolve) => {
    udp.once("error", () => resolve(false));
    udp.bind(port, loopback, () => resolve(true));
  });
  const isFree = await bound;
  await new Promise<void>((resolve) => udp.close(() => resolve()));
  await new Promise<void>((resolve) => tcp.close(() => resolve()));
  return isFree ? port : findPort();
}

/** A question for the root's SOA, by hand. */
const question = Buffer.from("000100000001000000000000" + "00" + "00060001", "hex");

async function untilUp(child: ChildProcess, port: number): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  const socket = createSocket("udp4");
  let isUp = false;
  // Any other reply says that its zones are not loaded yet.
  socket.on("message", (reply) => {
    isUp ||= ((reply[3] ?? 0) & 0xf) === 0;
  });
  socket.on("error", () => {});
  try {
    for (const deadline = Date.now() + patienceMs; !isUp; await pause(20)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`knotd did not start. ${complaint}`);
      socket.send(question, port, loopback, () => {});
    }
  } finally {
    socket.close();
  }
}

/** A busy machine lets some of its threads answer for a moment longer. */
async function untilStopped({ pid }: ChildProcess): Promise<void> {
  const threads = `/proc/${pid}/task`;
  const isStopped = (thread: string) => /\) T /.test(readFileSync(join(threads, thread, "stat"), "utf8"));
  for (const deadline = Date.now() + patienceMs; !readdirSync(threads).every(isStopped); await pause(5)) {
    if (Date.now() > deadline) throw new Error("knotd did not stop");
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
