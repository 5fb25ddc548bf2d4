// What it costs to check ten thousand domains of a real name server on this machine, in the true program, while mail comes
// in: the first sweep, which guesses selectors, and the next, which is what every hour costs. Beside them, in the same run,
// what a sender waits for a 250 while nothing is swept, and at another Assay on the same cores that sweeps nothing: what
// both wait longer for is the processor's; only what senders wait longer for than there, and did not before, does the sweep
// cost them. Needs Knot (Debian's package `knot`).
// Usage: npm run bench:sweep [-- --domains 10000]

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { decodeReport } from "../../src/store/reports.ts";
import { hasKnot, type Knot, startKnot } from "../../test/knot.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { residentMegabytes } from "../resident.ts";
import { atMost, type Figure, format, print, printMachine, ratioAtMost } from "./bench.ts";
import { insertDueDomains, makeManyDomains } from "./many-domains.ts";
import { percentile, probeWhile } from "./probe.ts";

type Running = {
  readonly server: AssayProcess;
  /** Sweeps nothing. */
  readonly neighbour: AssayProcess;
  readonly knot: Knot;
  readonly database: Database.Database;
  readonly domains: number;
};

/** What senders waited for, in milliseconds: of the one that sweeps, and of the other. */
type Waits = { readonly here: readonly number[]; readonly there: readonly number[] };

const mostSeconds = 120;
const patienceMs = 10 * mostSeconds * 1_000;
/** How much more p99 may rise than the neighbour's does. */
const mostTimesNeighbour = 1.25;
const quietSeconds = 60;
const hourMs = 3_600_000;

const { values } = parseArgs({ options: { domains: { type: "string", default: "10000" } } });
if (hasKnot) await main(Number(values.domains));
else print("Knot is not installed: nothing was measured.");

async function main(domains: number): Promise<void> {
  mkdirSync("build", { recursive: true });
  const dataDir = mkdtempSync(join(resolve("build"), "bench-sweep-"));
  const { names, zones } = makeManyDomains(domains);
  const knot = await startKnot({ zones, workers: 2 });
  const environment = { ASSAY_DNS_SERVERS: knot.address };
  printMachine();
  let server = await startAssay({ dataDir, environment });
  const neighbour = await startAssay({ dataDir: join(dataDir, "neighbour"), environment });
  try {
    await server.end("SIGTERM");
    const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
    insertDueDomains(database, names, Date.now() + hourMs);
    server = await startAssay({ dataDir, environment });
    const running = { server, neighbour, knot, database, domains };
    let before = await probeQuiet(running);
    for (const name of ["first sweep", "next sweep"]) {
      const sweep = await measureSweep(name, running);
      const after = await probeQuiet(running);
      ratioAtMost(
        `${name}, p99 here / there, beside the same before and after`,
        apart(sweep),
        apart(together(before, after)),
        mostTimesNeighbour,
      );
      before = after;
    }
    database.close();
  } finally {
    await server.end("SIGTERM");
    await neighbour.end("SIGTERM");
    await knot.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function probeQuiet(running: Running): Promise<Waits> {
  print("\nnothing is swept");
  return await probeBoth(running, sleep(quietSeconds * 1_000));
}

async function measureSweep(name: string, running: Running): Promise<Waits> {
  const { server, knot, database, domains } = running;
  print(`\n${name} of ${domains.toLocaleString("en")} domains`);
  const pid = server.child.pid ?? 0;
  const startedAt = Date.now();
  database.prepare("update domains set due_at = ?").run(startedAt);
  const checked = database.prepare("select count(*) from domains where checked_at >= ?").pluck();
  const countChecked = () => Number(checked.get(startedAt));
  // It looks once a minute.
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
    `${format(domains / seconds)} domains/s, ${queries.toLocaleString("en")} queries (${format(queries / domains)} a domain), ${format(queries / seconds)} queries/s; of ${questions.toLocaleString("en")} questions ${format(shared)} % were answered from memory`,
  );
  print(`memory of the whole program at most ${format(residentMegabytes(pid, "peak"))} MB`);
  atMost({ name, median: seconds, runs: [] }, mostSeconds, "s");
  return waits;
}

/** A look at one entry of an index: what takes longer here, the probes wait for as well. */
async function untilNoneIsDue(database: Database.Database, startedAt: number): Promise<void> {
  const due = database.prepare("select id from domains where due_at <= ? limit 1").pluck();
  for (const deadline = Date.now() + patienceMs; due.get(startedAt) !== undefined; await sleep(100))
    if (Date.now() > deadline) return;
}

/** Of all checks together, each question of a check once. */
function countQuestions(database: Database.Database): number {
  let questions = 0;
  for (const report of database
    .prepare("select report from domain_reports")
    .pluck()
    .iterate() as Iterable<Buffer>)
    questions += (JSON.parse(decodeReport(report)) as { analysis: { dns: unknown[] } }).analysis.dns.length;
  return questions;
}

function apart({ here, there }: Waits): Figure {
  return { name: "here / there", median: worst(here) / worst(there), runs: [] };
}

/** Of a minute alone p99 is a matter of luck: forty messages. */
function together(one: Waits, other: Waits): Waits {
  return { here: [...one.here, ...other.here], there: [...one.there, ...other.there] };
}

function worst(waitsMs: readonly number[]): number {
  return percentile(inOrder(waitsMs), 0.99);
}

function inOrder(waitsMs: readonly number[]): number[] {
  return waitsMs.toSorted((one, other) => one - other);
}

async function probeBoth(
  { server, neighbour }: Pick<Running, "server" | "neighbour">,
  work: Promise<unknown>,
): Promise<Waits> {
  const [here, there] = await Promise.all([probe(server, work), probe(neighbour, work)]);
  tell("mail here", here);
  tell("mail to the other", there);
  return { here, there };
}

async function probe({ smtp, seedAddress }: AssayProcess, work: Promise<unknown>): Promise<number[]> {
  const body = "From: news@shop.example\nSubject: probe\n\nProbe.\n";
  return await probeWhile(smtp.port, { from: "news@shop.example", to: [seedAddress], body }, work);
}

function tell(name: string, waitsMs: readonly number[]): void {
  const half = percentile(inOrder(waitsMs), 0.5);
  print(
    `${name}: ${waitsMs.length} messages, end of DATA to 250 p50 ${format(half)} ms, p99 ${format(worst(waitsMs))} ms`,
  );
}
