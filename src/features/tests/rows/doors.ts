// How a test came in. It is in the session, which is stored behind the raw message: reading it takes twenty times as long
// as reading the row. So the row has it too.

import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db, TestsTable } from "../../../platform/database/schema/schema.ts";

type DoorName = NonNullable<TestsTable["door"]>;

/** An upload is a test without recipients, whatever its session says. */
export type EntranceName = DoorName | "upload";

const others = ["lmtp", "imap", "webhook"] as const satisfies readonly DoorName[];

/** About a row named `walked`, whose `door` may not be filled in yet. */
export function isThroughDoor(db: Db, name: EntranceName): RawBuilder<boolean> {
  if (name === "upload") return sql`recipients = '[]'`;
  const found = sql`(select ${doorOf(db)} from raw_messages where raw_messages.test_id = walked.id)`;
  return sql`recipients <> '[]' and coalesce(door, ${found}, 'smtp') = ${name}`;
}

/** The door of a row of raw_messages. In a session's text, a bare quote is never part of a stranger's text. */
function doorOf(db: Db): RawBuilder<string> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const cases = others.map((name) => sql`when ${find}(session, ${`"door":{"kind":"${name}"`}) > 0 then ${name}`);
  return sql`case ${sql.join(cases, sql` `)} else 'smtp' end`;
}

/** Fills in the doors of tests with IDs below `before`, highest first. Returns the last ID, or null at the end. */
export async function fillDoors(db: Db, before: string | null, limit: number): Promise<string | null> {
  const rows = await db
    .selectFrom("tests")
    .select("id")
    .$if(before !== null, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return null;
  await sql`
    update tests set door = (select ${doorOf(db)} from raw_messages where raw_messages.test_id = tests.id)
    where id in (${sql.join(ids)}) and door is null and recipients <> '[]'`.execute(db);
  return ids.length < limit ? null : (ids.at(-1) ?? null);
}
