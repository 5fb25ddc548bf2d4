// Measures the API's reads on a million tests against the same reads on a thousand in the same run: each read from
// twenty clients at once, alternating between the two servers, while /healthz is polled and mail arrives. Databases are
// kept under build/ and reused until the schema changes.
// Usage: npm run script -- scripts/bench/api.ts [--tests 1000000 --seconds 3 --rounds 5]

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { residentMegabytes } from "../resident.ts";
import { atMost, format, print, printMachine, ratioAtMost, toFigure } from "./bench.ts";
import { keptTests } from "./kept-tests.ts";
import { rareWord } from "./many-letters.ts";
import { headersOf, type Place } from "./many-tests.ts";
import { percentile, probeWhile } from "./probe.ts";

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

type Round = { readonly waitsMs: number[]; readonly healthMs: number[]; readonly intakeMs: number[] };

const clients = 20;
const few = 1_000;
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
  { name: "export of 5,000 rows", path: () => "/api/tests/export.csv", clients: 1 },
];

const { values } = parseArgs({
  options: {
    tests: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
  },
});
const [many, seconds, rounds] = [Number(values.tests), Number(values.seconds), Number(values.rounds)];

await main();

async function main(): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const tests of [few, many]) servers.push(await startServer(tests));
    printMachine();
    const [small, large] = servers;
    if (!small || !large) return;
    for (const read of reads) if (read.name.includes(values.only)) await compare(read, small, large);
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

async function compare(read: Read, small: Server, large: Server): Promise<void> {
  print(`\n${read.name}`);
  const taken = new Map([small, large].map((server) => [server, [] as Round[]]));
  // A warm-up that doesn't count: a server in use has compiled its code and knows which parts of words are common.
  for (const server of taken.keys()) await askForAWhile(read, server);
  for (let round = 0; round < rounds; round++)
    for (const [server, list] of taken) list.push(await askForAWhile(read, server));
  const figures = [...taken].map(([{ name }, list]) => {
    const all = list.flatMap(({ waitsMs }) => waitsMs).sort((a, b) => a - b);
    const worst = (waits: (round: Round) => number[]) =>
      percentile(
        list.flatMap(waits).sort((a, b) => a - b),
        0.99,
      );
    const medians = list.map(({ waitsMs }) =>
      percentile(
        waitsMs.toSorted((a, b) => a - b),
        0.5,
      ),
    );
    const figure = toFigure(name, "ms, p50", medians);
    const p99 = percentile(all, 0.99);
    print(
      `${"".padEnd(36)} p99 ${format(p99)} ms; meanwhile /healthz p99 ${format(worst(({ healthMs }) => healthMs))} ms, end of DATA to 250 p99 ${format(worst(({ intakeMs }) => intakeMs))} ms`,
    );
    return { figure, p99, health: worst(({ healthMs }) => healthMs) };
  });
  const [one, other] = figures;
  if (!one || !other) return;
  ratioAtMost(`${read.name}, many / few`, other.figure, one.figure, read.mostTimes);
  if (read.mostP99Ms === undefined) return;
  atMost({ name: `${read.name}, p99`, median: other.p99, runs: [] }, read.mostP99Ms, "ms");
  atMost({ name: "/healthz meanwhile, p99", median: other.health, runs: [] }, 100, "ms");
}

async function askForAWhile(read: Read, server: Server): Promise<Round> {
  const { process, place } = server;
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
  const asking = Promise.all([...Array.from({ length: read.clients ?? clients }, client), watch()]);
  const mail = { from: "news@shop.example", to: [process.seedAddress], body: "Subject: probe\n\nProbe.\n" };
  const intakeMs = await probeWhile(process.smtp.port, mail, asking);
  await asking;
  agent.destroy();
  return { waitsMs, healthMs, intakeMs };
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
