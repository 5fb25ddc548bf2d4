import type { RawDb, SqlValue } from "../sqlite-database.ts";
import type { SqliteDoors } from "../store.ts";
import type { Intake } from "./intake.ts";
import { toRows } from "./rows.ts";

/** Compresses before it waits for its turn: inside, every millisecond is everybody's. */
export function createSqliteIntake({ writeRaw }: Pick<SqliteDoors, "writeRaw">): Intake {
  const insertTest = createInsert("tests");
  const insertRaw = createInsert("raw_messages");
  return {
    insert: async (messages) => {
      const rows = messages.flatMap(toRows);
      if (rows.length === 0) return;
      const bytes = rows.reduce((sum, { raw }) => sum + raw.bytes.length, 0);
      await writeRaw((db) => {
        for (const { test, raw } of rows) {
          insertTest(db, test);
          insertRaw(db, raw);
        }
      }, bytes);
    },
  };
}

/** Every row of a table has the same columns in the same order, because one function makes them: the first names them. */
function createInsert(table: string): (db: RawDb, row: Readonly<Record<string, SqlValue>>) => void {
  let text: string | undefined;
  return (db, row) => {
    text ??= toInsertText(table, Object.keys(row));
    db.run(text, Object.values(row));
  };
}

function toInsertText(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
}
