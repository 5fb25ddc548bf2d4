// Kill -9 while an older database is upgraded: the next start goes through, each migration was applied once and whole,
// and the copy from before the upgrade can be restored.

import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { assayEnvironment, builtProgram } from "../assay-process.ts";
import {
  anyOf,
  extraNames,
  killProgram,
  type Moment,
  placeRelease,
  readColumn,
  readTestIds,
  runWhole,
  startAndStop,
} from "./killed-commands.ts";
import type { Scene } from "./scene.ts";

const added = ["0091-first", "0092-second", "0093-third"];
const rows = 60_000;
const copied = `assay.db.before-${added[0]}`;

export const migration: Scene = {
  name: "migration",
  promise: "An upgrade that is killed goes through at the next start, and its copy can be restored.",
  play: async ({ folder, kills, say }) => {
    const dataDir = join(folder, "data");
    const file = join(dataDir, "assay.db");
    const seen = { killed: 0, upgrades: 0, applied: 0 };
    while (seen.killed < kills) {
      rmSync(dataDir, { recursive: true, force: true });
      placeRelease(dataDir);
      const ids = readTestIds(file);
      if (seen.upgrades % 4 === 0) seen.killed += await killAdoption(dataDir);
      enlarge(file);
      for (let tries = 0; tries < 4 && (await upgrade(file, anyMoment(dataDir))); tries += 1) {
        seen.killed += 1;
        seen.applied += requireWhole(file);
      }
      await upgrade(file, null);
      seen.upgrades += 1;
      const names = readColumn(file, "select name from migrations");
      if (requireWhole(file) !== added.length || names.length !== migrations.length + added.length)
        throw new Error("The upgrade did not go through.");
      if (readTestIds(file) !== ids) throw new Error("The upgrade changed which tests there are.");
      const extra = extraNames(dataDir);
      if (extra.join() !== copied) throw new Error(`After an upgrade there are: ${extra.join(", ")}.`);
      await restoreCopy(folder, join(dataDir, copied), ids);
      say(`${seen.killed} kills`);
    }
    return {
      kills: seen.killed,
      note: `${seen.upgrades} upgrades went through, after ${seen.applied} migrations that a kill came after. Each copy was restored.`,
    };
  },
};

/** So that the copy takes a while. */
function enlarge(file: string): void {
  const database = new Database(file);
  database.exec("create table padding (bytes blob)");
  for (let part = 0; part < 8; part += 1) database.exec("insert into padding values (randomblob(2000000))");
  database.close();
}

function anyMoment(dataDir: string): Moment {
  return { begun: join(dataDir, anyOf(["assay.db-wal", copied])), withinMs: 400 };
}

/** The real upgrade of the stored release, which is short. */
async function killAdoption(dataDir: string): Promise<number> {
  const begun = join(dataDir, anyOf(["serve.lock", "assay.db-wal"]));
  const isKilled = await killProgram([...builtProgram, "serve"], assayEnvironment(dataDir), { begun, withinMs: 100 });
  await startAndStop({ dataDir });
  return isKilled ? 1 : 0;
}

/** Adds migrations to those of this version. Returns whether it was killed. */
async function upgrade(file: string, moment: Moment | null): Promise<boolean> {
  const source = (path: string) => JSON.stringify(new URL(`../../src/platform/${path}`, import.meta.url).href);
  const program = `
    import { openStore } from ${source("database/open.ts")};
    import { migrations } from ${source("database/migrations/list.ts")};
    const fill = (name) => [
      'create table "' + name + '" (number integer)',
      'insert into "' + name + '" with recursive counted(number) as (select 1 union all select number + 1 from counted where number < ${rows}) select number from counted',
    ];
    const added = ${JSON.stringify(added)}.map((name) => ({ name, statements: () => fill(name) }));
    const log = { debug() {}, info() {}, warn() {}, error() {}, with: () => log };
    const system = { now: Date.now, random: (count) => crypto.getRandomValues(new Uint8Array(count)), log };
    const databaseFile = ${JSON.stringify(file)};
    await (await openStore({ databaseFile }, system, { migrations: [...migrations, ...added] })).close();`;
  const command = [process.execPath, "--input-type=module", "-e", program];
  return await killProgram(command, {}, moment ?? { withinMs: 600_000 });
}

/** Returns how many of the added ones were applied. */
function requireWhole(file: string): number {
  // A kill may come before the release's own migrations are renamed to those of this version.
  const applied = readColumn(file, "select name from migrations order by name").filter((name) =>
    added.includes(`${name}`),
  );
  const tables = readColumn(file, "select name from sqlite_schema where name like '00__-%' order by name");
  if (applied.join() !== tables.join()) throw new Error(`${applied.join()} were applied, and made ${tables.join()}.`);
  for (const table of tables) {
    const [count] = readColumn(file, `select count(*) from "${String(table)}"`);
    if (count !== rows) throw new Error(`${String(table)} was applied in part: ${String(count)} of ${rows} rows.`);
  }
  return applied.length;
}

async function restoreCopy(folder: string, copy: string, ids: string): Promise<void> {
  const place = { dataDir: join(folder, "restored") };
  rmSync(place.dataDir, { recursive: true, force: true });
  await runWhole(place, "restore", copy, "--secret-key", join(copy, "..", "secret.key"));
  await startAndStop(place);
  if (readTestIds(join(place.dataDir, "assay.db")) !== ids) throw new Error("The copy has other tests.");
}
