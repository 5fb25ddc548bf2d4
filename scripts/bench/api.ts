// Measures the API's reads on a million tests against the same reads on a thousand in the same run: each read from
// twenty clients at once, alternating between the two servers, while /healthz is polled. Databases are kept under build/
// and reused until the schema changes.
// Usage: npm run script -- scripts/bench/api.ts [--tests 1000000 --seconds 3 --rounds 5 --record]

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { processorSeconds } from "../processor-time.ts";
import { residentMegabytes } from "../resident.ts";
import { atMost, format, percentile, print, printMachine, ratioAtMost, toFigure } from "./bench.ts";
import { type Figures, record } from "./figures.ts";
import { keptTests } from "./kept-tests.ts";
import { rareWord } from "./many-letters.ts";
import { headersOf, type Place } from "./many-tests.ts";

type Server = {
  readonly name: string;
  readonly process: AssayProcess;
  readonly place: Place;
  readonly tests: number;
  /** A test ID and a cursor at the same place in the list. */
  readonly testId: string;
  readonly deepCursor: string;
};

type Read = {
  readonly name: string;
  readonly path: (server: Server, turn: number) => string;
  /** Limit for the ratio of medians, many tests to few. */
  readonly mostTimes?: number;
  readonly mostP99Ms?: number;
  readonly clients?: number;
};

type Round = { readonly waitsMs: number[]; readonly healthMs: number[]; readonly workMs: number };

const clients = 20;
const fewTests = 1_000;
const exportMegabytes = 30;

const reads: readonly Read[] = [
  { name: "list, first page", path: () => "/api/tests", mostTimes: 1.5 },
  { name: "list, deep page by cursor", path: ({ deepCursor }) => `/api/tests?cursor=${deepCursor}` },
  { name: "search, a rare word", path: (_, turn) => `/api/tests?q=${rareWord(turn)}`, mostP99Ms: 50 },
  { name: "search, a common word", path: () => "/api/tests?q=account", mostP99Ms: 50 },
  { name: "search, two words", path: (_, turn) => `/api/tests?q=order+${turn % 1_000}`, mostP99Ms: 50 },
  {
    name: "filter, sender's domain",
    path: (_, turn) => `/api/tests?from_domain=sender${turn % 2_000}.example`,
    mostP99Ms: 50,
  },
  { name: "filter, score", path: () => "/api/tests?max_score=40", mostP99Ms: 50 },
  { name: "report", path: ({ testId }) => `/api/tests/${testId}` },
  { name: "dashboard", path: () => "/api/dashboard/summary", mostTimes: 1.5 },
  { name: "export of 5,000 rows, one client", path: () => "/api/tests/export.csv", clients: 1 },
];

const { values } = parseArgs({
  options: {
    tests: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    record: { type: "boolean", default: false },
  },
});
const [manyTests, seconds, countOfRounds] = [Number(values.tests), Number(values.seconds), Number(values.rounds)];

await main();

async function main(): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const tests of [fewTests, manyTests]) servers.push(await startServer(tests));
    printMachine();
    const [small, large] = servers;
    if (!small || !large) return;
    const figures: Record<string, Figures[string]> = {};
    for (const read of reads) {
      if (!read.name.includes(values.only)) continue;
      const { figure, p99, work, health } = await compare(read, small, large);
      figures[read.name] = {
        p50: [figure.median, "ms"],
        p99: [p99, "ms"],
        "Processor time": [work, "ms"],
        "`/healthz` meanwhile, p99": [health, "ms"],
      };
    }
    record("reads", figures);
    await watchExport(large);
  } finally {
    for (const { process } of servers) await process.end("SIGTERM");
  }
}

async function startServer(tests: number): Promise<Server> {
  const { dataDir, places } = await keptTests(tests);
  const environment = { ASSAY_LOG_LEVEL: "info", ASSAY_RETENTION_DAYS: "0" };
  const process = await startAssay({ dataDir, environment });
  const [place] = places;
  if (!place) throw new Error("There is no workspace.");
  const deep = Math.floor(((tests / places.length) * 9) / 10);
  const page = await readJson(process.http, `/api/tests?limit=1&offset=${deep}`, place);
  const { id } = page.items[0] ?? { id: "" };
  return {
    name: `${tests.toLocaleString("en")} tests`,
    process,
    place,
    tests,
    testId: id,
    deepCursor: page.next ?? "",
  };
}

