import type { RawDb, SqlValue } from "../sqlite-database.ts";
import type { SqliteDoors } from "../store.ts";
import { leaveForTheEnd } from "../turns.ts";
import type { Intake } from "./intake.ts";
import { countReceivedTests } from "./received-counts.ts";
import { alike, toRows } from "./rows.ts";

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
          leaveForTheEnd(countReceivedTests, test);
        }
      }, bytes);
    },
  };
}

/**
 * Every row of a table has the same columns in the same order, because one function makes them: the first names them. What
 * is alike in all of them is said in the statement, because a value that is bound costs.
 */
function createInsert(table: string): (db: RawDb, row: Readonly<Record<string, SqlValue>>) => void {
  let text: string | undefined;
  let bound: string[] = [];
  return (db, row) => {
    if (text === undefined) {
      const columns = Object.keys(row);
      bound = columns.filter((column) => !(column in alike));
      text = toInsertText(table, columns);
    }
    db.run(
      text,
      bound.map((column) => row[column] ?? null),
    );
  };
}

function toInsertText(table: string, columns: readonly string[]): string {
  const literals: Readonly<Record<string, string | number>> = alike;
  const values = columns.map((column) => (column in literals ? toLiteral(literals[column]) : "?"));
  return `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})`;
}

/** Of ours alone. */
function toLiteral(value: string | number | undefined): string {
  return typeof value === "string" ? `'${value}'` : `${value}`;
}
