// The loop of the scenes of kills: start, work, kill -9 at a random moment, check.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { AssayProcess } from "../assay-process.ts";
import { Refused } from "./numbered-mail.ts";
import type { Stage } from "./scene.ts";

type Round = {
  readonly start: (round: number) => Promise<AssayProcess>;
  /** Each part ends when its connection breaks. */
  readonly work?: (server: AssayProcess, round: number) => readonly Promise<unknown>[];
  /** Ends when the random moment may come. */
  readonly begin?: (server: AssayProcess, round: number) => Promise<void>;
  readonly pauseMs: readonly [least: number, most: number];
  readonly beforeKill?: () => void;
  /** With the program gone. */
  readonly check: () => Promise<void> | void;
};

export async function killAtRandom({ kills, say }: Stage, terms: Round): Promise<void> {
  const [leastMs, mostMs] = terms.pauseMs;
  for (let round = 1; round <= kills; round++) {
    const server = await terms.start(round);
    const ended = Promise.allSettled(terms.work?.(server, round) ?? []);
    await terms.begin?.(server, round);
    await sleep(leastMs + Math.random() * (mostMs - leastMs));
    terms.beforeKill?.();
    await kill(server);
    for (const outcome of await ended)
      if (outcome.status === "rejected" && outcome.reason instanceof Refused) throw outcome.reason;
    await terms.check();
    if (round % 10 === 0) say(`${round} of ${kills} kills`);
  }
}

const killsOfDatabase = 50;

/** Adds up the figures of several databases, because each check takes longer on one that has grown. */
export async function inParts<Figures extends Record<string, number>>(
  stage: Stage,
  play: (stage: Stage) => Promise<Figures>,
): Promise<Figures> {
  const sums: Record<string, number> = {};
  for (let left = stage.kills; left > 0; left -= killsOfDatabase) {
    const part = { ...stage, folder: join(stage.folder, `part-${left}`), kills: Math.min(left, killsOfDatabase) };
    for (const [name, figure] of Object.entries(await play(part))) sums[name] = (sums[name] ?? 0) + figure;
  }
  return sums as Figures;
}

/** It must be running until then: a server that ended earlier has crashed. */
export async function kill(server: AssayProcess): Promise<void> {
  const status = await server.end("SIGKILL");
  if (status !== "SIGKILL") throw new Error(`A server ended with ${status} before it was killed.`);
}

/** As an operator stops it. */
export async function stop(server: AssayProcess): Promise<void> {
  const status = await server.end("SIGTERM");
  if (status !== 0) throw new Error(`A server that got SIGTERM ended with ${status}.`);
}

/** What a program that is gone left. It must be intact. */
export function readDatabase<T>(dataDir: string, read: (database: Database.Database) => T): T {
  return readIntact(join(dataDir, "assay.db"), read);
}

export function readIntact<T>(file: string, read: (database: Database.Database) => T): T {
  const database = new Database(file, { timeout: 10_000 });
  try {
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") throw new Error(`${file} is damaged. integrity_check: ${String(integrity)}`);
    return read(database);
  } finally {
    database.close();
  }
}
