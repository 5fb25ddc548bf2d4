// A damaged database is named as the reason, because only a restore helps.

import { copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { whyNotStored } from "../../../../src/features/intake/smtp/transaction.ts";
import { openStore } from "../../../../src/platform/database/open.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { placeMigratedFile } from "../../../platform/database/migrated-file.ts";
import { storeSystem } from "../../../platform/database/store-system.ts";

test("a write to a damaged table defers mail as database_damaged, and the reply suggests a restore", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-damaged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = await damagedFile(folder);
  const store = await openStore({ databaseFile: file }, storeSystem());
  onTestFinished(() => store.close());
  const error = await store.write((db) => db.selectFrom("tests").selectAll().execute()).catch((one) => one);
  expect(String(error)).toMatch(/assay\.db is damaged\. Stop Assay, restore your newest backup with assay restore/);
  expect(noteOf(error)).toEqual(["notNow", ["database_damaged", { problem: error.message }]]);
});

eachDialect("a damaged database", (open, dialect) => {
  test("a damaged database differs from other database errors", async () => {
    const store = await open();
    const error = await store.write((db) => sql`select 1 from nowhere`.execute(db)).catch((one) => one);
    expect(noteOf(error)).toEqual(["notNow", ["not_stored", { problem: expect.stringContaining("nowhere") }]]);
    if (dialect === "sqlite") return;
    const internal = await store.write((db) => raiseAs("XX000").execute(db)).catch((one) => one);
    expect(noteOf(internal)).toEqual(["notNow", ["not_stored", { problem: "invalid page in block 0" }]]);
  });

  if (dialect === "sqlite") return;

  test.each(["XX001", "XX002"])(
    "a damaged database that PostgreSQL reports as %s defers mail as database_damaged",
    async (state) => {
      const store = await open();
      const error = await store.write((db) => raiseAs(state).execute(db)).catch((one) => one);
      expect(noteOf(error)).toEqual(["notNow", ["database_damaged", { problem: error.message }]]);
      expect(error.message).toMatch(
        /^The PostgreSQL database is damaged \(invalid page in block 0\)\. Stop Assay, restore your newest backup/,
      );
      await expect(raiseAs(state).execute(store.read)).rejects.toMatchObject({ details: { isDamaged: true } });
    },
  );
});

const raiseAs = (state: string) =>
  sql.raw(`do $$ begin raise exception 'invalid page in block 0' using errcode = '${state}'; end $$`);

/** What the sender is answered, and why mail is deferred. */
function noteOf(error: unknown): unknown[] {
  const noted: unknown[] = [];
  const room = { log: storeSystem().log, noteDeferred: (...note: unknown[]) => void noted.push(note) };
  const session = { clientAddress: "192.0.2.1" } as Parameters<typeof whyNotStored>[1];
  return [whyNotStored(error, session, room), ...noted];
}

async function damagedFile(folder: string): Promise<string> {
  const file = join(folder, "assay.db");
  copyFileSync(await placeMigratedFile(join(folder, "sound.db")), file);
  const database = new Database(file, { readonly: true });
  const { rootpage } = database.prepare("select rootpage from sqlite_schema where name = 'tests'").get() as {
    rootpage: number;
  };
  const size = Number(database.pragma("page_size", { simple: true }));
  database.close();
  writeSync(openSync(file, "r+"), Buffer.alloc(64, 0xa5), 0, 64, (rootpage - 1) * size);
  return file;
}