async function readJson(
  http: string,
  path: string,
  place: Place,
): Promise<{ items: { id: string }[]; next: string | null }> {
  const answer = await fetch(http + path, { headers: headersOf(place) });
  if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as { items: { id: string }[]; next: string | null };
}

/** Returns the figures of the large one. */
async function compare(read: Read, small: Server, large: Server) {
  print(`\n${read.name}`);
  const rounds: Record<"few" | "many", Round[]> = { few: [], many: [] };
  // A warm-up that doesn't count: a server in use has compiled its code and knows which parts of words are common.
  for (const server of [small, large]) await askForAWhile(read, server);
  for (let round = 0; round < countOfRounds; round++) {
    rounds.few.push(await askForAWhile(read, small));
    rounds.many.push(await askForAWhile(read, large));
  }
  const [few, many] = [summarize(small, rounds.few), summarize(large, rounds.many)];
  ratioAtMost(`${read.name}, many / few`, many.figure, few.figure, read.mostTimes);
  if (read.mostP99Ms !== undefined) {
    atMost({ name: `${read.name}, p99`, median: many.p99, runs: [] }, read.mostP99Ms, "ms");
    atMost({ name: "/healthz meanwhile, p99", median: many.health, runs: [] }, 100, "ms");
  }
  return many;
}

function summarize({ name }: Server, rounds: readonly Round[]) {
  const medians = rounds.map(({ waitsMs }) => percentile(waitsMs, 0.5));
  const figure = toFigure(name, "ms, p50", medians);
  const waits = rounds.flatMap(({ waitsMs }) => waitsMs);
  const p99 = percentile(waits, 0.99);
  const healthWaits = rounds.flatMap(({ healthMs }) => healthMs);
  const health = percentile(healthWaits, 0.99);
  const costs = rounds.map(({ workMs }) => workMs);
  const work = percentile(costs, 0.5);
  print(
    `${"".padEnd(36)} p99 ${format(p99)} ms, processor time ${format(work)} ms; meanwhile /healthz p99 ${format(health)} ms`,
  );
  return { figure, p99, health, work };
}

async function askForAWhile(read: Read, server: Server): Promise<Round> {
  const { process, place } = server;
  const pid = process.child.pid ?? 0;
  const before = processorSeconds(pid);
  const agent = new Agent({ keepAlive: true, maxSockets: clients + 1 });
  const until = performance.now() + seconds * 1_000;
  const waitsMs: number[] = [];
  const healthMs: number[] = [];
  let turn = Math.floor(Math.random() * 1_000);
  const client = async () => {
    while (performance.now() < until) {
      const path = read.path(server, turn++);
      waitsMs.push(await ask(agent, process.http + path, headersOf(place)));
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      healthMs.push(await ask(agent, `${process.http}/healthz`, {}));
      await sleep(20);
    }
  };
  await Promise.all([...Array.from({ length: read.clients ?? clients }, client), watch()]);
  agent.destroy();
  return { waitsMs, healthMs, workMs: ((processorSeconds(pid) - before) * 1_000) / waitsMs.length };
}

function ask(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((done, reject) => {
    const began = performance.now();
    const asked = request(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.resume().on("end", () => done(performance.now() - began));
    });
    asked.on("error", reject).end();
  });
}

/** The memory that exports take: the peak during twenty in a row, compared with before. */
async function watchExport({ process, place }: Server): Promise<void> {
  const pid = process.child.pid ?? 0;
  const agent = new Agent({ keepAlive: true });
  const before = residentMegabytes(pid, "now");
  let most = before;
  for (let turn = 0; turn < 20; turn++) {
    const asking = ask(agent, `${process.http}/api/tests/export.csv`, headersOf(place));
    const timer = setInterval(() => {
      most = Math.max(most, residentMegabytes(pid, "now"));
    }, 5);
    await asking;
    clearInterval(timer);
  }
  agent.destroy();
  print(`\nmemory before exports ${format(before)} MB, at most ${format(most)} MB`);
  atMost({ name: "export, more memory", median: most - before, runs: [] }, exportMegabytes, "MB");
}
