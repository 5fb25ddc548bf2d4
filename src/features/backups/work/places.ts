// Where scheduled backups are stored: a folder, or an S3-compatible store. A file is there completely or not at all.

import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeCopy } from "../../../platform/database/engine/sqlite-files.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { Chunks } from "../../../platform/system/age.ts";
import { readChunks, writeChunks } from "../../../platform/system/file-chunks.ts";
import { ObjectTrouble } from "../../../platform/system/objects.ts";
import { fileReasonOf, syncDirectory } from "../../../platform/system/private-file.ts";
import type { S3Files } from "../../../platform/system/s3-files.ts";
import { type BackupNote, isBackupName, isPendingNote, readNote, toNoteName } from "../rules/stored-backups.ts";

export type BackupPlace = {
  /** In words for people: a path, or a bucket. */
  readonly where: string;
  readonly put: (name: string, chunks: Chunks, expectedBytes: number) => Promise<void>;
  readonly read: (name: string, bytes: number) => Chunks;
  readonly putNote: (name: string, text: string) => Promise<void>;
  /** Complete backups of all installations, newest first. */
  readonly list: () => Promise<readonly BackupNote[]>;
  readonly remove: (name: string) => Promise<void>;
  /** Removes what killed processes left of these backups. */
  readonly removeLeft: (isLeft: (name: string) => boolean) => Promise<void>;
  readonly close: () => void;
};

export type PlaceSettings = Pick<Config, "backupTo" | "s3">;

/** Null if no place is configured. `timeoutMs`: for one try of a request to a bucket. */
export async function openBackupPlace(config: PlaceSettings, timeoutMs = 60_000): Promise<BackupPlace | null> {
  const { backupTo } = config;
  if (backupTo === null) return null;
  if ("folder" in backupTo) return createFolderPlace(backupTo.folder);
  const { s3 } = config;
  if (s3 === null) throw new Refusal("invalid_request", "ASSAY_BACKUP_TO names a bucket, but ASSAY_S3_URL is not set.");
  const { bucket, prefix } = backupTo;
  const { createS3Files } = await import("../../../platform/system/s3-files.ts");
  const terms = { ...s3, bucket, timeoutMs };
  return createS3Place(
    createS3Files({ ...terms, prefix: prefix === "" ? "" : `${prefix}/` }),
    `the S3 bucket ${bucket}${prefix === "" ? "" : `, under ${prefix}/`}`,
  );
}

const noteBytes = 65_536;
/** Its first characters keep it out of the list, and from being taken for a backup by a person. */
const toUnfinished = (name: string) => `.unfinished-${name}`;
/** The backup that a file of such a name belongs to. Empty for other names. */
const toFinished = (name: string) => (/^\.unfinished-(.*?)(?:\.json)?$/.exec(name) ?? [])[1] ?? "";
const nameOfNote = (note: string) => (/^(.*)\.json$/.exec(note) ?? [])[1] ?? "";

function createFolderPlace(folder: string): BackupPlace {
  const remove = async (name: string) => {
    // The note last, because it says what the file is until then.
    await rm(join(folder, name), { force: true });
    await rm(join(folder, toNoteName(name)), { force: true });
  };
  const put = async (name: string, chunks: Chunks) => {
    const unfinished = join(folder, toUnfinished(name));
    try {
      await rm(unfinished, { force: true });
      await writeChunks(unfinished, chunks);
      await rename(unfinished, join(folder, name));
      await syncDirectory(folder);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      throw error;
    }
  };
  return {
    where: folder,
    put: (name, chunks) => explained(folder, () => put(name, chunks)),
    read: (name) => readExplained(folder, name),
    putNote: (name, text) => explained(folder, () => put(toNoteName(name), toChunks(text))),
    list: () => explained(folder, () => listFolder(folder)),
    remove: (name) => explained(folder, () => remove(name)),
    removeLeft: (isLeft) =>
      explained(folder, async () => {
        const names = await readdir(folder);
        for (const name of names) if (isLeft(toFinished(name))) await rm(join(folder, name), { force: true });
        const readText = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
        for (const name of await findLeft(
          names.filter((one) => isLeft(nameOfNote(one))),
          new Set(names),
          readText,
        ))
          await remove(name);
      }),
    close: () => {},
  };
}

/** One file, which must not exist yet. */
export function createFilePlace(file: string): Pick<BackupPlace, "where" | "put" | "read" | "remove"> {
  return {
    where: dirname(file),
    put: (_name, chunks) =>
      writeCopy(file, async (unfinished) => {
        await rm(unfinished);
        await writeChunks(unfinished, chunks);
      }),
    read: () => readChunks(file),
    remove: () => rm(file, { force: true }),
  };
}

