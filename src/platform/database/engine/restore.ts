// Verifies a copy of the database, and puts it in the place of the current one. Until the last step, a rename, the current
// database is what a start would open.

import { existsSync, linkSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "../../errors.ts";
import { type SchemaVersion, tooOld } from "./schema-version.ts";
import { openDatabase, sqliteCode } from "./sqlite-database.ts";
import {
  freeMegabytes,
  isWithoutLinks,
  megabytes,
  readSchemaVersion,
  refusing,
  syncFolder,
  writeCopy,
} from "./sqlite-files.ts";

/** What a copy contains. */
export type CopyContents = {
  readonly bytes: number;
  readonly tests: number;
  /** When the newest test was received. */
  readonly newestAt: number | null;
  readonly workspaces: number;
  /** Raw messages that are stored outside the database, so not in the copy. */
  readonly messagesOutside: number;
  /** The fingerprint of the secret key that it was encrypted with. Undefined if it was never started. */
  readonly keyFingerprint: string | undefined;
};

type Copy = { readonly file: string; readonly addonFile: string | undefined };
/** `name`: what people call it, if that isn't the file. */
type NamedCopy = Copy & { readonly name?: string };

/** Reads the whole file. `known`: the number of migrations that this version has. */
export function verifyCopy(copy: NamedCopy, known: number): CopyContents {
  const { file, addonFile, name = file } = copy;
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new Refusal("invalid_request", `${name} does not exist. Nothing was changed.`);
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size)
    throw new Refusal(
      "invalid_request",
      `${name} is a database in use, because ${file}-wal is next to it. Make a copy of it with assay backup. Nothing was changed.`,
    );
  const version = readCopyVersion(copy, name);
  if (version === 0) throw new Refusal("invalid_request", `${name} is empty. Nothing was changed.`);
  if (version === "too-old") throw tooOld(name);
  if (version !== "unreleased" && version > known)
    throw new Refusal(
      "conflict",
      `${name} was written by a newer version of Assay. Restore it with that version. Nothing was changed.`,
    );
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile });
  try {
    const [found] = database.all<{ readonly quick_check: string }>("pragma quick_check(1)");
    if (found?.quick_check !== "ok") throw damagedCopy(name);
    return { bytes, ...readContents(database.all) };
  } catch (error) {
    if (error instanceof Refusal || sqliteCode(error) !== undefined) throw damagedCopy(name);
    throw error;
  }
}

/** What is wrong with a database in use is said in other words (sqlite-files.ts). */
function readCopyVersion({ file, addonFile }: Copy, name: string): SchemaVersion {
  return refusing(`${name} cannot be read`, () => {
    try {
      return readSchemaVersion(file, addonFile);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(
        "invalid_request",
        `${name} is not a backup of Assay, or its beginning is damaged. Use a file that assay backup wrote. Nothing was changed.`,
      );
    }
  });
}

function readContents(all: ReturnType<typeof openDatabase>["all"]): Omit<CopyContents, "bytes"> {
  const [tests] = all<{ readonly tests: number }>("select count(*) as tests from tests");
  const [newest] = all<{ readonly at: number }>("select received_at as at from tests order by id desc limit 1");
  const [workspaces] = all<{ readonly workspaces: number }>("select count(*) as workspaces from workspaces");
  const [key] = all<{ readonly value: string }>("select value from meta where key = 'secret_key_fingerprint'");
  return {
    tests: tests?.tests ?? 0,
    newestAt: newest?.at ?? null,
    workspaces: workspaces?.workspaces ?? 0,
    messagesOutside: countOutside(all),
    keyFingerprint: key?.value,
  };
}

function countOutside(all: ReturnType<typeof openDatabase>["all"]): number {
  const [outside] = all<{ readonly messages: number }>(
    "select count(*) as messages from raw_messages where object_key is not null",
  );
  return outside?.messages ?? 0;
}

function damagedCopy(file: string): Refusal {
  return new Refusal("conflict", `${file} is damaged or incomplete. Use another backup. Nothing was changed.`);
}

type Target = Copy & {
  /** On the same disk. What a kill leaves there is removed. */
  readonly folder: string;
};

/** Returns the name that the current database now has. Null if there was none. */
export async function putInPlace(
  copy: string,
  { file, addonFile, folder }: Target,
  fill: (unfinished: string) => void | Promise<void>,
): Promise<string | null> {
  requireSpace(statSync(copy).size, dirname(file));
  const fresh = join(folder, "restored.db");
  await writeCopy(fresh, fill);
  const kept = existsSync(file) ? keepCurrent(file, addonFile) : null;
  renameSync(fresh, file);
  syncFolder(dirname(file));
  return kept;
}

/**
 * `id` shows that the copy is in place (features/audit-log/work/restore-note.ts). If it shares objects with the original,
 * which may be running, it deletes none until an operator decides (features/server/upkeep/object-owner.ts).
 */
export function markAsRestored({ file, addonFile }: Copy, id: string, sharesObjects: boolean): void {
  using database = openDatabase(file, { lockWaitMs: 0, addonFile });
  const write = (key: string, value: string) =>
    database.run("insert or replace into meta (key, value) values (?, ?)", [key, value]);
  if (sharesObjects) write("objects:s3", JSON.stringify({ tokens: [], problem: "copy" }));
  write("restored", id);
}

/** A second name for the current file, so that there is never a moment without a database. */
function keepCurrent(file: string, addonFile: string | undefined): string {
  dropSecondName(file);
  let number = 1;
  while (existsSync(`${file}.before-restore-${number}`)) number += 1;
  const kept = `${file}.before-restore-${number}`;
  foldLog(file, addonFile);
  for (const ending of ["-wal", "-shm"]) if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  try {
    linkSync(file, kept);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    // Then there is no database for a moment. A restore that is killed there is repeated.
    renameSync(file, kept);
  }
  return kept;
}

/** A restore that was killed may have left it. With a log next to it, it is a damaged database whose log was moved. */
export function dropSecondName(file: string): void {
  const { ino, nlink } = statSync(file, { throwIfNoEntry: false }) ?? { nlink: 0 };
  if (nlink < 2) return;
  for (const kept of readdirSync(dirname(file)).map((name) => join(dirname(file), name)))
    if (kept.startsWith(`${file}.before-restore-`) && statSync(kept).ino === ino && !existsSync(`${kept}-wal`))
      rmSync(kept);
}

/** Moves the log into the file, and removes it. A damaged database keeps its log. */
function foldLog(file: string, addonFile: string | undefined): void {
  try {
    using database = openDatabase(file, { lockWaitMs: 5_000, addonFile });
    database.all("pragma wal_checkpoint(truncate)");
  } catch (error) {
    if (!(error instanceof Refusal) && sqliteCode(error) === undefined) throw error;
  }
}

export function requireSpace(bytes: number, folder: string): void {
  const disk = statfsSync(folder);
  const free = disk.bavail * disk.bsize;
  if (free < bytes * 1.05) throw noSpace(bytes, folder, free);
}

export function noSpace(bytes: number, folder: string, free: number): Refusal {
  return new Refusal(
    "overloaded",
    `The backup needs ${megabytes(bytes)} of free disk space in ${folder}, and only ${freeMegabytes(free)} is free. Nothing was changed.`,
  );
}
