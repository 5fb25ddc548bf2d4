// An empty SQLite database with the current schema, to copy. That takes a tenth of the time of the migrations.

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openStore } from "../../../src/platform/database/open.ts";
import { storeSystem } from "./store-system.ts";

/** One for each worker. */
let template: Promise<string> | undefined;

/** Copies it, unless the file exists or its folder doesn't: then the store creates both. Returns its name. */
export async function placeMigratedFile(file: string): Promise<string> {
  template ??= createTemplate();
  const isPlace = statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isPlace && !existsSync(file)) copyFileSync(await template, file);
  return file;
}

async function createTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "assay-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "assay.db");
  await (await openStore({ databaseFile: file }, storeSystem())).close();
  return file;
}
