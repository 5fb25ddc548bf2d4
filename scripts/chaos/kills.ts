// The loop of the scenes of kills: start, work, kill -9 at a random moment, check.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { AssayProcess } from "../assay-process.ts";
import { Refused } from "./numbered-mail.ts";
import type { Stage } from "./scene.ts";

type Round = {
  readonly start: () => Promise<AssayProcess>;
  /** Each part ends when its connection breaks. */
  readonly work: (server: AssayProcess, round: number) => readonly Promise<unknown>[];
  readonly pauseMs: readonly [least: number, most: number];
  /** With the program gone. */
  readonly check?: (round: number) => Promise<void> | void;
};

export async function killAtRandom({ kills, say }: Stage, { start, work, pauseMs, check }: Round): Promise<void> {
  for (let round = 1; round <= kills; round++) {
    const server = await start();
    const ended = Promise.allSettled(work(server, round));
    const [least, most] = pauseMs;
    await sleep(least + Math.random() * (most - least));
    await server.end("SIGKILL");
    for (const outcome of await ended)
      if (outcome.status === "rejected" && outcome.reason instanceof Refused) throw outcome.reason;
    await check?.(round);
    if (round % 10 === 0) say(`${round} kills`);
  }
}

/** What a program that is gone left. It must be intact. */
export function readDatabase<T>(dataDir: string, read: (database: Database.Database) => T): T {
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  try {
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") throw new Error(`The database is damaged. integrity_check: ${String(integrity)}`);
    return read(database);
  } finally {
    database.close();
  }
}

/** Adds the acknowledged labels that aren't there to `lost`, and those that are there more than once to `twice`. */
export function countTests(
  database: Database.Database,
  acknowledged: ReadonlySet<string>,
  { lost, twice }: { readonly lost: Set<string>; readonly twice: Set<string> },
): void {
  const there = new Set<string>();
  for (const label of database.prepare("select label from tests").pluck().iterate() as IterableIterator<string>) {
    if (there.has(label)) twice.add(label);
    there.add(label);
  }
  for (const label of acknowledged.difference(there)) lost.add(label);
}
