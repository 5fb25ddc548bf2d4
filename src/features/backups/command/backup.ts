import { basename, resolve } from "node:path";
import { toPlural } from "../../../analyzer/count-words.ts";
import {
  type Arguments,
  answer,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
} from "../../../platform/cli/command.ts";
import { toTyped } from "../../../platform/cli/invocation.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { Lock } from "../../../platform/system/age.ts";
import { readKeyText } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { withStore } from "../../server/command/with-store.ts";
import { readLock } from "./age-options.ts";

export const backup: Command = {
  group: "maintain",
  name: "backup",
  isFirst: true,
  summary: "Copy the database and the raw messages to a file. The server can keep running.",
  usage: "backup [<file>] [--recipient <age1…>]… [--passphrase-file <file>] [--without-messages] [--list] [--json]",
  example: "assay backup /var/backups/assay.db",
  positionals: { min: 0, max: 1 },
  options: {
    recipient: {
      value: "age1…",
      isList: true,
      doc: "Encrypt the file for this public key of age. Can be repeated. Default: ASSAY_BACKUP_RECIPIENTS.",
    },
    "passphrase-file": { value: "file", doc: "Encrypt with the passphrase in this file." },
    "without-messages": { doc: "Leave out raw messages that are stored in an S3-compatible store." },
    list: { doc: "List the backups in ASSAY_BACKUP_TO." },
  },
  details: () =>
    "The backup is consistent, has mode 0600, and is verified after it was written. It is a SQLite database, also for\nPostgreSQL, and assay restore puts it into either of them. If it isn't encrypted, also back up secret.key from the\ndata directory: without it, the secrets in the backup cannot be read. An encrypted backup contains it.\n\nWithout <file>, the backup goes to ASSAY_BACKUP_TO as the scheduled ones do, and old ones are deleted.",
  run: async (args, terminal) => {
    if (args.positionals.length === 0 && (await loadConfig(args, terminal)).backupTo === null)
      throw new CommandFailure(
        exitCodes.wrongUse,
        `Missing argument: <file>, because ASSAY_BACKUP_TO is not set. For help: ${toTyped("assay backup --help")}`,
      );
    if (args.flag("list")) return withStore(args, terminal, ({ config }) => listBackups(args, terminal, config));
    return withStore(
      args,
      terminal,
      (context) =>
        args.positionals.length === 0 ? backUpToPlace(args, terminal, context) : backUpToFile(args, terminal, context),
      { action: "backup.create", effect: "outside", request: { file: args.positionals[0] }, log: "server" },
    );
  },
};

type Context = { readonly config: Config; readonly store: Store; readonly system: System };

async function backUpToFile(args: Arguments, terminal: Terminal, context: Context): Promise<ExitCode> {
  const { config, store } = context;
  const file = resolve(args.positionals[0] ?? "");
  const lock = await readLock(args, config);
  const terms = await toTerms(args, context);
  const { makeCopy } = await import("../work/make-copy.ts");
  const keyText = lock === null ? null : await readKeyText(config);
  const copy =
    lock === null ? await makeCopy(file, terms) : await makeEncrypted(file, lock, { ...terms, keyText }, store);
  const { tests, bytes, messagesOutside, messagesMissing } = copy;
  const json = {
    file: args.positionals[0],
    tests,
    bytes,
    messagesOutside,
    messagesMissing,
    encrypted: lock !== null,
    dialect: store.dialect,
  };
  return answer(args, terminal, json, () =>
    [
      `Backup saved to ${args.positionals[0]} and verified: ${toPlural(tests, "test", "tests")}.`,
      ...(lock === null ? [] : [`It is encrypted ${toLockWords(lock)}.`]),
      ...(keyText === null ? [] : ["It contains the secret key too."]),
      ...toMessageWords(messagesOutside - messagesMissing, messagesMissing),
    ].join("\n"),
  );
}

type CopyTerms = Parameters<typeof import("../work/make-copy.ts").makeCopy>[1];

