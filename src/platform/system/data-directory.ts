// The data directory: created at first start, private, and tested by writing a file, because permissions do not show a full
// or read-only disk. A directory that other users can read is made private only if it is empty. If it has files, someone else
// may use it, so the operator has to decide.

import { chmod, mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export type DirectoryReading =
  | { readonly ok: true; readonly path: string; readonly freeBytes: number }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly isAbsent: boolean;
      /** Only a person decides who may read it. */
      readonly isOpen?: true;
      /** Known where there is no space left. */
      readonly freeBytes?: number;
    };

export async function ensureDataDirectory(dataDir: string): Promise<DirectoryReading> {
  const path = resolve(dataDir);
  try {
    await makeDirectory(path);
    if (await isOpenToOthers(path)) {
      if ((await readdir(path)).length > 0)
        return { ok: false, problem: openDirectory(path), isAbsent: false, isOpen: true };
      await chmod(path, 0o700);
    }
  } catch (error) {
    return describeError(path, error);
  }
  return inspectDataDirectory(path);
}

/** Creates nothing. For the server check. */
export async function inspectDataDirectory(dataDir: string): Promise<DirectoryReading> {
  const path = resolve(dataDir);
  try {
    if (await isOpenToOthers(path)) return { ok: false, problem: openDirectory(path), isAbsent: false };
    await writeProbe(path);
    return { ok: true, path, freeBytes: await readFreeBytes(path) };
  } catch (error) {
    const reading = describeError(path, error);
    return isOutOfSpace(error) ? { ...reading, freeBytes: 0 } : reading;
  }
}

/** The space that an unprivileged process can use. */
export async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Not with the runtime's `recursive`, which never ends under /proc, where an existing parent answers ENOENT. */
async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await make();
  }
}

async function isOpenToOthers(path: string): Promise<boolean> {
  const status = await stat(path);
  if (!status.isDirectory()) throw Object.assign(new Error("no directory"), { code: "ENOTDIR" });
  return (status.mode & 0o077) !== 0;
}

async function writeProbe(directory: string): Promise<void> {
  const path = join(directory, ".write-probe");
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile("probe");
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

function isOutOfSpace(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException).code));
}

function openDirectory(path: string): string {
  return `The data directory ${path} is open to other users: run chmod 700 ${path}, or set ASSAY_DATA_DIR to another directory.`;
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist and cannot be created",
  ENOTDIR: "is not a directory, or is below a file",
  EEXIST: "is not a directory",
  EACCES: "cannot be written by the user that runs Assay",
  EPERM: "cannot be written by the user that runs Assay",
  EROFS: "is on a read-only file system",
  ENOSPC: "is on a full disk",
  EDQUOT: "is over the disk quota of the user that runs Assay",
};

function describeError(path: string, error: unknown): DirectoryReading {
  const code = String((error as NodeJS.ErrnoException).code);
  const words = problems[code] ?? `cannot be used (${code})`;
  const problem = `The data directory ${path} ${words}. Fix this, or set ASSAY_DATA_DIR to another directory.`;
  return { ok: false, problem, isAbsent: code === "ENOENT" };
}
