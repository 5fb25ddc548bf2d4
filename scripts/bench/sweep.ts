// Measures the cost of checking ten thousand domains from a real name server on this machine, in a real Assay, while
// mail arrives: the first sweep, which guesses selectors, and the next one, which is the hourly cost. Then, with half
// as many domains, how long senders wait meanwhile, compared with quiet periods before and after, and with a second
// Assay on the same cores that gets the same mail and sweeps nothing. Delays that both share are due to the CPU; only
// the difference is the sweep's.
// Needs Knot (Debian's package `knot`).
// Usage: npm run script -- scripts/bench/sweep.ts [--domains 10000]

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { decodeReport } from "../../src/features/tests/rows/reports.ts";
import { hasKnot, type Knot, startKnot } from "../../test/knot.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { residentMegabytes } from "../resident.ts";
import { atMost, type Figure, format, print, printMachine, ratioAtMost } from "./bench.ts";
import { insertDueDomains, makeManyDomains } from "./many-domains.ts";
import { percentile, probeWhile } from "./probe.ts";

type Running = {
  readonly server: AssayProcess;
  /** It sweeps nothing. It doesn't run during sweeps whose time counts, because it would take half a core. */
  readonly neighbour: AssayProcess | null;
  readonly knot: Knot;
  readonly database: Database.Database;
  readonly domains: number;
};

/** How long senders waited, in milliseconds: at the server that sweeps, and at its neighbor. */
type Waits = { readonly here: readonly number[]; readonly there: readonly number[] };

const mostSeconds = 120;
const patienceMs = 10 * mostSeconds * 1_000;
/** How much more p99 may rise than the neighbor's. */
const mostTimesNeighbour = 1.25;
const quietSeconds = 60;
const sweeps = ["first sweep", "next sweep"];
const hourMs = 3_600_000;

const { values } = parseArgs({ options: { domains: { type: "string", default: "10000" } } });
if (hasKnot) await main(Number(values.domains));
else print("Knot is not installed, so nothing was measured.");

async function main(domains: number): Promise<void> {
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(join(resolve("build"), "bench-sweep-"));
  const { names, zones } = makeManyDomains(domains);
  const knot = await startKnot({ zones, workers: 2 });
  printMachine();
  try {
    await withDomains(join(folder, "alone"), names, knot, async (alone) => {
      for (const name of sweeps) atMost(await measureSweep(name, alone), mostSeconds, "s");
    });
    const half = names.slice(0, Math.ceil(names.length / 2));
    await withDomains(join(folder, "beside"), half, knot, async (one) => {
      const neighbour = await startServer(join(folder, "neighbour"), knot);
      try {
        await compareWaits({ ...one, neighbour });
      } finally {
        await neighbour.end("SIGTERM");
      }
    });
  } finally {
    await knot.stop();
    rmSync(folder, { recursive: true });
  }
}

function startServer(dataDir: string, { address }: Knot): Promise<AssayProcess> {
  return startAssay({ dataDir, environment: { ASSAY_DNS_SERVERS: address } });
}

async function withDomains(
  dataDir: string,
  names: readonly string[],
  knot: Knot,
  work: (running: Running) => Promise<void>,
): Promise<void> {
  await (await startServer(dataDir, knot)).end("SIGTERM");
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  insertDueDomains(database, names, Date.now() + hourMs);
  const server = await startServer(dataDir, knot);
  try {
    await work({ server, neighbour: null, knot, database, domains: names.length });
  } finally {
    database.close();
    await server.end("SIGTERM");
  }
}

async function compareWaits(running: Running): Promise<void> {
  let before = await probeQuiet(running);
  for (const name of sweeps) {
    const { waits } = await measureSweep(name, running);
    const after = await probeQuiet(running);
    ratioAtMost(
      `${name}, p99 here / there, compared with before and after`,
      apart(waits),
      apart(together(before, after)),
      mostTimesNeighbour,
    );
    before = after;
  }
}

