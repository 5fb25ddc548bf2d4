// On SQLite, whoever inserts a message counts it: a statement that has a trigger keeps a copy of every page that it
// changes, which costs a message more than any of its indexes. Messages come in by way of the intake alone; what leaves or
// changes, in many places, is counted by triggers, as is everything on PostgreSQL (migrations/first/test-counts.ts).
// Mail is counted behind the raw writes that brought it: none of them may remove or change a test that came with it.

import { CompiledQuery, type Insertable } from "kysely";
import type { RawDb } from "../engine/sqlite-database.ts";
import type { Db, TestsTable } from "../schema/schema.ts";
import { toMonth } from "../tests/totals.ts";

export type CountedTest = Pick<Insertable<TestsTable>, "workspace_id" | "received_at" | "became" | "sample">;

type Counts = [workspaceId: string, month: string, became: string, received: number, kept: number];

const addCounts = `insert into test_counts (workspace_id, month, became, received, kept) values (?, ?, ?, ?, ?)
  on conflict do update set received = received + excluded.received, kept = kept + excluded.kept`;

export function countReceivedTests(raw: RawDb, tests: readonly CountedTest[]): void {
  for (const counts of toCounts(tests)) raw.run(addCounts, counts);
}

/** The same from within a write that is not raw. */
export async function countReceivedTestsIn(db: Db, tests: readonly CountedTest[]): Promise<void> {
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
