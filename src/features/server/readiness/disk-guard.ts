// Keeps a server usable on a full disk. A reserve file in the data directory is removed when a write finds the disk
// full. Its space is for people, who can then log in and delete tests. Mail and analyses wait, because they would use it
// up at once. What is deleted is returned to the disk, and the reserve is created again as soon as there is space.

import { rmSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import { readFreeBytes } from "../../../platform/system/data-directory.ts";
import type { System } from "../../../platform/system/system.ts";

export type DiskGuard = {
  readonly isFull: () => boolean;
  /** A write failed because the disk is full. True: space was freed, so that trying again may succeed. */
  readonly noteFull: () => boolean;
  readonly start: () => void;
  readonly stop: () => void;
};

type DiskGuardOptions = {
  readonly dataDir: string;
  readonly system: Pick<System, "random" | "log">;
  /** Returns deleted data to the disk, and writes something. Rejects while the disk is full. */
  readonly makeSpace: () => Promise<void>;
  readonly bytes?: number;
  readonly everyMs?: number;
  /** How soon after the start the file is written. */
  readonly afterMs?: number;
};

const reserveName = "reserve";
/** Enough for the database's log, which a deletion fills first. */
const reserveBytes = 16_777_216;
const pieceBytes = 1_048_576;
/** Not at the start, which should be fast. */
const afterStartMs = 3_000;
const whileFullMs = 5_000;
const otherwiseMs = 300_000;

export function createDiskGuard(options: DiskGuardOptions): DiskGuard {
  const { dataDir, system, makeSpace, bytes = reserveBytes, everyMs = whileFullMs } = options;
  const file = join(dataDir, reserveName);
  let isFull = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function checkIn(ms: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void check(), ms).unref();
  }

  /** Half of the space stays free, so that the reserve isn't needed again at once. */
  async function create(): Promise<boolean> {
    const size = await stat(file).then(
      (status) => status.size,
      () => 0,
    );
    if (size >= bytes) return true;
    if ((await readFreeBytes(dataDir)) < 2 * bytes) return false;
    await writeReserve(file, bytes, system.random);
    return true;
  }

  async function check(): Promise<void> {
    try {
      if (isFull) await makeSpace();
      const isThere = await create();
      if (isStopped) return;
      if (isFull && isThere) isFull = false;
    } catch (error) {
      if (!isFull) system.log.warn("the reserve file cannot be written", { file, problem: messageOf(error) });
    }
    checkIn(isFull ? everyMs : otherwiseMs);
  }

  return {
    isFull: () => isFull,
    noteFull: () => {
      if (isFull) return false;
      isFull = true;
      checkIn(everyMs);
      return remove(file);
    },
    start: () => checkIn(options.afterMs ?? afterStartMs),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Synchronously, because the failed write is tried again right after. */
function remove(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}

/** Random bytes, because a file system may store zeros, or the same bytes again, without using space. */
async function writeReserve(file: string, bytes: number, random: System["random"]): Promise<void> {
  const unfinished = `${file}.new`;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      for (let written = 0; written < bytes; written += pieceBytes) await handle.write(random(pieceBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The store, whose writes use the reserve if the disk is full. Mail and analyses don't use these. */
export function withReserve(store: Store, guard: Pick<DiskGuard, "noteFull">): Store {
  const { write } = store;
  return {
    ...store,
    write: async (work) => {
      try {
        return await write(work);
      } catch (error) {
        if (!isDiskFull(error) || !guard.noteFull()) throw error;
        return await write(work);
      }
    },
  };
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Refusal && error.details.diskFull === true;
}
