// The database as files: created for its owner only, inspected without changes, copied.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refusal } from "../../errors.ts";
import { fileReasonOf } from "../../system/private-file.ts";
import { fromHeader, type SchemaVersion } from "./schema-version.ts";
import { damagedDatabase, openDatabase } from "./sqlite-database.ts";

const copiesKept = 2;

/** Creates the folder and an empty file if missing. SQLite gives its other files the same mode. */
export function prepareFile(file: string): void {
  refusing(`The database ${file} cannot be written`, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) createEmpty(file);
    accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
  });
}

/** "Asay" in ASCII: identifies our files in SQLite's header. */
export const applicationId = 0x41_73_61_79;

type Header = { readonly applicationId: number; readonly version: number; readonly isEmpty: boolean };

/** A file that isn't ours is refused. */
export function readSchemaVersion(file: string, addonFile: string | undefined): SchemaVersion {
  return fromHeader(readVersion(file, addonFile));
}

function readVersion(file: string, addonFile: string | undefined): number {
  const hasLog = Boolean(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size);
  const header = hasLog ? askHeader(file, addonFile) : readHeader(file);
  if (header.applicationId === applicationId) return header.version;
  if (header.applicationId === 0 && header.isEmpty) return 0;
  throw new Refusal(
    "conflict",
    `${file} belongs to another program or to an unreleased version of Assay. Move it elsewhere, or choose another folder.`,
    { needsOperator: true },
  );
}

function askHeader(file: string, addonFile: string | undefined): Header {
  using database = openDatabase(file, { readonly: true, lockWaitMs: 5_000, addonFile });
  return {
    applicationId: Number(database.pragma("application_id")),
    version: Number(database.pragma("user_version")),
    isEmpty: database.all("select 1 from sqlite_master limit 1").length === 0,
  };
}

/**
 * Opening the file would create others next to it, so a closed database is read from its bytes
 * (sqlite.org/fileformat2.html 1.3, 1.6).
 */
function readHeader(file: string): Header {
  const bytes = Buffer.alloc(108);
  const descriptor = openSync(file, "r");
  try {
    const size = readSync(descriptor, bytes);
    if (size === 0) return { applicationId: 0, version: 0, isEmpty: true };
    if (bytes.toString("latin1", 0, 16) !== "SQLite format 3\0") {
      throw new Refusal(
        "conflict",
        `${file} is damaged, or is not a SQLite database. If it is Assay's, restore your newest backup with assay restore. Otherwise, move it elsewhere, or choose another folder.`,
        { needsOperator: true },
      );
    }
    if (size < bytes.length) throw damagedDatabase(file);
  } finally {
    closeSync(descriptor);
  }
  const isLeafWithoutCells = bytes.readUInt8(100) === 13 && bytes.readUInt16BE(103) === 0;
  return { applicationId: bytes.readUInt32BE(68), version: bytes.readUInt32BE(60), isEmpty: isLeafWithoutCells };
}

/** Passes a new file of mode 0600 to `fill`, then moves it into place, flushed: a copy is complete or doesn't exist. */
export async function writeCopy(file: string, fill: (unfinished: string) => void | Promise<void>): Promise<void> {
  if (existsSync(file)) throw existsAlready(file);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    removeUnfinished(file);
    createEmpty(unfinished);
    await fill(unfinished);
    flush(unfinished, "r+");
    putInPlace(unfinished, file);
    flush(dirname(file), "r");
  } catch (error) {
    throw toFileRefusal(`The copy ${file} cannot be written`, error);
  } finally {
    if (existsSync(unfinished)) rmSync(unfinished);
  }
}

/**
 * Uses a link, which unlike a rename doesn't replace a file created meanwhile.
 */
function putInPlace(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (existsSync(file)) throw existsAlready(file);
    if (!isWithoutLinks(error)) throw error;
    renameSync(unfinished, file);
  }
}

const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Some file systems (FAT) don't support links. */
export function isWithoutLinks(error: unknown): boolean {
  return withoutLinks.has(String((error as NodeJS.ErrnoException).code));
}

