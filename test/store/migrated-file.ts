// An empty database of SQLite with today's schema, to copy: a tenth of the time that its migrations take.

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { storeSystem } from "./store-system.ts";

/** Of this worker. */
let template: Promise<string> | undefined;

/** Puts it there, unless the file exists or its folder does not: then the store makes both. Answers its name. */
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
