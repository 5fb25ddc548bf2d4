// The store on SQLite: four connections to one file. The writer, used only inside `write`; a reader that never sees an
// open transaction and can't write; a reader in a thread for slow queries; and one in another thread that moves the log
// into the file.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { unpackAddon } from "../system/assets.ts";
import type { System } from "../system/system.ts";
import { createGroupCommit, type GroupCommit, type GroupCommitOptions } from "./engine/group-commit.ts";
import { readMeta, removeMeta, writeMeta } from "./engine/meta.ts";
import { requireUpgradable } from "./engine/schema-version.ts";
import { openDatabase, type SqliteDatabase } from "./engine/sqlite-database.ts";
import { createReader, executeOn } from "./engine/sqlite-driver.ts";
import {
  copyBeforeMigration,
  findCopyOf,
  prepareFile,
  readSchemaVersion,
  refusing,
  toCopyName,
} from "./engine/sqlite-files.ts";
import { forgetSamples, shrink, tidy } from "./engine/sqlite-tidy.ts";
import { inDatabase } from "./messages.ts";
import { adoptUnreleased, announceUpgrade, migrate, newerDatabase, requireKnown } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { planUpgrade, type UpgradeWatch, unwatched } from "./migrations/upgrade.ts";
import { mergeSegments } from "./search/sqlite.ts";
import type { Store } from "./store.ts";
import { createThreadReader } from "./thread-reader.ts";

// When SQLite's log is moved into the file. Another thread does it, so that no sender waits while megabytes are copied
// and flushed. The writer itself moves the little that was written meanwhile, because the log can only restart once
// nothing is left to move.

/** In pages: the whole log, and the part that is already in the file. */
type LogState = { readonly log: number; readonly checkpointed: number };

/** 16 MB. Moving the log flushes the file, so it shouldn't happen often. */
export const longLog = 4_000;
/** A check costs little, but as much as a small message's share of a commit. */
export const commitsToLook = 8;

/**
 * Returns what to do between a commit and the next transaction. `moveAside` moves the log's present content in another
 * thread.
 */
export function createLogUpkeep(
  database: Pick<SqliteDatabase, "all">,
  moveAside: () => Promise<void>,
): () => Promise<void> {
  /**
   * The log's length when it could not restart, because of a reader or a failed thread. Tried again once as much was
   * added.
   */
  let stuckAt = 0;
  let moving: "no" | "aside" | "done" = "no";
  let commits = 0;

  const ask = (how: "noop" | "passive"): LogState => {
    const [state] = database.all<LogState>(`pragma wal_checkpoint(${how})`);
    return state ?? { log: 0, checkpointed: 0 };
  };

  function begin(log: number): void {
    stuckAt = log;
    moving = "aside";
    const end = (how: "no" | "done") => () => {
      moving = how;
    };
    moveAside().then(end("done"), end("no"));
  }

  function finish(): void {
    moving = "no";
    const { log, checkpointed } = ask("passive");
    stuckAt = log === checkpointed ? 0 : log;
  }

  function look(): void {
    const { log } = ask("noop");
    stuckAt = Math.min(stuckAt, log);
    if (log - stuckAt >= longLog) begin(log);
  }

  return async () => {
    const isMoved = moving === "done";
    if (!isMoved && (moving === "aside" || ++commits % commitsToLook !== 0)) return;
    if (isMoved) await nextRound(); // callers that waited for the commit get their result first
    try {
      if (isMoved) finish();
      else look();
    } catch {
      // Pages that the disk refuses stay in the log, which is just as durable.
    }
  };
}

/** The longest that a statement may block the main thread for another process's lock. */
const lockWaitMs = 50;

/** `auto_vacuum` works only before the first table. FULL: a commit is on disk when it returns. */
const writerPragmas = [
  "auto_vacuum = incremental",
  "journal_mode = wal",
  "synchronous = full",
  "foreign_keys = on",
  "secure_delete = fast", // zeros deleted data where that needs no extra write, because mail is private
  `wal_autocheckpoint = ${4 * longLog}`, // by the writer itself, if no thread does it (createLogUpkeep)
  "journal_size_limit = 67108864", // returns the space if a long read made the log grow
];

type SqliteOptions = {
  readonly migrations: readonly Migration[];
  readonly lockTries: number;
  readonly beforeMigration: (() => void) | undefined;
  readonly watch: UpgradeWatch | undefined;
};

