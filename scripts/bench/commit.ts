// Measures durable commits per second, one by one and grouped, in one run: for 1, 8 and 64 writers that each wait for
// their commit before the next, and for mail over 20 connections, on this disk and on one with flushes 5 ms slower.
// Usage: npm run script -- scripts/bench/commit.ts [folder on the disk to measure]

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GroupCommit } from "../../src/platform/database/engine/group-commit.ts";
import { prepareFile } from "../../src/platform/database/engine/sqlite-files.ts";
import { openWriter } from "../../src/platform/database/sqlite.ts";
import { type Figure, measure, printMachine, ratio } from "./bench.ts";
import { type Contestant, startDurable } from "./contestants.ts";
import { writeMails } from "./mails.ts";
import { hasSmtpSource, send } from "./smtp-source.ts";

const parent = resolve(process.argv[2] ?? "build"); // not the temporary folder, which is memory on some machines
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, "bench-commit-"));
const message = randomBytes(3_000);
const secondsPerRun = 0.5;
const mailConnections = 20;

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
  if (hasSmtpSource()) {
    await compareIntake("mail", {}, { messages: 1_500, atLeast: 1.6 });
    const slowFlush = compileSlowFlush();
    const slowly = { messages: 300, atLeast: 4 };
    if (slowFlush) await compareIntake("mail, flush + 5 ms", { LD_PRELOAD: slowFlush }, slowly);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The same code with the same flush for each commit. Only the number of writes that may share one differs. */
function openGroup(name: string, maxTogether: number): GroupCommit {
  const file = join(folder, name);
  prepareFile(file);
  const { database, group } = openWriter(file, undefined, { random: randomBytes, lockTries: 1, maxTogether });
  database.script("create table messages (id integer primary key, bytes blob not null) strict");
  return group;
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

async function compareIntake(
  what: string,
  environment: Readonly<Record<string, string>>,
  { messages, atLeast }: { readonly messages: number; readonly atLeast: number },
): Promise<void> {
  const surroundings = { folder: mkdtempSync(join(folder, "mail-")), dnsServer: "127.0.0.1:9" };
  const mails = await writeMails(surroundings.folder);
  const contestants: Contestant[] = [];
  const start = async (maxTogether: number) => {
    const contestant = await startDurable(surroundings, maxTogether, environment);
    contestants.push(contestant);
    const { port, recipient } = contestant;
    const load = { port, recipient, sender: mails.sender, file: mails.files["3 KB"] };
    return async () => messages / (await send({ ...load, connections: mailConnections, messages }));
  };
  try {
    const figures = await measure("messages/s", {
      [`${what}, one by one`]: await start(1),
      [`${what}, grouped`]: await start(256),
    });
    const [single, together] = figures as [Figure, Figure];
    ratio(`grouped / one by one, ${what}`, together, single, atLeast);
  } finally {
    for (const contestant of contestants) await contestant.stop();
  }
}

function compileSlowFlush(): string | undefined {
  const library = join(folder, "slow-flush.so");
  const source = join(import.meta.dirname, "slow-flush.c");
  const { status, stderr } = spawnSync("gcc", ["-shared", "-fPIC", "-O1", "-o", library, source], { encoding: "utf8" });
  if (status === 0) return library;
  console.log(`Skipped: simulating a slow disk needs gcc. ${stderr ?? ""}`);
  return undefined;
}
