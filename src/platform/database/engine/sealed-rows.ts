// Replaces the encrypted values of a table, whatever table it is (features/server/upkeep/secrets.ts).

import type { Kysely } from "kysely";
import type { Db } from "../schema.ts";

type SealedRow = { readonly id: string; readonly provider?: string } & Readonly<Record<string, string | null>>;

export type SealedColumns = {
  readonly table: string;
  /** What each sealed column is bound to. */
  readonly columns: Readonly<Record<string, (row: SealedRow) => string>>;
  /** Further columns that tell what it is bound to. */
  readonly also?: readonly string[];
};

/** Only what people enter is sealed, so there are at most some thousand rows. Returns the number of values. */
export async function updateSealed(
  db: Db,
  { table, columns, also = [] }: SealedColumns,
  reseal: (sealed: string, boundTo: string) => string,
): Promise<number> {
  const tables = db as unknown as Kysely<Record<string, Record<string, string | null>>>;
  const rows = await tables
    .selectFrom(table)
    .select(["id", ...Object.keys(columns), ...also])
    .orderBy("id")
    .execute();
  let count = 0;
  for (const row of rows as unknown as SealedRow[]) {
    const filled = Object.entries(columns).filter(([name]) => row[name]);
    if (filled.length === 0) continue;
    const set = filled.map(([name, boundTo]) => [name, reseal(row[name] ?? "", boundTo(row))]);
    await tables.updateTable(table).set(Object.fromEntries(set)).where("id", "=", row.id).execute();
    count += set.length;
  }
  return count;
}
