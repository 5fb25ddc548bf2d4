// Durable commits per second, one by one and grouped, side by side in one run, for 1, 8 and 64 writers that each wait
// for their commit before the next: node scripts/bench/commit.ts [folder on the disk to measure]

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createGroupCommit, type GroupCommit } from "../../src/store/group-commit.ts";
import { openWriter } from "../../src/store/sqlite.ts";
import { prepareFile } from "../../src/store/sqlite-files.ts";
import { type Figure, measure, printMachine, ratio } from "./bench.ts";

const parent = resolve(process.argv[2] ?? "build"); // not the temporary folder: it is memory on some machines
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, "bench-commit-"));
const message = randomBytes(3_000);
const secondsPerRun = 0.5;

printMachine();
try {
  const oneByOne = openGroup("one-by-one.db", 1);
  const grouped = openGroup("grouped.db", 256);
  for (const writers of [1, 8, 64]) {
    const figures = await measure("commits/s", {
      [`${writers} waiting, one by one`]: () => commitsPerSecond(oneByOne, writers),
      [`${writers} waiting, grouped`]: () => commitsPerSecond(grouped, writers),
    });
    const [single, together] = figures as [Figure, Figure];
    ratio(`grouped / one by one, ${writers} waiting`, together, single, writers === 64 ? 1.6 : undefined);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The same code with the same flush a commit; only how many writes may share one differs. */
function openGroup(name: string, maxTogether: number): GroupCommit {
  const file = join(folder, name);
  prepareFile(file);
  const database = openWriter(file, undefined);
  database.script("create table messages (id integer primary key, bytes blob not null) strict");
  return createGroupCommit(database, { random: randomBytes, lockTries: 1, maxTogether });
}

async function commitsPerSecond({ writeRaw }: GroupCommit, writers: number): Promise<number> {
  const started = performance.now();
  const until = started + secondsPerRun * 1_000;
  let commits = 0;
  const writer = async () => {
    while (performance.now() < until) {
      await writeRaw((raw) => raw.run("insert into messages (bytes) values (?)", [message]));
      commits++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return commits / ((performance.now() - started) / 1_000);
}
