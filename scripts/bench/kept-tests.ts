// A data directory with many tests for a benchmark: created once, kept under build/, and reused until the schema
// changes.

import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { words } from "../../src/platform/database/migrations/migration.ts";
import { print } from "./bench.ts";
import { makeManyTests, type Place } from "./many-tests.ts";

export async function keptTests(tests: number): Promise<{ dataDir: string; places: Place[] }> {
  const schema = migrations.flatMap(({ statements }) => statements(words.sqlite)).join("\n");
  const mark = createHash("sha256").update(schema).digest("hex").slice(0, 12);
  const folder = resolve("build", "bench-api");
  const dataDir = join(folder, `${tests}-${mark}`);
  const placesFile = join(dataDir, "places.json");
  if (!existsSync(placesFile)) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    print(`Making ${tests.toLocaleString("en")} tests …`);
    const places = await makeManyTests(dataDir, tests, 5);
    writeFileSync(placesFile, JSON.stringify(places));
  }
  // Loads the file into the page cache, because programs are compared, not disks.
  for await (const _ of createReadStream(join(dataDir, "assay.db"), { highWaterMark: 2 ** 22 }));
  return { dataDir, places: JSON.parse(readFileSync(placesFile, "utf8")) as Place[] };
}
