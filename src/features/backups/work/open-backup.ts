// A backup as a database that can be read: fetched from where backups are stored, and decrypted into a work folder. Nothing
// of what is there is changed.

import { open, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { noSpace, requireSpace } from "../../../platform/database/engine/restore.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { type Chunks, decryptChunks, inspectEncryption, type Unlock } from "../../../platform/system/age.ts";
import { createMeter, type Digest, readChunks, writeChunks } from "../../../platform/system/file-chunks.ts";
import { fileReasonOf, fileReasons } from "../../../platform/system/private-file.ts";
import { isBackupName } from "../rules/stored-backups.ts";
import { type BackupPlace, openBackupPlace } from "./places.ts";

export type OpenedBackup = {
  /** The database. */
  readonly file: string;
  /** What people call it. */
  readonly name: string;
  /** It may be moved, because it is in the work folder. */
  readonly isOwn: boolean;
  readonly encrypted: boolean;
};

type OpenTerms = {
  readonly config: Config;
  readonly unlock: Unlock;
  /** Empty, in the data directory. */
  readonly folder: string;
};

/** `asked`: a path, the name of a scheduled backup, or "latest". */
export async function openBackup(asked: string, terms: OpenTerms): Promise<OpenedBackup> {
  const found = await stat(asked).catch((error) => {
    if (isAbsent(error)) return undefined;
    throw toUnreadable(asked, error);
  });
  const isFile = found?.isFile() === true;
  const isStored = !isFile && (asked === "latest" || isBackupName(asked));
  const fetched = isStored ? await fetchBackup(asked, terms) : null;
  const { file, name } = fetched ?? { file: asked, name: asked };
  if (fetched === null && !isFile)
    throw new Refusal(
      "invalid_request",
      found === undefined
        ? `${asked} does not exist. Nothing was changed.`
        : `${asked} is not a file. Name the file of a backup. Nothing was changed.`,
    );
  await refuseOtherDumps(file, name).catch((error) => {
    throw toUnreadable(name, error);
  });
  const encryption = await inspectEncryption(file);
  if (encryption === "armored age")
    throw new Refusal(
      "invalid_request",
      `${name} is encrypted as text. Decrypt it first: age -d -i identity.txt ${basename(name)} > assay.db`,
    );
  if (encryption === "none") return { file, name, isOwn: fetched !== null, encrypted: false };
  const plain = join(terms.folder, "plain.db");
  const { size } = await stat(file);
  requireKeys(terms.unlock, name);
  await writeWithin(
    terms.folder,
    { file: plain, bytes: size, name },
    decryptChunks(readChunks(file), terms.unlock, name),
  );
  return { file: plain, name, isOwn: true, encrypted: true };
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));

function toUnreadable(name: string, error: unknown): unknown {
  const reason = fileReasonOf(error, { EIO: "the disk is failing" });
  const hint = reason === fileReasons.EACCES ? " Copy it to a folder that the user of this command can read." : "";
  return reason === undefined
    ? error
    : new Refusal("overloaded", `${name} cannot be read: ${reason}.${hint} Nothing was changed.`);
}

/** What isn't encrypted could have changed without being noticed otherwise. */
function requireSame(name: string, { sha256 }: Pick<Digest, "sha256">, found: Digest): void {
  if (found.sha256 === sha256) return;
  throw new Refusal(
    "conflict",
    `${name} is damaged: it is not as its note says. Use another backup: assay backup --list shows them. Nothing was changed.`,
  );
}

function requireKeys({ identities, passphrase }: Unlock, name: string): void {
  if (identities.length > 0 || passphrase !== null) return;
  throw new Refusal(
    "invalid_request",
    `${name} is encrypted. Name the identity file with --identity, or the file with its passphrase with --passphrase-file. Nothing was changed.`,
  );
}

async function fetchBackup(
  asked: string,
  { config, folder }: OpenTerms,
): Promise<{ readonly file: string; readonly name: string }> {
  const place = await openBackupPlace(config);
  if (place === null)
    throw new Refusal(
      "invalid_request",
      `There is no file ${asked}. To restore a scheduled backup, set ASSAY_BACKUP_TO.`,
    );
  try {
    const note = await chooseBackup(place, asked);
    const { name, bytes } = note;
    const file = join(folder, "fetched");
    const meter = createMeter();
    await writeWithin(folder, { file, bytes, name }, meter.through(place.read(name, bytes)));
    requireSame(name, note, meter.read());
    return { file, name };
  } finally {
    place.close();
  }
}

async function chooseBackup(place: BackupPlace, asked: string) {
  const notes = await place.list();
  const [newest] = asked === "latest" ? notes : notes.filter(({ name }) => name === asked);
  if (newest === undefined)
    throw new Refusal("not_found", `${place.where} has no complete backup${asked === "latest" ? "" : ` ${asked}`}.`);
  const owners = new Set(notes.map(({ name }) => name.split("-")[1]));
  if (asked === "latest" && owners.size > 1)
    throw new Refusal(
      "conflict",
      `${place.where} has backups of ${owners.size} installations. Choose one by its name: assay backup --list shows them.`,
    );
  return newest;
}

type Written = { readonly file: string; readonly bytes: number; readonly name: string };

async function writeWithin(folder: string, { file, bytes, name }: Written, chunks: Chunks): Promise<void> {
  requireSpace(bytes, dirname(folder));
  try {
    await writeChunks(file, chunks);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOSPC" || code === "EDQUOT") throw noSpace(bytes, dirname(folder), 0);
    if (code === "EIO")
      throw new Refusal("overloaded", `${name} cannot be read: the disk is failing. Nothing was changed.`);
    throw error;
  }
}

/** A person may have the backup of pg_dump at hand. */
async function refuseOtherDumps(file: string, name: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const start = buffer.toString("latin1", 0, bytesRead);
    if (start.startsWith("PGDMP") || start.startsWith("--\n-- PostgreSQL database dump"))
      throw new Refusal(
        "invalid_request",
        `${name} was written by pg_dump. Restore it with pg_restore or psql. Nothing was changed.`,
      );
  } finally {
    await handle.close();
  }
}
