// The tests that need their sender (analyzer/reports/contribution.ts).

import { sql } from "kysely";
import { wordsById } from "../../../analyzer/checks/list.ts";
import type { Need, TestContribution } from "../../../analyzer/reports/contribution.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { isNeeding, selectNewest } from "./contributions.ts";
import { type ListedTest, readListed } from "./listed.ts";
import { isPendingRemoval } from "./removal.ts";
import { selectIds } from "./walks.ts";

export type NeedingTest = { readonly test: ListedTest; readonly need: Need };

/** How many of those since then are being deleted. The sums count them as long as it can be undone. */
export async function countLeaving(scope: Scope, since: number): Promise<number> {
  const { leaving } = await scope
    .selectFrom("removals")
    .innerJoin("contributions", "contributions.test_id", "removals.test_id")
    .where("contributions.received_at", ">=", since)
    .where(isNeeding)
    .select((of) => of.fn.countAll<number>().as("leaving"))
    .executeTakeFirstOrThrow();
  return Number(leaving);
}

/** The newest of those since then, among the newest tests, the worst first. */
export async function listNeeding(db: Db, scope: Scope, since: number, limit: number): Promise<NeedingTest[]> {
  const newest = selectNewest(scope, since);
  const found = await sql<{ test_id: string; contribution: string }>`
    select test_id, contribution from (${newest}) as newest
    where ${isNeeding} and not ${isPendingRemoval("newest.test_id")}
    order by received_at desc, test_id desc limit ${limit}`.execute(db);
  const contributions = new Map(
    found.rows.map((row) => [row.test_id, JSON.parse(row.contribution) as TestContribution]),
  );
  const tests = await readListed(db, scope, selectIds(db, [...contributions.keys()]));
  const needing = tests.flatMap((test) => {
    const { need, folders = {} } = contributions.get(test.id) ?? {};
    const isCritical = need?.issue != null && wordsById.get(need.issue)?.severity === "critical";
    return need ? [{ test, need, isGrave: isCritical || Object.values(folders).includes("rejected") }] : [];
  });
  return needing.sort(
    (one, other) =>
      Number(other.isGrave) - Number(one.isGrave) ||
      (one.test.composite ?? 100) - (other.test.composite ?? 100) ||
      other.test.received_at - one.test.received_at,
  );
}
