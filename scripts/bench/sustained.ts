// Checks that analysis keeps its speed and memory stays constant while mail arrives for minutes. The sender keeps the
// backlog between one and a few seconds of work. The analyzer's own rate is measured before and after, as the rate of
// its thread alone with the same message, without SMTP and database, and compared with the program's rate once sending
// has stopped.
// Usage: npm run script -- scripts/bench/sustained.ts [--minutes 5 --size "3 KB"]

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { toSessionText } from "../../src/analyzer/mail/session/session-text.ts";
import { noCircumstances } from "../../src/analyzer/reports/known-facts.ts";
import type { Finding } from "../../src/features/tests/analysis/analyze-stored.ts";
import type { AnalysisContextOptions } from "../../src/features/tests/analysis/context.ts";
import { createJobThread, type JobOutcome } from "../../src/features/tests/analysis/job-thread.ts";
import { spawnThread } from "../../src/platform/system/assets.ts";
import { startDnsServer } from "../../test/dns-server.ts";
import { residentMegabytes } from "../resident.ts";
import { format, print, printMachine, ratio, toFigure } from "./bench.ts";
import { type Contestant, startProgram } from "./contestants.ts";
import { type Mails, mailSizes, writeMails } from "./mails.ts";
import { hasSmtpSource, type Load, send } from "./smtp-source.ts";

type Sample = { readonly atMs: number; readonly analysed: number; readonly memory: number };

const connections = 20;
const inFlight = 16;
const ownRateMs = 8_000;
const lineEveryMs = 10_000;
const lookEveryMs = 100;
const drainSeconds = 4;
const maxGrowth = 1.1;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, size: { type: "string", default: "3 KB" } },
});
const minutes = Number(values.minutes);
const size = mailSizes.find((known) => known === values.size);
if (!size) throw new Error(`--size takes ${mailSizes.join(", ")}.`);

if (hasSmtpSource()) await main(size);

