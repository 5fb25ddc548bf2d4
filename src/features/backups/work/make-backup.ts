// One scheduled backup: copied, checked, encrypted, stored, read again, and only then noted as good. Old ones are deleted
// after that (src/decisions.md, "Backups"). Runs in a thread (thread.ts), or in a command.

import { rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { version } from "../../../analyzer/version.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import {
  type Chunks,
  createIdentity,
  decryptChunks,
  encryptChunks,
  type Lock,
  type Unlock,
} from "../../../platform/system/age.ts";
import { unpackAddon } from "../../../platform/system/assets.ts";
import { createMeter, type Digest, digestOf, readChunks, writeChunks } from "../../../platform/system/file-chunks.ts";
import { fileReasonOf } from "../../../platform/system/private-file.ts";
import {
  type BackupNote,
  backupsKept,
  chooseRemoved,
  isBackupName,
  isOfOwner,
  timeOfBackup,
  toBackupName,
  writeNote,
  writePendingNote,
} from "../rules/stored-backups.ts";
import { drill } from "./drill.ts";
import {
  type CopySettings,
  type CopyTerms,
  inWorkFolder,
  type MadeCopy,
  makeCopy,
  requireWorkSpace,
} from "./make-copy.ts";
import { type BackupPlace, openBackupPlace, type PlaceSettings } from "./places.ts";

export type BackupSettings = CopySettings & PlaceSettings & Pick<Config, "backupRecipients">;

export type BackupTerms = Pick<CopyTerms, "system" | "owner" | "keyText"> & {
  readonly config: BackupSettings;
  /** Raw messages that are stored outside the database. */
  readonly leavesMessages: boolean;
  /** The size of the database and of the raw messages that are put into the copy. */
  readonly expectedBytes: number;
};

export type Backup = {
  readonly note: BackupNote;
  readonly where: string;
  readonly removed: number;
  /** Why it could not be restored in a drill. */
  readonly drillProblem: string | null;
};

/** So that intake has most of the disk, also during a backup. */
const bytesPerSecond = 50_000_000;
/** Another server may be writing a newer one. */
const unfinishedKeptMs = 2 * 86_400_000;

/** Null: backups are not encrypted. */
export function toLock({ backupRecipients }: Pick<Config, "backupRecipients">): Lock | null {
  return backupRecipients.length > 0 ? { recipients: backupRecipients } : null;
}

export async function makeBackup(terms: BackupTerms): Promise<Backup> {
  const place = await openBackupPlace(terms.config);
  if (place === null)
    throw new Refusal("invalid_request", "No place for backups is set. Set ASSAY_BACKUP_TO, or name a file.");
  try {
    await place.list(); // so that a place that doesn't work is noticed before the copy is made
    return await inWorkFolder(terms.config.dataDir, async (folder, others) => {
      await removeLeft(place, terms, others === 0).catch((error) =>
        terms.system.log.warn("what killed backups left could not be removed", { problem: messageOf(error) }),
      );
      return await storeIn(place, folder, terms);
    });
  } finally {
    place.close();
  }
}

async function storeIn(place: BackupPlace, folder: string, terms: BackupTerms): Promise<Backup> {
  const { config, system, owner } = terms;
  const at = system.now();
  const lock = toLock(config);
  const { minFreeBytes } = config;
  await requireWorkSpace(folder, { copyBytes: terms.expectedBytes, minFreeBytes });
  const file = join(folder, "copy.db");
  const keyText = lock === null ? null : terms.keyText;
  const copy = await makeCopy(file, { ...terms, keyText, bytesPerSecond });
  const name = toBackupName(owner, at, lock !== null);
  const restored = join(folder, "restored.db");
  let drillProblem: string | null = null;
  // The copy is no longer needed then, and leaves its space to the drill.
  const findRoom = async () => {
    const room = rm(file).then(() => requireWorkSpace(folder, { copyBytes: copy.bytes, minFreeBytes }));
    drillProblem = await room.then(() => null, messageOf);
    return drillProblem === null ? restored : null;
  };
  const loseRoom = async (error: unknown) => {
    drillProblem = `The folder ${folder} cannot be written: ${fileReasonOf(error) ?? messageOf(error)}.`;
    await rm(restored, { force: true }).catch(() => {}); // the work folder is removed later anyway
  };
  await place.putNote(name, writePendingNote(name));
  const storing = { name, file, lock, copyBytes: copy.bytes, findRoom, loseRoom };
  const stored = await storeCopy(place, storing).catch((error) => removeAfter(place, name, error));
  const hadRoom = drillProblem === null;
  if (hadRoom)
    drillProblem = await drill({ file: restored, addonFile: unpackAddon(config.dataDir), name }, copy, system);
  const became = !hadRoom ? "no room" : drillProblem === null ? "restored" : "failed";
  const times = { at, tookMs: system.now() - at };
  const note = toNote(copy, { name, ...stored, encrypted: lock !== null, ...times, drill: became });
  await place.putNote(name, writeNote(note)).catch((error) => removeAfter(place, name, error));
  const removed = await rotate(place, terms, name);
  return { note, where: place.where, removed, drillProblem };
}

