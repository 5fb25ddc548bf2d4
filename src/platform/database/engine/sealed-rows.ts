// Secrets at rest: which columns of a feature are encrypted, how they get under another key, and what is left without it.

import type { Kysely } from "kysely";
import type { Db } from "../schema.ts";
import type { SqlValue } from "./sqlite-database.ts";

export type SealedRow = Readonly<Record<string, SqlValue>>;

type SealedTable = {
  readonly table: string;
  /** The purpose of the derived key. */
  readonly purpose: string;
  /** What each sealed column is bound to. */
  readonly columns: Readonly<Record<string, (row: SealedRow) => string>>;
  /** What a row becomes without its secret. Null: it is of no use. */
  readonly without: (row: SealedRow, at: number) => SealedRow | null;
};

export type LostSecret = {
  /** What has to be entered again. */
  readonly says: string;
  /** The same for programs. */
  readonly shown: unknown;
};

/** What a feature keeps encrypted. */
export type Secrets = {
  /** Names it in the answer of "assay secret-key forget". */
  readonly name: string;
  readonly tables: readonly SealedTable[];
  /** Works without the key. */
  readonly list?: (db: Db) => Promise<readonly LostSecret[]>;
  /** Removes what no longer works after any change of the key. */
  readonly beforeChange?: (db: Db) => Promise<void>;
  /** Removes what no longer works without the key. */
  readonly beforeLoss?: (db: Db) => Promise<void>;
};

/** Returns the number of values. */
export async function updateSealed(
  db: Db,
  { table, columns }: SealedTable,
  reseal: (sealed: string, boundTo: string) => string,
): Promise<number> {
  let count = 0;
  for (const row of await selectSealed(db, table)) {
    const filled = Object.entries(columns).filter(([name]) => row[name]);
    if (filled.length === 0) continue;
    const set = filled.map(([name, boundTo]) => [name, reseal(String(row[name]), boundTo(row))]);
    await anyTable(db).updateTable(table).set(Object.fromEntries(set)).where("id", "=", row.id).execute();
    count += set.length;
  }
  return count;
}

export async function forgetSealed(db: Db, { table, without }: SealedTable, at: number): Promise<void> {
  for (const row of await selectSealed(db, table)) {
    const left = without(row, at);
    if (left === null) {
      await anyTable(db).deleteFrom(table).where("id", "=", row.id).execute();
      continue;
    }
    const { id, ...set } = left;
    await anyTable(db).updateTable(table).set(set).where("id", "=", id).execute();
  }
}

type AnyTable = Kysely<Record<string, Record<string, SqlValue | undefined>>>;

function anyTable(db: Db): AnyTable {
  return db as unknown as AnyTable;
}

/** Only what people enter is sealed, so there are at most some thousand rows. */
async function selectSealed(db: Db, table: string): Promise<readonly SealedRow[]> {
  return (await anyTable(db).selectFrom(table).selectAll().orderBy("id").execute()) as readonly SealedRow[];
}
