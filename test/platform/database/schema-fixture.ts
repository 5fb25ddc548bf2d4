// A database as an older Assay left it.

import { readFileSync } from "node:fs";
import Database from "better-sqlite3";

/** A file for each migration, named after it. */
export const schemaFixtures = new URL("../../fixtures/schemas/", import.meta.url);

export function writeSchemaFixture(lastMigration: string, file: string): void {
  new Database(file)
    .unsafeMode() // a search index stores its content in tables that only it may write
    .exec(readFileSync(new URL(`${lastMigration}.sql`, schemaFixtures), "utf8"))
    .close();
}
