// Objects as files, in one of 256 folders each, so that no folder becomes huge. A file is complete or absent after a
// crash: it is written under another name, flushed and renamed, and then its folder is flushed.

import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObjectKey, type ListedObject, type ObjectStore, ObjectTrouble } from "./objects.ts";
import { fileReasons, syncDirectory } from "./private-file.ts";

/** A file with this ending was never completed. */
const unfinished = ".new";

export function createObjectDirectory(folder: string): ObjectStore {
  const pathOf = (key: string) => join(folder, key.slice(-2), key);
  const prepared = new Map<string, Promise<void>>();

  function prepare(inner: string): Promise<void> {
    const preparing = prepared.get(inner) ?? makeDurable(inner, folder);
    prepared.set(inner, preparing);
    return preparing;
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key);
    const inner = dirname(path);
    await prepare(inner);
    const fresh = `${path}${unfinished}`;
    try {
      await fill(fresh, bytes);
      await rename(fresh, path);
    } catch (error) {
      // On a full disk, it would take the space that the next message needs.
      await rm(fresh, { force: true }).catch(() => {});
      throw error;
    }
    await syncDirectory(inner);
  }

  return {
    put: (key, bytes) =>
      explained(folder, () =>
        write(key, bytes).catch((error) => {
          prepared.clear(); // someone may have removed a folder
          throw error;
        }),
      ),
    get: (key) =>
      explained(folder, async () => {
        try {
          return await readFile(pathOf(key));
        } catch (error) {
          // An unmounted disk must not look like missing messages.
          if (isAbsent(error) && (await stat(folder)).isDirectory()) return undefined;
          throw error;
        }
      }),
    remove: (key) => explained(folder, () => rm(pathOf(key), { force: true })),
    list: (cursor) => explained(folder, () => listFolder(folder, cursor)),
    close: () => {},
  };
}

async function fill(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * The names of all folders above must be durable too. Those that exist may have been made by a process that died before
 * it flushed them.
 */
async function makeDurable(inner: string, folder: string): Promise<void> {
  const made = (await mkdir(inner, { recursive: true, mode: 0o700 })) ?? inner;
  const topmost = Math.min(made.length, dirname(folder).length);
  for (let path = inner; path.length >= topmost && path !== dirname(path); path = dirname(path))
    await syncDirectory(dirname(path));
}

/** One of the 256 folders. The cursor is its number. */
async function listFolder(folder: string, cursor: string | null) {
  const number = cursor === null ? 0 : Number.parseInt(cursor, 16) + 1;
  const inner = number.toString(16).padStart(2, "0");
  const names = await readdir(join(folder, inner)).catch((error) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  const objects: ListedObject[] = [];
  for (const name of names) {
    const key = name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name;
    if (!isObjectKey(key)) continue;
    const found = await lstat(join(folder, inner, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    if (key === name) objects.push({ key, modifiedAt: found.mtimeMs });
    else if (found.mtimeMs < Date.now() - unfinishedKeptMs) await rm(join(folder, inner, name), { force: true });
  }
  return { objects, next: number >= 255 ? null : inner, listedAt: Date.now() };
}

/** Far longer than any write takes. */
const unfinishedKeptMs = 3_600_000;

async function explained<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    const why = fileReasons[code] ?? (code === "" ? String(error) : code);
    throw new ObjectTrouble(`${folder} cannot be used: ${why}`, code === "ENOSPC" || code === "EDQUOT");
  }
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
