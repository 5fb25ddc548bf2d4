// Measures how much processor time an idle Assay with a thousand monitored domains and a hundred hourly canaries takes:
// over a minute in which only canaries are due, and for the hourly check of all domains against a real name server. Fails above one percent of a core in
// total. Needs Knot (Debian's package `knot`) and /proc.
// Usage: npm run script -- scripts/bench/idle.ts [--seconds 60 --record]

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { SMTPServer } from "smtp-server";
import { createId } from "../../src/platform/ids.ts";
import { hasKnot, startKnot } from "../../test/knot.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { processorSeconds } from "../processor-time.ts";
import { print, printMachine } from "./bench.ts";
import { record } from "./figures.ts";
import { insertDueDomains, makeManyDomains } from "./many-domains.ts";

const domains = 1_000;
const canaries = 100;
const mostShare = 0.01;
const hourMs = 3_600_000;
const patienceMs = 600_000;

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, record: { type: "boolean", default: false } },
});
if (hasKnot) await main(Number(values.seconds));
else print("Knot is not installed, so nothing was measured.");

async function main(seconds: number): Promise<void> {
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(join(resolve("build"), "bench-idle-"));
  const { names, zones } = makeManyDomains(domains);
  const knot = await startKnot({ zones, workers: 2 });
  const relay = await startSwallower();
  const environment = {
    ASSAY_DNS_SERVERS: knot.address,
    ASSAY_LOG_LEVEL: "info",
    ASSAY_SEED_DOMAINS: "seed.example",
    ASSAY_SEND_SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
  };
  printMachine();
  try {
    await (await startAssay({ dataDir: folder, environment })).end("SIGTERM");
    const database = new Database(join(folder, "assay.db"), { timeout: 10_000 });
    insertDueDomains(database, names, Date.now() + hourMs);
    insertCanaries(database);
    const server = await startAssay({ dataDir: folder, environment });
    try {
      await sweep(server, database); // the first one guesses selectors, and happens once
      const sweepSeconds = await sweep(server, database);
      await sleep(5_000); // what a sweep leaves to do
      const before = processorSeconds(server.child.pid ?? 0);
      await sleep(seconds * 1_000);
      judge((processorSeconds(server.child.pid ?? 0) - before) / seconds, sweepSeconds);
    } finally {
      database.close();
      await server.end("SIGTERM");
    }
  } finally {
    await knot.stop();
    relay.close();
    rmSync(folder, { recursive: true });
  }
}

function judge(idle: number, sweepSeconds: number): void {
  const sweeps = sweepSeconds / 3_600;
  const total = idle + sweeps;
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  print(`no domain due, ${canaries} canaries an hour: ${percent(idle)} of a core`);
  print(`hourly check of ${domains} domains: ${sweepSeconds.toFixed(1)} s of processor time, ${percent(sweeps)}`);
  const row = (share: number) => ({ "One core": [share * 100, "%"] }) as const;
  record("idle", {
    [`Waiting, with ${canaries} hourly canaries`]: row(idle),
    [`Hourly check of ${domains.toLocaleString("en")} domains`]: row(sweeps),
  });
  const missed = !(total <= mostShare);
  print(`together: ${percent(total)} (at most ${percent(mostShare)}${missed ? ": MISSED" : ""})`);
  if (missed) process.exitCode = 1;
}

/** A relay that accepts everything and delivers nothing, so that each canary is sent, late, and lost. */
async function startSwallower() {
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, _session, done) => {
      stream.on("end", done).resume();
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return { port: (listening.address() as AddressInfo).port, close: () => server.close() };
}

/** Due all over the hour. */
function insertCanaries(database: Database.Database): void {
  const workspaceId = database.prepare("select id from workspaces").pluck().get() as string;
  const now = Date.now();
  const terms = JSON.stringify({
    schedule: { everyMs: hourMs },
    to: null,
    toSince: now,
    from: null,
    subject: null,
    text: null,
    html: null,
    objectiveMs: 300_000,
    failuresBeforeAlert: 1,
    minScore: null,
  });
  const insert = database.prepare(
    `insert into monitors (id, workspace_id, kind, name, terms, enabled, state, state_since, failing, attempts, created_at, next_at, due_at)
     values (?, ?, 'canary', ?, ?, 1, 'new', ?, 0, 0, ?, ?, ?)`,
  );
  for (let number = 0; number < canaries; number++) {
    const at = now + Math.round(((number + 0.5) / canaries) * hourMs);
    const name = `Canary ${number}`;
    insert.run(createId("monitor", now, randomBytes(16)), workspaceId, name, terms, now, now, at, at);
  }
}

/** Makes all domains due, and returns the processor time until the last one was checked. */
async function sweep(server: AssayProcess, database: Database.Database): Promise<number> {
  const startedAt = Date.now();
  const before = processorSeconds(server.child.pid ?? 0);
  database.prepare("update domains set due_at = ?").run(startedAt);
  const checked = database.prepare("select count(*) from domains where checked_at >= ? and claimed_by is null").pluck();
  while (Number(checked.get(startedAt)) < domains) {
    if (Date.now() - startedAt > patienceMs) throw new Error(`Only ${checked.get(startedAt)} were checked.`);
    await sleep(200);
  }
  return processorSeconds(server.child.pid ?? 0) - before;
}
