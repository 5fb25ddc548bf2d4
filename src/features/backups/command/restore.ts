import { randomBytes, randomUUID } from "node:crypto";
import { copyFileSync, existsSync, renameSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Arguments, answer, type Command, type ExitCode, type Terminal } from "../../../platform/cli/command.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import {
  type CopyContents,
  markAsRestored,
  putInPlace,
  verifyCopy,
} from "../../../platform/database/engine/restore.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import { lockDataDirectory } from "../../../platform/database/open.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { unpackAddon } from "../../../platform/system/assets.ts";
import { createPrivateFile, fileReasonOf } from "../../../platform/system/private-file.ts";
import {
  createSecretKey,
  finishRotation,
  inspectKeyFile,
  isKeyText,
  secretKeyPath,
  setKeyAside,
} from "../../../platform/system/secret-key.ts";
import { withRestoreNote } from "../../audit-log/work/restore-note.ts";
import { readOperator } from "../../server/command/with-store.ts";
import { fillTrigrams, noteKey, readNotedKey } from "../rows/whole-copy.ts";
import { isBackupName } from "../rules/stored-backups.ts";
import { inWorkFolder } from "../work/make-copy.ts";
import { type OpenedBackup, openBackup } from "../work/open-backup.ts";
import { removeDigest, requireOwnDigest } from "../work/own-digest.ts";
import { readUnlock } from "./age-options.ts";

export const restore: Command = {
  group: "maintain",
  name: "restore",
  summary: "Replace the database with a backup. Stop Assay first.",
  usage:
    "restore <file> [--identity <file> | --passphrase-file <file>] [--secret-key <file> | --without-key] [--check] [--json]",
  example: "assay restore /var/backups/assay.db --secret-key /var/backups/secret.key",
  positionals: { min: 1, max: 1 },
  options: {
    identity: { value: "file", doc: "The identity file of age that decrypts the backup, as age-keygen writes it." },
    "passphrase-file": { value: "file", doc: "A file with the passphrase that decrypts the backup." },
    "secret-key": {
      value: "file",
      doc: "The backup's secret.key, if it is neither in the backup nor in the data directory.",
    },
    "without-key": { doc: "Restore although the backup's key is lost. Then run assay secret-key forget." },
    check: { doc: "Only verify the backup and its key. Changes nothing, and the server can keep running." },
  },
  details: () =>
    "Instead of a file, name a backup in ASSAY_BACKUP_TO, or latest. The backup and its key are verified first. The current\ndatabase and key are kept under another name. A backup of SQLite can be restored to PostgreSQL, and the other way round.\nRestore a dump of pg_dump with pg_restore.",
  run: restoreFile,
};

type Restoring = { readonly args: Arguments; readonly terminal: Terminal; readonly config: Config };

async function restoreFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  const { prepareDataDirectory } = await import("../../server/installation.ts");
  await prepareDataDirectory(config.dataDir);
  const isCheck = args.flag("check");
  const lock = isCheck ? null : lockDataDirectory(config.dataDir);
  try {
    if (!isCheck && config.databaseUrl !== null) {
      const { requireNoServer } = await import("../../../platform/database/engine/postgres-client.ts");
      await requireNoServer(config.databaseUrl);
    }
    const unlock = await readUnlock(args);
    const name = args.positionals[0] ?? "";
    const asked = (name === "latest" || isBackupName(name)) && !existsSync(name) ? name : resolve(name);
    return await inWorkFolder(config.dataDir, async (folder) => {
      const backup = await openBackup(asked, { config, unlock, folder });
      return await restoreOpened(backup, folder, { args, terminal, config });
    });
  } finally {
    lock?.release();
  }
}

