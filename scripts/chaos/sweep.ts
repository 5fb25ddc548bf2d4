// Kill -9 at random moments during a sweep: after the restart every domain is checked within the same hour, none twice,
// and each stored result is complete.

import { join } from "node:path";
import Database from "better-sqlite3";
import { decodeReport } from "../../src/features/tests/rows/reports.ts";
import { hasKnot, startKnot } from "../../test/knot.ts";
import { startAssay } from "../assay-process.ts";
import { insertDueDomains, makeManyDomains } from "../bench/many-domains.ts";
import { until } from "../until.ts";
import { killAtRandom, readDatabase, stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

type Row = {
  readonly id: string;
  readonly domain: string;
  readonly checked_at: number | null;
  readonly due_at: number;
  readonly claimed_by: string | null;
  readonly report: Buffer | null;
  readonly reported_at: number | null;
};

const domains = 150;
const hourMs = 3_600_000;
const patienceMs = 180_000;
const select = `select id, domain, domains.checked_at, due_at, claimed_by, report, domain_watches.checked_at as reported_at
  from domains left join domain_watches on domain_watches.domain_id = id
  left join domain_reports on domain_reports.domain_id = id order by id`;

export const sweep: Scene = {
  name: "sweep",
  promise: "Each domain is checked once in its hour, even if the server is killed meanwhile.",
  lacks: () => (hasKnot ? undefined : "Debian's knot"),
  play,
};

async function play(stage: Stage) {
  const dataDir = join(stage.folder, "data");
  const { names, zones } = makeManyDomains(domains);
  const knot = await startKnot({ zones });
  const environment = { ASSAY_DNS_SERVERS: knot.address, ASSAY_MIN_FREE_BYTES: "0" };
  const start = () => startAssay({ dataDir, environment });
  await stop(await start());
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  insertDueDomains(database, names, Date.now() + hourMs);
  let [startedAt, inProgress, twice] = [0, 0, 0];
  try {
    await killAtRandom(stage, {
      start: () => {
        startedAt = Date.now();
        database.prepare("update domains set due_at = ?").run(startedAt);
        return start();
      },
      pauseMs: [0, 2_500],
      check: async () => {
        const before = read(database);
        inProgress += before.filter(({ claimed_by }) => claimed_by !== null).length;
        const server = await start();
        const checked = database.prepare("select count(*) from domains where checked_at >= ?").pluck();
        await until("every domain is checked", () => checked.get(startedAt) === domains, patienceMs);
        await stop(server);
        twice += check(readDatabase(dataDir, read), before, startedAt);
      },
    });
  } finally {
    database.close();
    await knot.stop();
  }
  const note = `${domains} domains became due in each round. Of all, ${inProgress} were being checked when the server was killed.`;
  return { kills: stage.kills, twice, note };
}

function read(database: Database.Database): Row[] {
  return database.prepare(select).all() as Row[];
}

/** Returns how many were checked before the kill, and again after it. */
function check(after: readonly Row[], before: readonly Row[], startedAt: number): number {
  for (const { domain, checked_at, due_at, claimed_by, report, reported_at } of after) {
    if (claimed_by !== null || due_at <= startedAt || due_at > Date.now() + hourMs)
      throw new Error(`${domain} is due at ${due_at} and claimed by ${claimed_by} after its check.`);
    if (report === null || reported_at !== checked_at)
      throw new Error(`${domain} was checked at ${checked_at}, and its report is of ${reported_at}.`);
    JSON.parse(decodeReport(report));
  }
  const now = new Map(after.map(({ id, checked_at }) => [id, checked_at]));
  return before.filter(({ id, checked_at }) => (checked_at ?? 0) >= startedAt && now.get(id) !== checked_at).length;
}