export async function openSqlite(
  file: string,
  system: Pick<System, "now" | "random" | "log">,
  options: SqliteOptions,
): Promise<Store> {
  prepareFile(file);
  const addonFile = unpackAddon(dirname(file));
  const what = `The database ${file} cannot be opened`;
  const found = refusing(what, () => readSchemaVersion(file, addonFile));
  const version = requireUpgradable(found);
  if (version > options.migrations.length) throw newerDatabase(findCopyOf(file, options.migrations.length, addonFile));
  const { random } = system;
  const terms = { random, lockTries: options.lockTries, maxTogether: 256 };
  const writer = refusing(what, () => openWriter(file, addonFile, terms));
  const { database, group } = writer;
  const { migrations, watch = unwatched } = options;
  let isDone = false;
  try {
    if (found === "unreleased") {
      options.beforeMigration?.();
      await group.write((db) => adoptUnreleased(db, "sqlite", migrations));
    }
    const next = migrations[version];
    if (version > 0 && next) {
      options.beforeMigration?.();
      const plan = await group.write(async (db) => {
        // First, because a copy that is written at each try fills the disk.
        await requireKnown(db, "sqlite", migrations);
        return planUpgrade(db, "sqlite", migrations.slice(version), sizeOf(file));
      });
      const names = { from: migrations[version - 1]?.name, to: migrations.at(-1)?.name };
      await announceUpgrade(plan, names, system.log, watch);
      watch.step("copy");
      const copy = (to: string) => void database.run("vacuum into ?", [to]);
      await copyOnce(group, file, () => copyBeforeMigration(file, addonFile, next.name, copy), next.name);
    }
    await migrate({ dialect: "sqlite", write: group.write }, { migrations, system, watch });
    if (database.all("select 1 from meta where key = 'upgrade'").length > 0)
      await group.write((db) => removeMeta(db, "upgrade"));
    // Before the others open, because each connection reads them when it opens and keeps them.
    await group.writeRaw(forgetSamples);
    keepUndoInMemory(database); // only now, because a migration may sort more than fits
    isDone = true;
  } catch (error) {
    await writer.close();
    throw error;
  } finally {
    await watch.end(isDone);
  }
  return createStore(file, addonFile, writer);
}

/**
 * An upgrade that was interrupted between two migrations has its copy, and one of the state in between would only take its
 * place. Before the first one is done, the previous version may have gone on with the database.
 */
async function copyOnce(
  { write }: GroupCommit,
  file: string,
  copy: () => Promise<void>,
  migration: string,
): Promise<void> {
  const begun = await write((db) => readMeta(db, "upgrade"));
  if (begun !== undefined && begun !== migration && existsSync(toCopyName(file, begun))) return;
  await copy();
  await write((db) => writeMeta(db, "upgrade", migration));
}

function createStore(file: string, addonFile: string | undefined, { group, ...writer }: Writer): Store {
  const reader = openDatabase(file, { readonly: true, lockWaitMs, addonFile });
  reader.script("pragma query_only = on");
  const thread = createThreadReader({ file, addonFile });
  return {
    dialect: "sqlite",
    read: createReader(executeOn(reader)),
    readInWorker: createReader(async ({ sql, parameters }) => ({ rows: await thread.query(sql, parameters) })),
    readBatch: thread.readBatch,
    readChangeMark: async () => String(reader.pragma("data_version")),
    readTakenBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    messages: inDatabase,
    write: group.write,
    writeRelaxed: group.writeRelaxed,
    close: async () => {
      await group.close();
      await thread.close();
      reader.close();
      await writer.close(); // last, so that it moves the log into the file and removes it
    },
    sqlite: {
      writeRaw: group.writeRaw,
      shrink: () => shrink(group),
      tidy: (stopping) => tidy(group, mergeSegments, stopping),
      readUsedBytes: async () => readUsedBytes(reader),
      readSynchronous: () => readSynchronous(group),
      forgetPages: () => {
        for (const { script } of [reader, writer.database]) script("pragma shrink_memory");
      },
    },
    notices: undefined,
  };
}

type Writer = {
  readonly database: SqliteDatabase;
  readonly group: GroupCommit;
  /** All pending writes must be settled. */
  readonly close: () => Promise<void>;
};

/** A connection with durable commits and a short log. */
export function openWriter(
  file: string,
  addonFile: string | undefined,
  terms: Omit<GroupCommitOptions, "afterCommit">,
): Writer {
  // Two processes that start at once on a new file wait for each other here. Later, waits are shorter.
  const database = openDatabase(file, { lockWaitMs: 5_000, addonFile });
  for (const pragma of writerPragmas) database.script(`pragma ${pragma}`);
  database.script(`pragma busy_timeout = ${lockWaitMs}`);
  const mover = createThreadReader({ file, addonFile });
  const afterCommit = createLogUpkeep(database, mover.moveLog);
  return {
    database,
    group: createGroupCommit(database, { ...terms, afterCommit }),
    close: async () => {
      await mover.close();
      database.close();
    },
  };
}

/**
 * Keeps the undo data of savepoints in memory. Otherwise it goes to a file from 64 KB on, which is less than one
 * analysis writes.
 */
export function keepUndoInMemory(database: SqliteDatabase): void {
  database.script("pragma temp_store = memory");
}

function readUsedBytes(reader: SqliteDatabase): number {
  const [size] = reader.all<{ bytes: number }>(
    `select (page_count - freelist_count) * page_size as bytes
     from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  return size?.bytes ?? 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readSynchronous({ writeRaw }: GroupCommit): Promise<number> {
  return writeRaw((raw) => raw.all<{ synchronous: number }>("pragma synchronous")[0]?.synchronous ?? -1);
}
