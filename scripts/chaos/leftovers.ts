// What kills may leave in the data directories of a scene: work folders and unfinished files, files of messages without a
// row, rows claimed by a process that is gone.

import { readdirSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObjectKey } from "../../src/platform/system/objects.ts";
import { runProgram, startAssay } from "../assay-process.ts";
import { readDatabase, stop } from "./kills.ts";

const unfinished = /\.new$|^\.unfinished-|^backup-work-/;
const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);

/** One sentence for each. */
export async function findLeftovers(folder: string): Promise<string[]> {
  const dataDirs = filesIn(folder)
    .filter((path) => path.endsWith("/assay.db"))
    .map(dirname);
  const found: string[] = [];
  for (const dataDir of dataDirs) found.push(...(await leftInMessages(dataDir)), ...(await leftInRows(dataDir)));
  for (const path of filesIn(folder)) if (unfinished.test(basename(path))) found.push(`Left: ${path}`);
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

/** The server removes them once they are a day old, so they are made older, and the program sweeps. */
async function leftInMessages(dataDir: string): Promise<string[]> {
  const messages = () => filesIn(join(dataDir, "messages")).filter((path) => statSync(path).isFile());
  if (!readdirSync(dataDir).includes("messages")) return [];
  for (const path of messages()) utimesSync(path, twoDaysAgo, twoDaysAgo);
  for (const command of ["sweep", "check"]) {
    const { exitCode, stdout, stderr } = await runProgram({ dataDir }, ["messages", command]);
    if (exitCode !== 0) throw new Error(`messages ${command}: ${stdout}${stderr}`);
  }
  const keys = readDatabase(dataDir, (database) =>
    database.prepare("select object_key from raw_messages").pluck().all(),
  );
  const known = new Set(keys);
  return messages()
    .filter((path) => isObjectKey(basename(path)) && !known.has(basename(path)))
    .map((path) => `No row has ${path}`);
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
