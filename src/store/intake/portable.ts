import type { Store } from "../store.ts";
import type { Intake } from "./intake.ts";
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
          await db
            .insertInto("tests")
            .values(some.map(({ test }) => test))
            .execute();
          await db
            .insertInto("raw_messages")
            .values(some.map(({ raw }) => raw))
            .execute();
        }
      });
    },
  };
}

/** A statement takes at most 65,535 parameters. */
function inChunks(rows: readonly IntakeRows[], size = 1_000): IntakeRows[][] {
  const chunks: IntakeRows[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}
