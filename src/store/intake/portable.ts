import type { Insertable } from "kysely";
import { isPostgres } from "../dialect.ts";
import type { Db, TestsTable } from "../schema.ts";
import type { Store } from "../store.ts";
import type { Intake } from "./intake.ts";
import { countReceivedTestsIn } from "./received-counts.ts";
import { type IntakeRows, toRows } from "./rows.ts";

/** PostgreSQL gathers commits by itself; what we save are round trips. On SQLite for the few that must be checked. */
export function createPortableIntake({ write }: Pick<Store, "write">): Intake {
  return {
    insert: async (messages, check) => {
      const rows = messages.flatMap(toRows);
      if (rows.length === 0) return;
      await write(async (db) => {
        await check?.(db);
        for (const some of inChunks(rows)) {
          await insertTests(
            db,
            some.map(({ test }) => test),
          );
          await db
            .insertInto("raw_messages")
            .values(some.map(({ raw }) => raw))
            .execute();
        }
      });
    },
  };
}

/** So few that a statement takes all their values. */
export async function insertTests(db: Db, tests: readonly Insertable<TestsTable>[]): Promise<void> {
  await db.insertInto("tests").values(tests).execute();
  if (!isPostgres(db)) await countReceivedTestsIn(db, tests);
}

/** A statement takes at most 65,535 parameters. */
function inChunks(rows: readonly IntakeRows[], size = 1_000): IntakeRows[][] {
  const chunks: IntakeRows[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}