type Storing = {
  readonly name: string;
  readonly file: string;
  readonly lock: Lock | null;
  readonly copyBytes: number;
  /** Called once it is stored. Returns the file that it is restored to, or null. */
  readonly findRoom?: () => Promise<string | null>;
  /** Called if that file can't be written. What was stored is good nevertheless. */
  readonly loseRoom?: (error: unknown) => Promise<void>;
};

/**
 * What was stored is read again, decrypted, and compared with the copy. For that, a file for recipients is also encrypted
 * for a key that exists only meanwhile, because their identities aren't here.
 */
export async function storeCopy(
  place: Pick<BackupPlace, "where" | "put" | "read" | "remove">,
  { name, file, lock, copyBytes, findRoom, loseRoom }: Storing,
): Promise<Digest> {
  const check = lock !== null && "recipients" in lock ? await createIdentity() : null;
  const plain = createMeter();
  const stored = createMeter();
  const source = plain.through(readChunks(file, bytesPerSecond));
  const sealed = lock === null ? source : encryptChunks(source, withCheck(lock, check?.recipient));
  await place.put(name, stored.through(sealed), copyBytes);
  const restored = (await findRoom?.()) ?? null;
  const { bytes, sha256 } = stored.read();
  const again = createMeter();
  const read = again.through(place.read(name, bytes));
  const opened =
    lock === null ? read : decryptChunks(read, toUnlock(lock, check?.identity), `${name} in ${place.where}`);
  const back = createMeter();
  const reading = readOn(back.through(opened), restored, loseRoom);
  await reading.catch((error) => removeAfter(place, name, error));
  const isSame = back.read().sha256 === plain.read().sha256 && again.read().sha256 === sha256;
  if (isSame) return { bytes, sha256 };
  await place.remove(name);
  throw new Refusal("overloaded", `The backup that was stored in ${place.where} has changed there. It was deleted.`);
}

/** Reads to the end, also when the file can't be written. Throws only if the reading fails. */
async function readOn(chunks: Chunks, file: string | null, lose: Storing["loseRoom"]): Promise<void> {
  const reader = chunks[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  // Without a return, which would end the reading with the writing.
  const next = () => {
    const chunk = reader.next();
    last = chunk;
    return chunk;
  };
  const open: Chunks = { [Symbol.asyncIterator]: () => ({ next }) };
  if (file !== null)
    await writeChunks(file, open).catch(async (error) => {
      await last; // throws if it was the reading that failed
      await lose?.(error);
    });
  await digestOf(open);
}

/** Without a note it would take up space forever, because rotation doesn't know it. */
async function removeAfter(place: Pick<BackupPlace, "remove">, name: string, error: unknown): Promise<never> {
  await place.remove(name).catch(() => {}); // the first error counts
  throw error;
}

function withCheck(lock: Lock, recipient: string | undefined): Lock {
  return recipient === undefined || !("recipients" in lock) ? lock : { recipients: [...lock.recipients, recipient] };
}

function toUnlock(lock: Lock, identity: string | undefined): Unlock {
  return {
    identities: identity === undefined ? [] : [identity],
    passphrase: "passphrase" in lock ? lock.passphrase : null,
  };
}

type Stored = Digest & Pick<BackupNote, "name" | "at" | "encrypted" | "tookMs" | "drill">;

function toNote(copy: MadeCopy, stored: Stored): BackupNote {
  const { tests, workspaces, newestAt, messagesOutside, messagesMissing } = copy;
  // Those that are missing are outside too, as far as the rows say.
  const left = Math.max(0, messagesOutside - messagesMissing);
  return { ...stored, version, tests, workspaces, newestAt, messagesOutside: left, messagesMissing };
}

/** Only this installation's own. */
async function rotate(place: BackupPlace, { owner }: BackupTerms, made: string): Promise<number> {
  const own = (await place.list()).filter(({ name }) => isOfOwner(name, owner));
  const removed = chooseRemoved(own, backupsKept, made);
  for (const { name } of removed) await place.remove(name);
  return removed.length;
}

/** `isAlone`: no other process makes a backup of this data directory. Those of other servers are kept for a while. */
async function removeLeft(place: BackupPlace, { config, system, owner }: BackupTerms, isAlone: boolean): Promise<void> {
  const ownEnded = isAlone && config.databaseUrl === null;
  const before = system.now() - unfinishedKeptMs;
  await place.removeLeft(
    (name) => isBackupName(name) && ((ownEnded && isOfOwner(name, owner)) || timeOfBackup(name) < before),
  );
}

/**
 * Linux gives each thread its own priority, and the disk's scheduler follows it. Elsewhere this would slow the whole
 * process.
 */
export function stepBack(platform: string): void {
  if (platform !== "linux") return;
  try {
    setPriority(19);
  } catch {
    // Then the limit of bytes per second must do.
  }
}
