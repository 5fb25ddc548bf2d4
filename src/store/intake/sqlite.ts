import type { SqlValue } from "../sqlite-database.ts";
import type { SqliteDoors } from "../store.ts";
import type { Intake } from "./intake.ts";
import { toRows } from "./rows.ts";

/** Compresses before it waits for its turn: inside, every millisecond is everybody's. */
export function createSqliteIntake({ writeRaw }: Pick<SqliteDoors, "writeRaw">): Intake {
  return {
    insert: async (messages) => {
      const rows = messages.flatMap(toRows);
      const [first] = rows;
      if (first === undefined) return;
      const insertTest = insertText("tests", first.test);
      const insertRaw = insertText("raw_messages", first.raw);
      await writeRaw((db) => {
        for (const { test, raw } of rows) {
          db.run(insertTest, Object.values(test));
          db.run(insertRaw, Object.values(raw));
        }
      });
    },
  };
}

function insertText(table: string, row: Readonly<Record<string, SqlValue>>): string {
  const columns = Object.keys(row);
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
}
