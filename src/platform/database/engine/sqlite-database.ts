// The only module that uses better-sqlite3. Statements are prepared once and cached, because preparing costs more than
// running. The cache is bounded, because lists of parameters create any number of texts.

import { dirname } from "node:path";
import Database from "better-sqlite3";
import { Refusal } from "../../errors.ts";

export type SqlValue = string | number | bigint | Uint8Array | null;

/** Runs statements synchronously by their text. */
export type RawDb = {
  /** Returns the number of rows changed. */
  readonly run: (sql: string, values?: readonly SqlValue[]) => number;
  readonly all: <Row>(sql: string, values?: readonly SqlValue[]) => Row[];
};

export type SqliteDatabase = RawDb & {
  /** Returns the rows of a query, or the number of rows changed. */
  readonly query: (sql: string, values: readonly unknown[]) => { rows: unknown[]; changes: number | undefined };
  /** Row by row, for reading a large table. The connection can't write meanwhile. */
  readonly iterate: <Row>(sql: string) => IterableIterator<Row>;
  /** Runs several statements, or one that must be stepped to its end. Never cached. */
  readonly script: (sql: string) => void;
  readonly pragma: (name: string) => unknown;
  readonly inTransaction: () => boolean;
  readonly close: () => void;
  /** The same, for `using`. */
  readonly [Symbol.dispose]: () => void;
};

type OpenDatabaseOptions = {
  readonly readonly?: boolean;
  /** How long a statement may block its thread waiting for another process's lock. */
  readonly lockWaitMs: number;
  /** Where the native addon is, if the package can't find it itself. */
  readonly addonFile: string | undefined;
};

const maxStatements = 256;

export function openDatabase(file: string, options: OpenDatabaseOptions): SqliteDatabase {
  const database = new Database(file, {
    readonly: options.readonly ?? false,
    fileMustExist: true,
    timeout: options.lockWaitMs,
    ...(options.addonFile && { nativeBinding: loadAddon(options.addonFile) }),
  });
  const naming = <T>(action: () => T) => namingDamage(file, action);
  const statements = new Map<string, Database.Statement<unknown[]>>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare<unknown[]>(withValuesUnseen(sql));
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value ?? "");
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, values = []) => naming(() => prepare(sql).run(values).changes),
    all: <Row>(sql: string, values: readonly SqlValue[] = []) => naming(() => prepare(sql).all(values) as Row[]),
    query: (sql, values) =>
      naming(() => {
        const statement = prepare(sql);
        if (statement.reader) return { rows: statement.all(values), changes: undefined };
        return { rows: [], changes: statement.run(values).changes };
      }),
    iterate: <Row>(sql: string) => naming(() => prepare(sql).iterate() as IterableIterator<Row>),
    script: (sql) => naming(() => void database.exec(sql)),
    pragma: (name) => naming(() => database.pragma(name, { simple: true })),
    inTransaction: () => database.inTransaction,
    close: () => void database.close(),
    [Symbol.dispose]: () => void database.close(),
  };
}

/**
 * SQLite's planner examines a bare parameter that is a limit, or that an ordered statement compares a column with. Each
 * new value of it, even an equal one, makes SQLite parse and plan the whole statement again with all triggers it fires.
 * Inside an expression it is only a value; a plus sign before it changes neither value nor type.
 */
export function withValuesUnseen(sql: string): string {
  return sql.replace(/\blimit \?(?! ?\+)/gi, "limit ? + 0").replace(/= \?/g, "= +?");
}

/** SQLite's name of an error ("SQLITE_FULL"). Undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/** SQLite notices damage only where it reads, so any statement may be the first to find it. */
function namingDamage<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = sqliteCode(error);
    throw code === "SQLITE_NOTADB" || code?.startsWith("SQLITE_CORRUPT") ? damagedDatabase(file) : error;
  }
}

export function damagedDatabase(file: string): Refusal {
  return new Refusal(
    "overloaded",
    `The database ${file} is damaged. Stop Assay, restore your newest backup with assay restore, and start it again. The damaged file is kept under another name.`,
    { needsOperator: true, isDamaged: true },
  );
}

const addons = new Map<string, object>();

/** `require` doesn't work in a single binary, which can require only Node's own modules. */
function loadAddon(file: string): string {
  const addon = { exports: addons.get(file) ?? {} };
  try {
    if (!addons.has(file)) process.dlopen(addon, file);
  } catch (error) {
    throw new Refusal(
      "conflict",
      `SQLite's native code cannot be loaded from ${dirname(file)} (${firstLine(error)}). If that folder is mounted with noexec, remount it without that option, or set ASSAY_DATA_DIR to another folder.`,
    );
  }
  addons.set(file, addon.exports);
  return addon.exports as unknown as string; // the package accepts the loaded addon too, but its types know only the path
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n", 1)[0] ?? "";
}
