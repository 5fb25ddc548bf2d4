import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { type CopyContents, putInPlace, verifyCopy } from "../store/engine/restore.ts";
import { migrations } from "../store/migrations/list.ts";
import { lockDataDirectory } from "../store/open.ts";
import { unpackAddon } from "../system/assets.ts";
import { createPrivateFile } from "../system/private-file.ts";
import {
  createSecretKey,
  inspectKeyFile,
  isKeyText,
  secretKeyPath,
  setKeyAside,
} from "../system/secret-key.ts";
import { type Arguments, answer, type Command, type ExitCode, type Terminal } from "./command.ts";
import { loadConfig } from "./settings.ts";

export const restore: Command = {
  name: "restore",
  summary: "Replace the database with a backup. Stop Assay first.",
  usage: "restore <file> [--secret-key <file> | --without-key] [--check] [--json]",
  example: "assay restore /var/backups/assay.db --secret-key /var/backups/secret.key",
  positionals: { min: 1, max: 1 },
  options: {
    "secret-key": { value: "file", doc: "The backup's secret.key, if it isn't in the data directory yet." },
    "without-key": { doc: "Restore although the backup's key is lost. Then run assay secret-key forget." },
    check: { doc: "Only verify the backup and its key. Changes nothing, and the server can keep running." },
  },
  details: () =>
    "The backup and its key are verified first. The current database and key are kept under another name.\nWith PostgreSQL, use pg_restore.",
  run: restoreFile,
};

async function restoreFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  if (config.databaseUrl !== null)
    throw new Refusal("conflict", "With PostgreSQL, restore the database with pg_restore.");
  const { prepareDataDirectory } = await import("../installation.ts");
  await prepareDataDirectory(config.dataDir);
  const copy = resolve(args.positionals[0] ?? "");
  const isCheck = args.flag("check");
  const lock = isCheck ? null : lockDataDirectory(config.dataDir);
  try {
    const addonFile = unpackAddon(config.dataDir);
    const contents = verifyCopy({ file: copy, addonFile }, migrations.length);
    const isKeyLost = args.flag("without-key");
    const key = isKeyLost ? null : await requireKey(contents, config, args.option("secret-key"));
    if (isCheck)
      return answer(args, terminal, toJson(contents), () =>
        [toWords(contents), "The backup is good.", ...toOutsideWords(contents)].join("\n"),
      );
    const keptKey = key === null ? null : await placeKey(config.dataDir, key);
    const file = join(config.dataDir, "assay.db");
    const mayShareObjects = contents.messagesOutside > 0 || config.messages !== "database";
    const kept = await putInPlace(copy, { file, addonFile }, { mayShareObjects });
    const lines = [
      `Restored ${toWords(contents)}`,
      ...(kept === null ? [] : [`The database that was there is now ${kept}. Delete it when all is well.`]),
      ...(keptKey === null ? [] : [`The secret key that was there is now ${keptKey}.`]),
      ...toOutsideWords(contents),
      isKeyLost ? "Run assay secret-key forget, then start Assay." : "Start Assay.",
    ];
    return answer(args, terminal, { ...toJson(contents), kept, keptKey }, () => lines.join("\n"));
  } finally {
    lock?.release();
  }
}

/** Returns the key file to put in place. Null if the right key is there, or isn't needed. */
async function requireKey(
  { keyFingerprint }: CopyContents,
  { secretKey, dataDir }: Pick<Config, "secretKey" | "dataDir">,
  given: string | undefined,
): Promise<string | null> {
  if (keyFingerprint === undefined) return null;
  const fits = (text: string) => createSecretKey(text.trim()).fingerprint === keyFingerprint;
  if (given !== undefined) {
    if (secretKey !== null)
      throw new Refusal(
        "invalid_request",
        "The key is set in ASSAY_SECRET_KEY, so --secret-key is not used.",
      );
    const text = await readFile(given, "utf8").catch(() => "");
    if (isKeyText(text.trim()) && fits(text)) return text;
    throw new Refusal("conflict", `${given} is not the key of this backup. Nothing was changed.`);
  }
  const path = secretKeyPath(dataDir);
  const current =
    secretKey ?? ((await inspectKeyFile(path)) === "private" ? await readFile(path, "utf8") : null);
  if (current !== null && fits(current)) return null;
  const what = secretKey === null ? path : "ASSAY_SECRET_KEY";
  throw new Refusal(
    "conflict",
    `${what} is not the key of this backup. Give the backup's secret.key with --secret-key. If that key is lost, add --without-key. Nothing was changed.`,
  );
}

/** Returns where the key that was there is now. */
async function placeKey(dataDir: string, text: string): Promise<string | null> {
  const path = secretKeyPath(dataDir);
  if ((await readFile(path, "utf8").catch(() => "")).trim() === text.trim()) return null;
  const kept = await setKeyAside(path);
  await createPrivateFile(path, `${text.trim()}\n`);
  return kept;
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
    `${what} not in the backup but in a directory or an S3 store. After the start,`,
    "assay messages check says whether they are all there. Nothing is deleted there until you run",
    "assay messages take-over. First make sure that no other server uses the same directory or bucket.",
  ];
}