async function restoreOpened(
  backup: OpenedBackup,
  folder: string,
  { args, terminal, config }: Restoring,
): Promise<ExitCode> {
  const addonFile = unpackAddon(config.dataDir);
  const copy = { file: backup.file, addonFile };
  const contents = verifyCopy({ ...copy, name: backup.name }, migrations.length);
  await requireOwnDigest(backup.file, backup.name);
  const notedKey = readNotedKey(copy);
  const isKeyLost = args.flag("without-key");
  const key = isKeyLost ? null : await requireKey(contents, config, args.option("secret-key"), notedKey);
  if (args.flag("check"))
    return answer(args, terminal, toJson(contents), () =>
      [toWords(contents), "The backup is good.", ...toOutsideWords(contents)].join("\n"),
    );
  const { databaseUrl: url } = config;
  const mayShareObjects = contents.messagesOutside > 0 || config.messages !== "database";
  const note = { id: randomUUID(), at: Date.now(), by: readOperator(), file: backup.name, tests: contents.tests };
  const { kept, keptKey } = await withRestoreNote(config.dataDir, note, () =>
    withKey(config.dataDir, key, () =>
      url === null
        ? replaceFile(
            backup,
            { hasKey: notedKey !== null, mayShareObjects, mark: note.id },
            { file: join(config.dataDir, "assay.db"), addonFile, folder },
          )
        : replacePostgres(backup, folder, { url, addonFile, mayShareObjects, mark: note.id }),
    ),
  );
  const lines = [
    `Restored ${toWords(contents)}`,
    ...(kept === null ? [] : [toKeptWords(kept, config)]),
    ...(keptKey === null ? [] : [`The secret key that was there is now ${keptKey}.`]),
    ...toOutsideWords(contents),
    isKeyLost ? "Run assay secret-key forget, then start Assay." : "Start Assay.",
  ];
  return answer(args, terminal, { ...toJson(contents), kept, keptKey }, () => lines.join("\n"));
}

type FileTerms = { readonly hasKey: boolean; readonly mayShareObjects: boolean; readonly mark: string };

async function replaceFile(
  { file: source, isOwn }: OpenedBackup,
  { hasKey, mayShareObjects, mark }: FileTerms,
  target: Parameters<typeof putInPlace>[1],
): Promise<string | null> {
  const { addonFile } = target;
  return await putInPlace(source, target, async (unfinished) => {
    if (isOwn) renameSync(source, unfinished);
    else copyFileSync(source, unfinished);
    await removeDigest(unfinished);
    if (hasKey) noteKey({ file: unfinished, addonFile }, null);
    markAsRestored({ file: unfinished, addonFile }, mark, mayShareObjects);
    fillTrigrams({ file: unfinished, addonFile });
  });
}

type PostgresTerms = Omit<FileTerms, "hasKey"> & { readonly url: string; readonly addonFile: string | undefined };

/** The copy that is brought to the newest schema is in the work folder, so the backup stays as it is. */
async function replacePostgres(
  { file: source, isOwn }: OpenedBackup,
  folder: string,
  { url, addonFile, mayShareObjects, mark }: PostgresTerms,
): Promise<string | null> {
  const [{ migrateCopy }, { copyToPostgres }, { createLog }] = await Promise.all([
    import("../rows/from-postgres.ts"),
    import("../rows/to-postgres.ts"),
    import("../../../platform/system/log.ts"),
  ]);
  const now = () => Date.now();
  const log = createLog({ level: "error", format: "text", write: () => {}, now });
  const system = { now, random: (count: number) => randomBytes(count), log };
  const file = join(folder, "migrated.db");
  if (isOwn) renameSync(source, file);
  else copyFileSync(source, file);
  noteKey({ file, addonFile }, null);
  markAsRestored({ file, addonFile }, mark, mayShareObjects);
  await migrateCopy(file, system);
  return await copyToPostgres(file, url, { system, addonFile });
}

function toKeptWords(kept: string, { databaseUrl }: Config): string {
  return databaseUrl === null
    ? `The database that was there is now ${kept}. Delete it when all is well.`
    : `The tables that were there are now in the schema ${kept}. Delete it when all is well: drop schema ${kept} cascade`;
}

/** Returns the text of the key to put in place. Null if the right key is there, or isn't needed. */
async function requireKey(
  { keyFingerprint }: CopyContents,
  { secretKey, dataDir }: Pick<Config, "secretKey" | "dataDir">,
  given: string | undefined,
  noted: string | null,
): Promise<string | null> {
  if (keyFingerprint === undefined) return null;
  const fits = (text: string) => createSecretKey(text.trim()).fingerprint === keyFingerprint;
  if (given !== undefined) return await requireGivenKey(given, secretKey !== null, fits);
  const path = secretKeyPath(dataDir);
  const current = secretKey ?? ((await inspectKeyFile(path)) === "private" ? await readFile(path, "utf8") : null);
  if (current !== null && fits(current)) return null;
  if (secretKey === null && noted !== null && isKeyText(noted) && fits(noted)) return noted;
  if (current === null) throw noKey();
  throw wrongKey(secretKey === null ? path : "ASSAY_SECRET_KEY", secretKey !== null && noted !== null);
}

