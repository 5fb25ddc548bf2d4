// Gives free pages back to the file system, and merges what incoming mail adds to the search index, in small steps.

import { setTimeout as pause } from "node:timers/promises";
import type { GroupCommit } from "./group-commit.ts";
import type { RawDb } from "./sqlite-database.ts";

/** Moves the log again and again, because on a full disk it must not grow. */
export async function shrink({ writeRaw, checkpoint }: GroupCommit): Promise<void> {
  await checkpoint();
  while (await writeRaw((raw) => giveBackPages(raw, 10 * pagesAtOnce))) await checkpoint();
  await checkpoint(); // the file shrinks only now
}

const pagesAtOnce = 50;
/** So that others have most of the time. */
const tidyPauseMs = 5;
/** The first run on a million tests takes 1,400. */
const mostMerges = 2_000;

/** `mergeSegments`: of the search index. Returns whether there may be more. */
export async function tidy(
  { writeRaw, checkpoint }: GroupCommit,
  mergeSegments: (raw: RawDb, pages: number) => boolean,
  stopping?: AbortSignal,
): Promise<void> {
  const inSteps = async (step: (raw: RawDb) => boolean, most = Number.POSITIVE_INFINITY) => {
    for (let steps = 0; steps < most && (await writeRaw(step)); steps++) {
      await pause(tidyPauseMs);
      stopping?.throwIfAborted();
    }
  };
  const giveBack = () => inSteps((raw) => giveBackPages(raw, pagesAtOnce));
  try {
    await giveBack();
    await writeRaw((raw) => {
      raw.run("pragma optimize");
      forgetSamples(raw);
    });
    // Half as many pages, because it reads and writes each. The number of steps is limited, because incoming mail may
    // keep adding segments.
    await inSteps((raw) => mergeSegments(raw, pagesAtOnce / 2), mostMerges);
    await giveBack(); // what the merging freed
  } finally {
    await checkpoint(); // the file shrinks only now
  }
}

/** Returns whether there may be more. A manually rebuilt file may give none back. */
function giveBackPages(raw: RawDb, most: number): boolean {
  const countFree = () => raw.all<{ freelist_count: number }>("pragma freelist_count")[0]?.freelist_count ?? 0;
  const free = countFree();
  for (let page = 0; page < Math.min(free, most); page++) raw.run("pragma incremental_vacuum(1)");
  return countFree() < free;
}

/**
 * If SQLite has samples of an index, each statement that looks up a value in it is parsed and planned again on every
 * run. The remaining statistics, how many rows an index has and how many are equal, are enough for our queries.
 */
export function forgetSamples(raw: RawDb): void {
  const [table] = raw.all("select 1 from sqlite_schema where name = 'sqlite_stat4'");
  if (table === undefined || raw.run("delete from sqlite_stat4") === 0) return;
  raw.run("analyze sqlite_schema"); // which only reloads what is left
}
