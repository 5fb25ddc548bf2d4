// Measures messages per second through four listeners with one client (Postfix's smtp-source) on one machine:
// smtp-server that discards, ours durable without analysis, the whole program with analysis, and MailDev. All runs take
// the same time, and each starts once all earlier work is done.
// Usage: npm run script -- scripts/bench/intake.ts [--quick | --rounds 5 --seconds 2
//   --connections 1,20,100 --sizes "3 KB,60 KB,1 MB"]

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/dns-server.ts";
import { residentMegabytes } from "../resident.ts";
import { type Figure, format, print, printMachine, ratio, toFigure } from "./bench.ts";
import {
  type Contestant,
  type Surroundings,
  startDiscard,
  startDurable,
  startMaildev,
  startProgram,
} from "./contestants.ts";
import { installMaildev } from "./maildev.ts";
import { type MailSize, type Mails, mailSizes, writeMails } from "./mails.ts";
import { percentile, probeWhile } from "./probe.ts";
import { hasSmtpSource, send } from "./smtp-source.ts";

type Runs = {
  readonly contestant: Contestant;
  readonly name: Name;
  readonly taken: number[];
  readonly analysed: number[];
  readonly waitsMs: number[];
};
type Case = { readonly size: MailSize; readonly connections: number; readonly mails: Mails };

const starters = {
  "smtp-server, discards": startDiscard,
  "ours, durable": startDurable,
  "ours, with analysis": startProgram,
  MailDev: startMaildev,
};
type Name = keyof typeof starters;

/** Medians at 20 connections. */
const stated: readonly { of: Name; to: Name; atLeast: Partial<Record<MailSize, number>> }[] = [
  { of: "ours, durable", to: "smtp-server, discards", atLeast: { "3 KB": 0.5, "60 KB": 0.38 } },
  { of: "ours, with analysis", to: "MailDev", atLeast: { "3 KB": 1.8, "60 KB": 1.5, "1 MB": 1.1 } },
];
const statedConnections = 20;
const warmUpMessages: Readonly<Record<MailSize, number>> = { "3 KB": 20_000, "60 KB": 3_000, "1 MB": 200 };
/**
 * As long as the runs that count, because the compiler works on our code until about 60,000 short messages have
 * arrived.
 */
const warmUpRuns = 3;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string" },
    sizes: { type: "string" },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = Number(values.seconds ?? (values.quick ? 1 : 2));
const connectionCounts = (values.connections ?? (values.quick ? "20" : "1,20,100")).split(",").map(Number);
const sizes = mailSizes.filter((size) => (values.sizes ?? mailSizes.join(",")).split(",").includes(size));

if (hasSmtpSource()) await main();

async function main(): Promise<void> {
  installMaildev();
  mkdirSync("build", { recursive: true }); // not the temporary folder, which is memory on some machines
  const folder = mkdtempSync(resolve("build", "bench-intake-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  printMachine();
  try {
    for (const size of sizes)
      for (const connections of connectionCounts) {
        const surroundings = {
          folder: join(folder, `${size}-${connections}`.replace(" ", "-")),
          dnsServer: `${dns.address}:${dns.port}`,
        };
        await compare({ size, connections, mails }, surroundings);
      }
  } finally {
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(given: Case, surroundings: Surroundings): Promise<void> {
  const { size, connections } = given;
  mkdirSync(surroundings.folder);
  print(`\n${size}, ${connections} connection${connections === 1 ? "" : "s"}`);
  const all: Runs[] = [];
  try {
    for (const [name, start] of Object.entries(starters) as [Name, (typeof starters)[Name]][])
      all.push({ name, contestant: await start(surroundings), taken: [], analysed: [], waitsMs: [] });
    const planned = new Map<Name, number>();
    for (const runs of all) planned.set(runs.name, await warmUp(runs.contestant, given));
    for (let round = 0; round < rounds; round++)
      for (const runs of all) await runOnce(runs, given, planned.get(runs.name) ?? 0);
    judge(given, all);
  } finally {
    for (const { contestant } of all) await contestant.stop();
    rmSync(surroundings.folder, { recursive: true, force: true });
  }
}

/** Doesn't count. Returns how many messages make a run. */
async function warmUp(contestant: Contestant, given: Case): Promise<number> {
  const first = warmUpMessages[given.size];
  const perSecond = first / (await send(toLoad(contestant, given, first)));
  const messages = Math.max(given.connections * 2, Math.round(perSecond * seconds));
  for (let run = 0; run < warmUpRuns; run++) {
    await untilIdle(contestant);
    await send(toLoad(contestant, given, messages));
  }
  await untilIdle(contestant);
  return messages;
}

async function runOnce({ contestant, taken, analysed, waitsMs }: Runs, given: Case, messages: number): Promise<void> {
  const { mails } = given;
  execFileSync("sync"); // writes what the previous run left in the page cache, so that no flush waits for it
  const began = performance.now();
  const sending = send(toLoad(contestant, given, messages));
  const mail = { from: mails.sender, to: [contestant.recipient], body: mails.bodies["3 KB"] };
  const probed = await probeWhile(contestant.port, mail, sending);
  taken.push(messages / (await sending));
  waitsMs.push(...probed);
  await untilIdle(contestant);
  analysed.push((messages + probed.length) / ((performance.now() - began) / 1_000));
}

function toLoad(
  { port, recipient }: Contestant,
  { size, connections, mails }: Case,
  messages: number,
): Parameters<typeof send>[0] {
  return { port, recipient, sender: mails.sender, file: mails.files[size], connections, messages };
}

async function untilIdle({ backlog }: Contestant): Promise<void> {
  while ((await backlog()) > 0) await sleep(50);
}

function judge({ size, connections }: Case, all: readonly Runs[]): void {
  const figures = new Map<Name, Figure>();
  for (const { name, taken } of all) figures.set(name, toFigure(name, "messages/s", taken));
  for (const { name, analysed } of all)
    if (name === "ours, with analysis") toFigure("ours, analyses completed", "messages/s", analysed);
  for (const { name, waitsMs, contestant } of all) {
    print(
      `${name.padEnd(36)} end of DATA to 250: p50 ${format(percentile(waitsMs, 0.5))} ms, p99 ${format(percentile(waitsMs, 0.99))} ms; peak memory ${format(residentMegabytes(contestant.pid, "peak"))} MB`,
    );
  }
  for (const { of, to, atLeast } of stated) {
    const [a, b] = [figures.get(of), figures.get(to)];
    if (a && b) ratio(`${of} / ${to}`, a, b, connections === statedConnections ? atLeast[size] : undefined);
  }
}
