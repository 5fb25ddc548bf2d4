// Files that only their owner can read, and that are complete or absent after a crash.

import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Fails with EEXIST if the file exists. */
export async function createPrivateFile(path: string, content: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }); // half a file would be in the way of the next try
    throw error;
  } finally {
    await file.close();
  }
  await syncDirectory(dirname(path));
}

/** Replaces an existing file in one step. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  await createPrivateFile(fresh, content);
  await rename(fresh, path);
  await syncDirectory(dirname(path));
}

/** A new name in a directory is durable only after the directory is synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory.sync();
  await directory.close();
}

// File system errors, worded to complete "… cannot be written: …".

export const fileReasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "its folder is a file",
};

/** For a code that has no words, such as that of a network drive that is gone. */
const systemCode = /^E[A-Z0-9]+$/;

/** Undefined: not an error of the file system. `reasons`: more words, or other ones. */
export function fileReasonOf(error: unknown, reasons: Readonly<Record<string, string>> = {}): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = { ...fileReasons, ...reasons }[code];
  return reason ?? (systemCode.test(code) ? `the system reports ${code}` : undefined);
}
