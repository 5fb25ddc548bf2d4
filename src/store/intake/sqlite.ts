import type { RawDb, SqlValue } from "../sqlite-database.ts";
import type { SqliteDoors } from "../store.ts";
import type { Intake } from "./intake.ts";
import { type IntakeRows, toRows } from "./rows.ts";

/** Compresses before it waits for its turn: inside, every millisecond is everybody's. */
export function createSqliteIntake({ writeRaw }: Pick<SqliteDoors, "writeRaw">): Intake {
  const insertTest = createInsert<IntakeRows["test"]>("tests", alike);
  const insertRaw = createInsert<IntakeRows["raw"]>("raw_messages", {});
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

/** Of every message that comes in. Said in the statement, because a value that is bound costs. */
const alike = { became: "test", status: "received", tries_alone: 0, attempts: 0 } as const;

/** Every row of a table has the same columns in the same order, because one function makes them: the first names them. */
function createInsert<Row extends object>(
  table: string,
  alike: Readonly<Record<string, string | number>>,
): (db: RawDb, row: Row) => void {
  let text: string | undefined;
  let bound: (keyof Row)[] = [];
  return (db, row) => {
    if (text === undefined) {
      text = toInsertText(table, Object.keys(row), alike);
      bound = (Object.keys(row) as (keyof Row & string)[]).filter((column) => !(column in alike));
    }
    db.run(
      text,
      bound.map((column) => row[column] as SqlValue),
    );
  };
}

function toInsertText(
  table: string,
  columns: readonly string[],
  alike: Readonly<Record<string, string | number>>,
): string {
  const values = columns.map((column) => toLiteral(alike[column]));
  return `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})`;
}

function toLiteral(value: string | number | undefined): string {
  if (value === undefined) return "?";
  return typeof value === "string" ? `'${value}'` : `${value}`;
}
