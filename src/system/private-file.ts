// Files that only their owner may read, and that are whole or absent after a crash.

import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Refuses (EEXIST) to replace a file. */
export async function createPrivateFile(path: string, content: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(dirname(path));
}

/** Replaces what is there, in one step. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  await createPrivateFile(fresh, content);
  await rename(fresh, path);
  await syncDirectory(dirname(path));
}

/** A new name in a directory is durable only when the directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory.sync();
  await directory.close();
}

// Why the file system refuses, by its error code, as it completes "… cannot be written: …".

export const fileReasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "its folder is a file",
};