async function toTerms(args: Arguments, { config, store, system }: Context): Promise<CopyTerms> {
  const { readMeta } = await import("../../../platform/database/engine/meta.ts");
  const owner = (await readMeta(store.read, "installation_id")) ?? "";
  const leavesMessages = args.flag("without-messages");
  return { config, system, owner, leavesMessages, keyText: null, bytesPerSecond: 0 };
}

async function makeEncrypted(file: string, lock: Lock, terms: CopyTerms, store: Store) {
  const [{ inWorkFolder, makeCopy, requireWorkSpace }, { storeCopy }, { createFilePlace }, schedule] =
    await Promise.all([
      import("../work/make-copy.ts"),
      import("../work/make-backup.ts"),
      import("../work/places.ts"),
      import("../work/schedule.ts"),
    ]);
  const copyBytes = await schedule.expectCopyBytes(store, terms.leavesMessages);
  return await inWorkFolder(terms.config.dataDir, async (folder) => {
    await requireWorkSpace(folder, { copyBytes, minFreeBytes: terms.config.minFreeBytes });
    const plain = `${folder}/copy.db`;
    const copy = await makeCopy(plain, terms);
    const name = basename(file);
    const { bytes } = await storeCopy(createFilePlace(file), { name, file: plain, lock, copyBytes: copy.bytes });
    return { ...copy, bytes };
  });
}

async function backUpToPlace(args: Arguments, terminal: Terminal, context: Context): Promise<ExitCode> {
  const { config, store, system } = context;
  const [{ makeBackup }, { expectCopyBytes }] = await Promise.all([
    import("../work/make-backup.ts"),
    import("../work/schedule.ts"),
  ]);
  const { owner, leavesMessages } = await toTerms(args, context);
  const { note, where, removed, drillProblem } = await makeBackup({
    config,
    system,
    owner,
    leavesMessages,
    keyText: await readKeyText(config),
    expectedBytes: await expectCopyBytes(store, leavesMessages),
  });
  const json = { ...note, at: new Date(note.at).toISOString(), where, removed, drillProblem };
  answer(args, terminal, json, () =>
    [
      `Backup ${note.name} stored in ${where} and verified: ${toPlural(note.tests, "test", "tests")}.`,
      ...(note.encrypted ? ["It is encrypted."] : []),
      ...toMessageWords(note.messagesOutside, note.messagesMissing),
      ...(removed > 0 ? [`Old backups deleted: ${removed}.`] : []),
      drillProblem === null ? "Its restore succeeded in a drill." : `No drill succeeded. ${drillProblem}`,
    ].join("\n"),
  );
  return note.drill === "failed" ? exitCodes.failed : exitCodes.fine;
}

async function listBackups(args: Arguments, terminal: Terminal, config: Config): Promise<ExitCode> {
  const { openBackupPlace } = await import("../work/places.ts");
  const place = await openBackupPlace(config);
  if (place === null) throw new Refusal("invalid_request", "No place for backups is set. Set ASSAY_BACKUP_TO.");
  try {
    const notes = await place.list();
    const items = notes.map((note) => ({ ...note, at: new Date(note.at).toISOString() }));
    return answer(args, terminal, { where: place.where, items }, () =>
      notes.length === 0
        ? `No backup in ${place.where}.`
        : items
            .map(({ name, tests, bytes }) => `${name}  ${toPlural(tests, "test", "tests")}, ${bytes} bytes`)
            .join("\n"),
    );
  } finally {
    place.close();
  }
}

function toLockWords(lock: Lock): string {
  if ("passphrase" in lock) return "with the passphrase";
  return `for ${toPlural(lock.recipients.length, "public key", "public keys")}`;
}

function toMessageWords(outside: number, missing: number): readonly string[] {
  return [
    ...(outside > 0
      ? [
          `Raw messages stored outside the database are not in it: ${outside}. Copy these too: see the handbook page "Object storage".`,
        ]
      : []),
    ...(missing > 0
      ? [
          `Raw messages that were missing from their place: ${missing}. Most are of tests that were deleted meanwhile. assay messages check lists the others.`,
        ]
      : []),
  ];
}
