// What kills may leave in the data directories of a scene: work folders, unfinished files, and
// rows claimed by a process that is gone.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { startAssay } from "../assay-process.ts";
import { readDatabase, stop } from "./kills.ts";

const unfinished = /\.new$|^\.unfinished-|^backup-work-/;

/** One sentence for each. */
export async function findLeftovers(folder: string): Promise<string[]> {
  const dataDirs = filesIn(folder)
    .filter((path) => path.endsWith("/assay.db"))
    .map(dirname);
  const found: string[] = [];
  for (const dataDir of dataDirs) found.push(...(await leftInRows(dataDir)));
  for (const path of filesIn(folder)) if (unfinished.test(basename(path))) found.push(`Left: ${path}`);
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

/** The next start takes back what a process that is gone had claimed. */
async function leftInRows(dataDir: string): Promise<string[]> {
  const before = readClaims(dataDir);
  if (before.size === 0) return [];
  await stop(await startAssay({ dataDir }));
  return [...before.intersection(readClaims(dataDir))].map((claim) => `Claimed by a process that is gone: ${claim}`);
}

function readClaims(dataDir: string): Set<unknown> {
  const tables = `select name from sqlite_schema as tables where type = 'table'
    and exists (select 1 from pragma_table_info(tables.name) where name = 'claimed_by')`;
  return readDatabase(dataDir, (database) => {
    const readClaimed = (table: unknown) =>
      database
        .prepare(`select '${table} ' || id || ' ' || claimed_by from ${table} where claimed_by is not null`)
        .pluck()
        .all();
    return new Set(database.prepare(tables).pluck().all().flatMap(readClaimed));
  });
}