async function main(size: (typeof mailSizes)[number]): Promise<void> {
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(resolve("build", "bench-sustained-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  const dnsServer = `${dns.address}:${dns.port}`;
  printMachine();
  try {
    const raw = readFileSync(mails.files[size], "latin1").replaceAll("\n", "\r\n");
    const alone = () => analyseAlone(Buffer.from(raw, "latin1"), dns.port, mails);
    const before = await alone();
    const program = await startProgram({ folder, dnsServer });
    const file = mails.files[size];
    const load = { port: program.port, recipient: program.recipient, sender: mails.sender, file, connections };
    const samples: Sample[] = [];
    let drained = Number.NaN;
    try {
      samples.push(...(await keepBusy(program, load, before)));
      drained = await drain(program, load, Math.ceil(before * drainSeconds));
    } finally {
      await program.stop();
    }
    judge(samples, [before, await alone()], drained);
  } finally {
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Analyses per second of the thread, with as many in progress as in the program. */
async function analyseAlone(raw: Buffer, dnsPort: number, mails: Mails): Promise<number> {
  const options: AnalysisContextOptions = {
    dnsClient: { servers: [{ host: "127.0.0.1", port: dnsPort }], timeoutMs: 2_000 },
    receiver: "seed.example",
    budgetMs: 8_000,
    dnsbls: [],
    rspamdUrl: null,
    spamdAddress: null,
  };
  const thread = createJobThread({
    spawn: (phase) => spawnThread("worker", { ...options, phase }),
    deadlineMs: 15_000,
  });
  const session = toSessionText(
    claimedSession({
      clientAddress: "127.0.0.1",
      helo: "client.example",
      mailFrom: mails.sender,
      rcptTo: ["anyone@seed.example"],
    }),
  );
  const message = {
    encoding: 0,
    bytes: raw,
    session,
    receivedAt: Date.now(),
    recorded: null,
    circumstances: noCircumstances,
  };
  await thread.warmUp();
  let analysed = 0;
  const lane = async (until: number) => {
    while (performance.now() < until) {
      requireVerdict(await thread.run({ kind: "analyze", message }));
      analysed++;
    }
  };
  const analyseFor = (ms: number) => Promise.all(Array.from({ length: inFlight }, () => lane(performance.now() + ms)));
  await analyseFor(ownRateMs / 4); // warm-up
  analysed = 0;
  const began = performance.now();
  await analyseFor(ownRateMs);
  const perSecond = analysed / ((performance.now() - began) / 1_000);
  await thread.close();
  return perSecond;
}

/** The zone must answer and the signature must verify, so that all of the work is measured. */
function requireVerdict(answer: JobOutcome<Finding>): void {
  const finding = answer.outcome === "answer" ? answer.answer : null;
  const verdict = finding?.kind === "test" ? finding.analysis.dmarc : null;
  if (verdict !== "pass") throw new Error(`The analysis ended as ${answer.outcome}, its DMARC verdict is ${verdict}.`);
}

/**
 * Sends a second's worth of messages whenever fewer than two seconds' worth wait. Counted after each, when none is in
 * progress.
 */
async function keepBusy(program: Contestant, load: Omit<Load, "messages">, ownRate: number): Promise<Sample[]> {
  const messages = Math.ceil(ownRate);
  const samples: Sample[] = [];
  let sent = 0;
  let wasEmpty = 0;
  let printed: Sample = { atMs: 0, analysed: 0, memory: 0 };
  const began = performance.now();
  while (performance.now() - began < minutes * 60_000) {
    await send({ ...load, messages });
    sent += messages;
    const backlog = await program.backlog();
    const memory = residentMegabytes(program.pid, "now");
    const sample = { atMs: performance.now() - began, analysed: sent - backlog, memory };
    samples.push(sample);
    if (sample.atMs - printed.atMs >= lineEveryMs) {
      const perSecond = (sample.analysed - printed.analysed) / ((sample.atMs - printed.atMs) / 1_000);
      print(
        `${Math.round(sample.atMs / 1_000)} s: ${format(perSecond)} analyses/s, backlog ${backlog}, memory ${format(memory)} MB`,
      );
      printed = sample;
    }
    let waiting = backlog;
    for (; waiting > messages * 2; waiting = await program.backlog()) await sleep(lookEveryMs);
    if (waiting === 0) wasEmpty++;
  }
  print(`${sent} messages sent; the backlog was empty ${wasEmpty} times.`);
  return samples;
}

/** Analyses per second of the program after sending has stopped. */
async function drain(program: Contestant, load: Omit<Load, "messages">, messages: number): Promise<number> {
  await send({ ...load, messages });
  const began = performance.now();
  const waiting = await program.backlog();
  while ((await program.backlog()) > 0) await sleep(lookEveryMs / 2);
  return waiting / ((performance.now() - began) / 1_000);
}

function judge(samples: readonly Sample[], alone: readonly number[], drained: number): void {
  const mean = (figures: readonly number[]) => figures.reduce((sum, one) => sum + one, 0) / figures.length;
  const own = toFigure("the analyzer alone", "analyses/s", alone);
  const pairs = samples.slice(1).map((sample, index) => [samples[index] ?? sample, sample] as const);
  const together = toFigure("while mail arrives", "analyses/s", thirds(pairs, rateOver));
  const afterwards = toFigure("after the sender stopped", "analyses/s", [drained]);
  ratio("while mail arrives / after it stopped", { ...together, median: rateOver(pairs) }, afterwards);
  ratio("while mail arrives / alone", { ...together, median: rateOver(pairs) }, { ...own, median: mean(alone) }, 0.9);
  const [, second = 0, last = Number.NaN] = thirds(samples, (within) => mean(within.map(({ memory }) => memory)));
  const growth = last / second;
  const missed = !(growth <= maxGrowth);
  print(
    `memory, last third / second third: ${format(last)} / ${format(second)} MB = ${growth.toFixed(2)} times (at most ${maxGrowth}${missed ? ": MISSED" : ""})`,
  );
  if (missed) process.exitCode = 1;
}

function rateOver(pairs: readonly (readonly [Sample, Sample])[]): number {
  const [first, last] = [pairs[0]?.[0], pairs.at(-1)?.[1]];
  return first && last ? (last.analysed - first.analysed) / ((last.atMs - first.atMs) / 1_000) : Number.NaN;
}

/** Bursts are sent whenever there is room, so thirds of their number are thirds of the time. */
function thirds<T>(all: readonly T[], toNumber: (some: readonly T[]) => number): number[] {
  const part = Math.ceil(all.length / 3);
  return [0, 1, 2].map((third) => toNumber(all.slice(third * part, (third + 1) * part)));
}