async function listFolder(folder: string): Promise<readonly BackupNote[]> {
  const names = await readdir(folder);
  const notes: BackupNote[] = [];
  for (const name of names.filter(isBackupName)) {
    if (!names.includes(toNoteName(name))) continue;
    const note = await readNoteIn(folder, name);
    if (note) notes.push(note);
  }
  return newestFirst(notes);
}

/** Removed meanwhile by another process, a link to nothing, or another user's. One of them must not end all backups. */
const notReadable: ReadonlySet<string> = new Set(["ENOENT", "ELOOP", "EACCES", "EPERM"]);

/** Undefined: it doesn't count. */
async function readNoteIn(folder: string, name: string): Promise<BackupNote | undefined> {
  try {
    const [file, note] = await Promise.all([stat(join(folder, name)), stat(join(folder, toNoteName(name)))]);
    if (!file.isFile() || !note.isFile() || note.size > noteBytes) return undefined;
    return readNote(await readFile(join(folder, toNoteName(name)), "utf8"), { name, bytes: file.size });
  } catch (error) {
    if (notReadable.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

/** Returns the names of backups that aren't complete, or were being removed. */
async function findLeft(
  notes: readonly string[],
  names: ReadonlySet<string>,
  readText: (name: string) => Promise<string>,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const note of notes) {
    const name = nameOfNote(note);
    if (!names.has(name) || isPendingNote(await readText(note))) left.push(name);
  }
  return left;
}

function createS3Place(files: S3Files, where: string): BackupPlace {
  const remove = (name: string) => files.remove(name).then(() => files.remove(toNoteName(name)));
  return {
    where,
    put: (name, chunks, expectedBytes) => worded(where, files.put(name, chunks, expectedBytes)),
    read: files.read,
    putNote: (name, text) => worded(where, files.put(toNoteName(name), toChunks(text), text.length)),
    list: () => worded(where, listObjects(files)),
    remove: (name) => worded(where, remove(name)),
    removeLeft: (isLeft) => worded(where, removeLeftObjects(files, isLeft, remove)),
    close: files.close,
  };
}

async function listObjects(files: S3Files): Promise<readonly BackupNote[]> {
  const stored = await files.list();
  const sizes = new Map(stored.map(({ name, bytes }) => [name, bytes]));
  const notes: BackupNote[] = [];
  for (const { name, bytes } of stored) {
    const noteSize = sizes.get(toNoteName(name));
    if (!isBackupName(name) || noteSize === undefined || noteSize > noteBytes) continue;
    const note = readNote(await readText(files, toNoteName(name), noteSize), { name, bytes });
    if (note) notes.push(note);
  }
  return newestFirst(notes);
}

async function readText(files: S3Files, name: string, bytes: number): Promise<string> {
  return Buffer.concat(await Array.fromAsync(files.read(name, bytes))).toString("utf8");
}

async function removeLeftObjects(
  files: S3Files,
  isLeft: (name: string) => boolean,
  remove: (name: string) => Promise<void>,
): Promise<void> {
  await files.abortUploads((name) => isLeft(name) || isLeft(nameOfNote(name)));
  const sizes = new Map((await files.list()).map(({ name, bytes }) => [name, bytes]));
  const notes = [...sizes.keys()].filter((name) => isLeft(nameOfNote(name)));
  const read = (note: string) => readText(files, note, Math.min(sizes.get(note) ?? 0, noteBytes));
  for (const name of await findLeft(notes, new Set(sizes.keys()), read)) await remove(name);
}

function newestFirst(notes: readonly BackupNote[]): readonly BackupNote[] {
  return notes.toSorted((one, other) => other.at - one.at);
}

async function* toChunks(text: string): Chunks {
  yield Buffer.from(text);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: "it is not a folder",
  ENOENT: "it does not exist. Create it, or mount its disk",
  EIO: "the disk is failing",
};

async function explained<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFolderRefusal(folder, error);
  }
}

async function* readExplained(folder: string, name: string): Chunks {
  try {
    yield* readChunks(join(folder, name));
  } catch (error) {
    throw toFolderRefusal(folder, error);
  }
}

function toFolderRefusal(folder: string, error: unknown): unknown {
  const reason = fileReasonOf(error, reasons);
  return reason === undefined
    ? error
    : new Refusal("overloaded", `The backup folder ${folder} cannot be used: ${reason}.`);
}

async function worded<T>(where: string, work: Promise<T>): Promise<T> {
  return await work.catch((error) => {
    if (!(error instanceof ObjectTrouble)) throw error;
    throw new Refusal("overloaded", `The backup cannot be stored in ${where}: ${error.message}.`);
  });
}
