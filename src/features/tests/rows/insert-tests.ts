// On SQLite the code that inserts a message also counts it. A statement with a trigger keeps a copy of every page that
// it changes, which costs more than any index of the message. Rows are inserted only by the intake and here; removals and
// changes, which happen in many places, are counted by triggers, as is everything on PostgreSQL
// (migrations/first/tests.ts). Mail is counted after the raw writes that brought it, so none of these may remove or
// change a test that came with it.

import { CompiledQuery, type Insertable } from "kysely";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { RawDb } from "../../../platform/database/engine/sqlite-database.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { TestsTable } from "../tables.ts";
import { toMonth } from "./totals.ts";

/** Few enough for one statement. */
export async function insertTests(db: Db, tests: readonly Insertable<TestsTable>[]): Promise<void> {
  await db.insertInto("tests").values(tests).execute();
  if (!isPostgres(db)) await countReceivedTestsIn(db, tests);
}

export type CountedTest = Pick<Insertable<TestsTable>, "workspace_id" | "received_at" | "became" | "sample">;

type Counts = [workspaceId: string, month: string, became: string, received: number, kept: number];

const addCounts = `insert into test_counts (workspace_id, month, became, received, kept) values (?, ?, ?, ?, ?)
  on conflict do update set received = received + excluded.received, kept = kept + excluded.kept`;

export function countReceivedTests(raw: RawDb, tests: readonly CountedTest[]): void {
  for (const counts of toCounts(tests)) raw.run(addCounts, counts);
}

/** The same inside a write that isn't raw. */
async function countReceivedTestsIn(db: Db, tests: readonly CountedTest[]): Promise<void> {
  for (const counts of toCounts(tests)) await db.executeQuery(CompiledQuery.raw(addCounts, counts));
}

function toCounts(tests: readonly CountedTest[]): Counts[] {
  const counted = new Map<string, Counts>();
  for (const { workspace_id, received_at, became, sample } of tests) {
    const month = toMonth(received_at);
    const key = `${workspace_id} ${month} ${became}`;
    const [, , , received, kept] = counted.get(key) ?? [workspace_id, month, became, 0, 0];
    counted.set(key, [workspace_id, month, became, received + (sample ? 0 : 1), kept + 1]);
  }
  return [...counted.values()];
}
