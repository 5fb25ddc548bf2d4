// Kill -9 at random moments during a sweep: after the restart every domain is checked within the same hour, none twice,
// and each stored result is complete.
// Needs Knot (Debian's package `knot`).
// Usage: npm run script -- scripts/chaos/sweep.ts [--kills 50 --domains 150]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { decodeReport } from "../../src/features/tests/rows/reports.ts";
import { hasKnot, startKnot } from "../../test/knot.ts";
import { startAssay } from "../assay-process.ts";
import { insertDueDomains, makeManyDomains } from "../bench/many-domains.ts";

type Row = {
  readonly id: string;
  readonly domain: string;
  readonly checked_at: number | null;
  readonly due_at: number;
  readonly claimed_by: string | null;
  readonly report: Buffer | null;
  readonly reported_at: number | null;
};

const hourMs = 3_600_000;
const patienceMs = 180_000;
const select = `select id, domain, domains.checked_at, due_at, claimed_by, report, domain_watches.checked_at as reported_at
  from domains left join domain_watches on domain_watches.domain_id = id
  left join domain_reports on domain_reports.domain_id = id order by id`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { kills: { type: "string", default: "50" }, domains: { type: "string", default: "150" } },
  });
  const kills = Number(values.kills);
  const { names, zones } = makeManyDomains(Number(values.domains));
  const dataDir = mkdtempSync(join(tmpdir(), "assay-kill-sweep-"));
  const knot = await startKnot({ zones });
  const environment = { ASSAY_DNS_SERVERS: knot.address, ASSAY_MIN_FREE_BYTES: "0" };
  const start = () => startAssay({ dataDir, environment });
  await (await start()).end("SIGTERM");
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  const began = Date.now();
  insertDueDomains(database, names, began + hourMs);
  let inFlight = 0;
  for (let round = 1; round <= kills; round++) {
    const startedAt = Date.now();
    database.prepare("update domains set due_at = ?").run(startedAt);
    const killed = await start();
    await sleep(Math.random() * 2_500);
    await killed.end("SIGKILL");
    const before = read(database).filter(({ checked_at }) => (checked_at ?? 0) >= startedAt);
    inFlight += read(database).filter(({ claimed_by }) => claimed_by !== null).length;
    const server = await start();
    await untilChecked(database, startedAt, names.length);
    check(database, before, startedAt, round);
    await server.end("SIGTERM");
    if (round % 10 === 0) console.log(`${round} kills: every domain was checked in its hour.`);
  }
  database.close();
  await knot.stop();
  rmSync(dataDir, { recursive: true });
  console.log(
    `${kills} kills in ${Math.round((Date.now() - began) / 1_000)} s: ${names.length} domains, each checked once in each hour; ${inFlight} were in progress when the program was killed.`,
  );
}

function read(database: Database.Database): Row[] {
  return database.prepare(select).all() as Row[];
}

async function untilChecked(database: Database.Database, since: number, count: number): Promise<void> {
  const checked = database.prepare("select count(*) from domains where checked_at >= ?").pluck();
  for (const deadline = Date.now() + patienceMs; Number(checked.get(since)) < count; await sleep(50))
    if (Date.now() > deadline)
      throw new Error(`Only ${Number(checked.get(since))} of ${count} domains were checked after the kill.`);
}

function check(database: Database.Database, before: readonly Row[], startedAt: number, round: number): void {
  const integrity = database.pragma("integrity_check", { simple: true });
  if (integrity !== "ok") throw new Error(`integrity_check after kill ${round}: ${String(integrity)}`);
  const rows = new Map(read(database).map((row) => [row.id, row]));
  for (const { id, domain, checked_at } of before)
    if (rows.get(id)?.checked_at !== checked_at)
      throw new Error(`${domain} was checked before kill ${round}, and again after it.`);
  for (const { domain, checked_at, due_at, claimed_by, report, reported_at } of rows.values()) {
    if (claimed_by !== null || due_at <= startedAt || due_at > Date.now() + hourMs)
      throw new Error(`After kill ${round} ${domain} is due at ${due_at}, claimed by ${claimed_by}.`);
    if (report === null || reported_at !== checked_at)
      throw new Error(`After kill ${round} ${domain} was checked at ${checked_at}, its report at ${reported_at}.`);
    JSON.parse(decodeReport(report));
  }
}

if (hasKnot) await main();
else console.log("Knot is not installed. Nothing was tested.");