async function probeQuiet(running: Running): Promise<Waits> {
  print("\nno sweep");
  return await probeBoth(running, sleep(quietSeconds * 1_000));
}

async function measureSweep(name: string, running: Running): Promise<Figure & { readonly waits: Waits }> {
  const { server, knot, database, domains } = running;
  print(`\n${name} of ${domains.toLocaleString("en")} domains${running.neighbour ? ", with a neighbor" : ""}`);
  const pid = server.child.pid ?? 0;
  const startedAt = Date.now();
  database.prepare("update domains set due_at = ?").run(startedAt);
  const checked = database.prepare("select count(*) from domains where checked_at >= ?").pluck();
  const countChecked = () => Number(checked.get(startedAt));
  // It polls once a minute.
  while (countChecked() === 0) await sleep(50);
  const asked = await knot.countQuestions();
  const began = performance.now();
  const sweeping = untilNoneIsDue(database, startedAt);
  const waits = await probeBoth(running, sweeping);
  await sweeping;
  const seconds = (performance.now() - began) / 1_000;
  if (countChecked() < domains) throw new Error(`Only ${countChecked()} of ${domains} domains were checked.`);
  const queries = (await knot.countQuestions()) - asked;
  const questions = countQuestions(database);
  const shared = 100 * (1 - queries / questions);
  print(
    `${format(domains / seconds)} domains/s, ${queries.toLocaleString("en")} queries (${format(queries / domains)} a domain), ${format(queries / seconds)} queries/s; of ${questions.toLocaleString("en")} questions ${format(shared)} % were answered from the cache`,
  );
  print(`memory of the whole program at most ${format(residentMegabytes(pid, "peak"))} MB`);
  return { name, median: seconds, runs: [], waits };
}

/** Reads one index entry, because the probes also wait for anything slower here. */
async function untilNoneIsDue(database: Database.Database, startedAt: number): Promise<void> {
  const due = database.prepare("select id from domains where due_at <= ? limit 1").pluck();
  for (const deadline = Date.now() + patienceMs; due.get(startedAt) !== undefined; await sleep(100))
    if (Date.now() > deadline) return;
}

/** For all checks together. A check's repeated questions count once. */
function countQuestions(database: Database.Database): number {
  let questions = 0;
  for (const report of database.prepare("select report from domain_reports").pluck().iterate() as Iterable<Buffer>)
    questions += (JSON.parse(decodeReport(report)) as { analysis: { dns: unknown[] } }).analysis.dns.length;
  return questions;
}

function apart({ here, there }: Waits): Figure {
  return { name: "here / there", median: p99(here) / p99(there), runs: [] };
}

/** p99 of a single minute is too random with forty messages. */
function together(one: Waits, other: Waits): Waits {
  return { here: [...one.here, ...other.here], there: [...one.there, ...other.there] };
}

function p99(waitsMs: readonly number[]): number {
  return percentile(inOrder(waitsMs), 0.99);
}

function inOrder(waitsMs: readonly number[]): number[] {
  return waitsMs.toSorted((one, other) => one - other);
}

async function probeBoth(
  { server, neighbour }: Pick<Running, "server" | "neighbour">,
  work: Promise<unknown>,
): Promise<Waits> {
  const [here, there] = await Promise.all([probe(server, work), neighbour ? probe(neighbour, work) : []]);
  printWaits("mail here", here);
  if (neighbour) printWaits("mail to the neighbor", there);
  return { here, there };
}

async function probe({ smtp, seedAddress }: AssayProcess, work: Promise<unknown>): Promise<number[]> {
  const body = "From: news@shop.example\nSubject: probe\n\nProbe.\n";
  return await probeWhile(smtp.port, { from: "news@shop.example", to: [seedAddress], body }, work);
}

function printWaits(name: string, waitsMs: readonly number[]): void {
  const half = percentile(inOrder(waitsMs), 0.5);
  print(
    `${name}: ${waitsMs.length} messages, end of DATA to 250 p50 ${format(half)} ms, p99 ${format(p99(waitsMs))} ms`,
  );
}