function existsAlready(file: string): Refusal {
  return new Refusal("conflict", `${file} already exists. Choose another file name.`);
}

/**
 * Removes what killed processes left. A file with our own process ID is from an earlier process, because in a container
 * all have the same.
 */
function removeUnfinished(file: string): void {
  const beginning = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    const pid =
      name.startsWith(beginning) && /^(\d+)\.unfinished(?:-journal)?$/.exec(name.slice(beginning.length))?.[1];
    if (pid && (Number(pid) === process.pid || !isRunning(Number(pid)))) rmSync(join(dirname(file), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // owned by another user
  }
}

export const toCopyName = (file: string, migration: string) => `${file}.before-${migration}`;

/** The copy that is made before a migration. The last two are kept. */
export async function copyBeforeMigration(
  file: string,
  addonFile: string | undefined,
  migration: string,
  fill: (unfinished: string) => void,
): Promise<void> {
  const copy = toCopyName(file, migration);
  // What an upgrade left that failed or was killed, before the free space is counted.
  rmSync(copy, { force: true });
  removeUnfinished(copy);
  const disk = statfsSync(dirname(file));
  requireSpace(statSync(file).size, disk.bavail * disk.bsize);
  await writeCopy(copy, fill);
  for (const { copy: older } of listCopies(file, addonFile).slice(0, -copiesKept)) rmSync(older);
}

/** The end of a copy's name: its migration. What a restore kept, or a person copied, has other names and stays. */
const copyEnding = /^\.before-\d{4}-[a-z0-9-]+$/;

/** Oldest first. By their headers, because names began at 0001 again with the first release. */
function listCopies(file: string, addonFile: string | undefined) {
  const folder = dirname(file);
  const beginning = basename(file);
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning));
  const versionOf = (copy: string) => {
    try {
      return readVersion(copy, addonFile);
    } catch {
      return 0; // damaged, or something else with such a name
    }
  };
  return names
    .filter((name) => copyEnding.test(name.slice(beginning.length)))
    .map((name) => join(folder, name))
    .map((copy) => ({ copy, version: versionOf(copy) }))
    .sort((a, b) => a.version - b.version);
}

/** The newest of these copies that a version with so many migrations can open. */
export function findCopyOf(file: string, known: number, addonFile: string | undefined): string | null {
  const usable = listCopies(file, addonFile).filter(({ version }) => {
    const schema = fromHeader(version);
    return schema === "unreleased" || (schema !== "too-old" && schema > 0 && schema <= known);
  });
  return usable.at(-1)?.copy ?? null;
}

export function requireSpace(databaseBytes: number, freeBytes: number): void {
  const needed = Math.ceil(databaseBytes * 1.2);
  if (freeBytes >= needed) return;
  throw new Refusal(
    "overloaded",
    `The upgrade first copies the database, which needs ${megabytes(needed)} of free disk space. Only ${freeMegabytes(freeBytes)} is free. Free up space, and start Assay again. Nothing was changed.`,
  );
}

/** Turns an error of the file system into a sentence: `what`, and why. */
export function refusing<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw toFileRefusal(what, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  EEXIST: "its folder is a file",
  EISDIR: "it is a folder",
  SQLITE_FULL: "the disk is full",
  SQLITE_CANTOPEN: "it cannot be opened",
  SQLITE_READONLY: "it is read-only",
  SQLITE_BUSY: "another process is keeping it locked",
};

function toFileRefusal(what: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = code.startsWith("SQLITE_IOERR") ? "the disk is failing" : fileReasonOf(error, reasons);
  return reason === undefined ? error : new Refusal("overloaded", `${what}: ${reason}.`);
}

function createEmpty(file: string): void {
  closeSync(openSync(file, "wx", 0o600));
}

/** A new name is durable only after its folder is flushed. */
export function syncFolder(folder: string): void {
  flush(folder, "r");
}

function flush(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
/** Rounded down, so that what is free never looks like enough. */
export const freeMegabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`;
