// The SHA-256 of a backup at its own end, so that a changed byte is noticed wherever the file was copied. It follows the
// last page, where SQLite ignores it.

import { appendFile, open, stat, truncate } from "node:fs/promises";
import { Refusal } from "../../../platform/errors.ts";
import { digestOf, readChunks } from "../../../platform/system/file-chunks.ts";

const toLine = (sha256: string) => `assay backup, sha256 ${sha256}\n`;
const lineBytes = toLine("0".repeat(64)).length;
/** Each page size of SQLite is a multiple of it, and the line is shorter. */
const blockBytes = 512;

/** Returns by how much the file grew. */
export async function appendDigest(file: string, bytesPerSecond: number): Promise<number> {
  const { sha256 } = await digestOf(readChunks(file, bytesPerSecond));
  await appendFile(file, toLine(sha256));
  return lineBytes;
}

/** Copies that earlier versions and upgrades made have none. `name`: what people call the file. */
export async function requireOwnDigest(file: string, name: string): Promise<void> {
  const { size } = await stat(file);
  if (size % blockBytes === 0) return;
  const contentBytes = size - (size % blockBytes);
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(blockBytes), 0, blockBytes, contentBytes).finally(handle.close);
  const { sha256 } = await digestOf(readChunks(file, 0, contentBytes));
  if (buffer.toString("latin1", 0, size % blockBytes) === toLine(sha256)) return;
  throw new Refusal(
    "conflict",
    `${name} is damaged: it is not as its digest says. Use another backup. Nothing was changed.`,
  );
}

export async function removeDigest(file: string): Promise<void> {
  const { size } = await stat(file);
  await truncate(file, size - (size % blockBytes));
}