async function requireGivenKey(file: string, isSetting: boolean, fits: (text: string) => boolean): Promise<string> {
  if (isSetting)
    throw new Refusal("invalid_request", "The key is set in ASSAY_SECRET_KEY, so --secret-key is not used.");
  const text = await readGivenKey(file);
  if (isKeyText(text.trim()) && fits(text)) return text;
  throw new Refusal("conflict", `${file} is not the key of this backup. Nothing was changed.`);
}

async function readGivenKey(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = fileReasonOf(error, { ENOENT: "it does not exist", EISDIR: "it is a folder" });
    throw new Refusal("invalid_request", `${file} cannot be read: ${reason ?? messageOf(error)}. Nothing was changed.`);
  }
}

function noKey(): Refusal {
  return new Refusal(
    "conflict",
    "This backup needs its secret.key. Give it with --secret-key. If it is lost, add --without-key. Nothing was changed.",
  );
}

/** `isInBackup`: the right key is in the backup, but the wrong one is a setting. */
function wrongKey(what: string, isInBackup: boolean): Refusal {
  return new Refusal(
    "conflict",
    isInBackup
      ? `${what} is not the key of this backup. The backup contains its key: decrypt it with age, run sqlite3 assay.db "select value from meta where key = 'backup_secret_key'", and set ASSAY_SECRET_KEY to that. If you don't need the stored secrets, add --without-key. Nothing was changed.`
      : `${what} is not the key of this backup. Give the backup's secret.key with --secret-key. After assay secret-key rotate, it is a secret.key.old-… in the data directory. If that key is lost, add --without-key. Nothing was changed.`,
  );
}

/**
 * The key is written next to the current one before the database is replaced, and takes its place afterward. A restore
 * that is interrupted in between is finished by the next start, as a change of the key is (platform/system/secret-key.ts).
 */
async function withKey<T>(
  dataDir: string,
  key: string | null,
  replace: () => Promise<T>,
): Promise<{ readonly kept: T; readonly keptKey: string | null }> {
  const path = secretKeyPath(dataDir);
  const isThere = key === null || (await readFile(path, "utf8").catch(() => "")).trim() === key.trim();
  if (isThere) return { kept: await replace(), keptKey: null };
  const next = `${path}.next`;
  const isRepeated = (await readFile(next, "utf8").catch(() => "")).trim() === key.trim();
  // The database that is replaced, and kept, may be encrypted with it, if a change of the key was interrupted.
  const keptNext = isRepeated ? null : await setKeyAside(next, path);
  if (!isRepeated) await createPrivateFile(next, `${key.trim()}\n`);
  try {
    const kept = await replace();
    return { kept, keptKey: await finishRotation(path, createSecretKey(key.trim()).fingerprint) };
  } catch (error) {
    // The database may already be encrypted with the one that was there.
    if (!isRepeated) await rm(next, { force: true });
    if (keptNext !== null) await rename(keptNext, next);
    throw error;
  }
}

function toJson({ keyFingerprint: _, newestAt, ...contents }: CopyContents) {
  return { ...contents, newestAt: newestAt === null ? null : new Date(newestAt).toISOString() };
}

function toWords({ tests, newestAt, workspaces }: CopyContents): string {
  const of = `${tests} ${tests === 1 ? "test" : "tests"} in ${workspaces} ${workspaces === 1 ? "workspace" : "workspaces"}`;
  return newestAt === null ? `${of}.` : `${of}, the newest of ${new Date(newestAt).toISOString()}.`;
}

function toOutsideWords({ messagesOutside: outside }: CopyContents): readonly string[] {
  if (outside === 0) return [];
  const what = outside === 1 ? "1 raw message is" : `${outside} raw messages are`;
  return [
    `${what} not in the backup but in the S3 store or directory. After the start,`,
    "assay messages check says whether they are all there. Nothing is deleted there until you run",
    "assay messages sweep and do what it says.",
  ];
}
