// A copy of the database that is complete, and checked before it gets its name: the database itself, or one of the same
// form for PostgreSQL, with the raw messages that are stored elsewhere.

import { existsSync } from "node:fs";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type CopyContents, verifyCopy } from "../../../platform/database/engine/restore.ts";
import { openDatabase } from "../../../platform/database/engine/sqlite-database.ts";
import { freeMegabytes, megabytes, writeCopy } from "../../../platform/database/engine/sqlite-files.ts";
import { createMessages, type Objects, openObjects } from "../../../platform/database/messages.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import { type FileLock, storeLocation, tryLock } from "../../../platform/database/open.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { unpackAddon } from "../../../platform/system/assets.ts";
import type { System } from "../../../platform/system/system.ts";
import { copyFromPostgres, type Pace } from "../rows/from-postgres.ts";
import { checkContents, embedMessages, noteKey } from "../rows/whole-copy.ts";
import { appendDigest } from "./own-digest.ts";

export type CopySettings = Pick<Config, "dataDir" | "databaseUrl" | "minFreeBytes" | "s3">;

export type CopyTerms = {
  readonly config: CopySettings;
  readonly system: Pick<System, "now" | "random" | "log">;
  /** The installation's ID, which raw messages are stored under. */
  readonly owner: string;
  /** Leaves raw messages where they are. */
  readonly leavesMessages: boolean;
  /** The content of secret.key, for a copy that will be encrypted. Null: it isn't put in. */
  readonly keyText: string | null;
  /** How fast rows and messages are read. 0 is as fast as possible. */
  readonly bytesPerSecond: number;
};

export type MadeCopy = CopyContents & { readonly messagesEmbedded: number; readonly messagesMissing: number };

export async function makeCopy(file: string, terms: CopyTerms): Promise<MadeCopy> {
  const { config } = terms;
  const addonFile = unpackAddon(config.dataDir);
  let made: MadeCopy | undefined;
  await writeCopy(file, async (unfinished) => {
    made = await fillCopy({ file: unfinished, addonFile }, terms);
  });
  if (made === undefined) throw new Error("The copy was not made.");
  return made;
}

type CopyFile = { readonly file: string; readonly addonFile: string | undefined };

async function fillCopy(copy: CopyFile, terms: CopyTerms): Promise<MadeCopy> {
  const { config, system, owner, leavesMessages, keyText } = terms;
  const location = storeLocation(config);
  const pace = createPace(terms.bytesPerSecond);
  if ("databaseUrl" in location)
    await copyFromPostgres(location.databaseUrl, copy.file, { system, addonFile: copy.addonFile, pace });
  else copySqlite(location.databaseFile, copy);
  const outside = leavesMessages
    ? { embedded: 0, missing: 0 }
    : await embedFrom(await openObjects(config, owner), copy, { system, pace });
  noteKey(copy, keyText);
  const contents = verifyCopy(copy, migrations.length);
  checkContents(copy, contents);
  const bytes = contents.bytes + (await appendDigest(copy.file, terms.bytesPerSecond));
  return { ...contents, bytes, messagesEmbedded: outside.embedded, messagesMissing: outside.missing };
}

function copySqlite(databaseFile: string, { file, addonFile }: CopyFile): void {
  using database = openDatabase(databaseFile, { readonly: true, lockWaitMs: 5_000, addonFile });
  database.run("vacuum into ?", [file]);
}

async function embedFrom(
  objects: Objects,
  copy: CopyFile,
  { system, pace }: Pick<CopyTerms, "system"> & { readonly pace: Pace },
): Promise<{ readonly embedded: number; readonly missing: number }> {
  const messages = createMessages({ place: "database", objects, system });
  try {
    return await embedMessages(copy, messages, pace);
  } finally {
    messages.close();
  }
}

/** Waits so long after each batch that the average isn't exceeded. */
function createPace(bytesPerSecond: number): Pace {
  const startedAt = performance.now();
  let total = 0;
  return async (bytes) => {
    total += bytes;
    const earlyMs = bytesPerSecond === 0 ? 0 : (total / bytesPerSecond) * 1_000 - (performance.now() - startedAt);
    if (earlyMs > 5) await pause(earlyMs);
  };
}

/**
 * An empty folder in the data directory for a copy that isn't encrypted yet. Each command has its own, because several
 * may run next to a server. `others`: how many do now.
 */
export async function inWorkFolder<T>(
  dataDir: string,
  work: (folder: string, others: number) => Promise<T>,
): Promise<T> {
  const others = await removeLeftWork(dataDir);
  for (let number = 1; ; number += 1) {
    const folder = join(dataDir, `${workPrefix}${number}`);
    const lock = await lockEmptied(folder);
    if (lock === null) continue;
    try {
      await mkdir(folder, { mode: 0o700 });
      return await work(folder, others);
    } finally {
      await rm(folder, { recursive: true, force: true });
      lock.release();
    }
  }
}

/** Removes the work folders of processes that were killed, and returns how many others are in use. */
export async function removeLeftWork(dataDir: string): Promise<number> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(workPrefix));
  let used = 0;
  for (const folder of names.map((name) => join(dataDir, name))) {
    const lock = await lockEmptied(folder);
    if (lock === null) used += 1;
    else lock.release();
  }
  return used;
}

/** Null: another process uses it, or it belongs to another user, such as root after a command with sudo. */
async function lockEmptied(folder: string): Promise<FileLock | null> {
  const file = toLockFile(folder);
  let lock: FileLock | null = null;
  try {
    lock = tryLock(file);
    if (lock !== null) await rm(folder, { recursive: true, force: true });
    return lock;
  } catch (error) {
    lock?.release();
    // Without a lock file it is the data directory that can't be written, and no other number would do.
    if (existsSync(file) && error instanceof Error && "code" in error && notOurs.test(`${error.code}`)) return null;
    throw error;
  }
}

const notOurs = /^(?:EACCES|EPERM|SQLITE_(?:CANTOPEN|READONLY).*)$/;

const workPrefix = "backup-work-";
const toLockFile = (folder: string) => join(dirname(folder), `${basename(folder).replace("-work", "")}.lock`);

/** A backup must not be what defers mail. `folder`: the work folder. */
export async function requireWorkSpace(
  folder: string,
  { copyBytes, minFreeBytes }: { readonly copyBytes: number; readonly minFreeBytes: number },
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = Math.ceil(copyBytes * 1.1) + minFreeBytes;
  if (bavail * bsize >= needed) return;
  throw new Refusal(
    "overloaded",
    `A backup of ${megabytes(copyBytes)} needs ${megabytes(needed)} of free disk space in ${dirname(folder)}, because mail is deferred when less than ${megabytes(minFreeBytes)} is left. Only ${freeMegabytes(bavail * bsize)} is free.`,
  );
}
