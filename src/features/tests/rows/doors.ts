// The door of a test. It is in the session, which is stored behind the raw message: reading it takes twenty times as long
// as reading the row. So the row has it too.

import { type RawBuilder, sql } from "kysely";
import { type DoorKind, doorKinds } from "../../../analyzer/mail/session/doors.ts";
import { unnamedDoors } from "../../../analyzer/mail/session/session-text.ts";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";

const unnamed: readonly DoorKind[] = Object.values(unnamedDoors);
const named = doorKinds.filter((kind) => !unnamed.includes(kind));

/** About a row named `walked`, whose `door` may not be filled in yet. */
export function isThroughDoor(db: Db, kind: DoorKind): RawBuilder<boolean> {
  return sql`coalesce(door, ${doorOf(db, "walked")}) = ${kind}`;
}

/** The door of a test by its session. In that text, a bare quote is never part of a stranger's text. */
function doorOf(db: Db, tests: "walked" | "tests"): RawBuilder<DoorKind> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const cases = named.map((kind) => sql`when ${find}(session, ${`"door":{"kind":"${kind}"`}) > 0 then ${kind}`);
  const id = sql.ref(`${tests}.id`);
  const found = sql`(select case ${sql.join(cases, sql` `)} end from raw_messages where raw_messages.test_id = ${id})`;
  // Only what arrives has recipients, so the sessions of uploads aren't read.
  return sql`case when recipients = '[]' then ${unnamedDoors.claimed} else coalesce(${found}, ${unnamedDoors.smtp}) end`;
}

/** Highest ID first; an empty `before` is above all. */
export async function listWithoutDoor(db: Db, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("tests")
    .select("id")
    .where("door", "is", null)
    .$if(before !== "", (query) => query.where("id", "<", before))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function fillDoors(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  await sql`update tests set door = ${doorOf(db, "tests")} where id in (${sql.join(ids)}) and door is null`.execute(db);
  return ids;
}
