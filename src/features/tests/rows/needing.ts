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

/** The worst of those since then, among the newest tests: what is critical or rejected, then the lowest scores. */
export async function listNeeding(db: Db, scope: Scope, since: number, limit: number): Promise<NeedingTest[]> {
  const found = await sql<{ id: string; contribution: string }>`
    select test_id as id, contribution from (${selectNewest(scope, since)}) as newest
    where ${isNeeding} and not ${isPendingRemoval("newest.test_id")}
    order by received_at desc, test_id desc`.execute(db);
  const newest = found.rows.flatMap(({ id, contribution }) => {
    const { need, folders, score } = JSON.parse(contribution) as TestContribution;
    const isCritical = need?.issue != null && wordsById.get(need.issue)?.severity === "critical";
    const rank = isCritical || Object.values(folders).includes("rejected") ? 0 : 1;
    return need ? [{ id, need, rank, score: score ?? 1_000 }] : [];
  });
  const worst = newest.sort((one, other) => one.rank - other.rank || one.score - other.score).slice(0, limit);
  const tests = await readListed(
    db,
    scope,
    selectIds(
      db,
      worst.map(({ id }) => id),
    ),
  );
  return worst.flatMap(({ id, need }) => tests.filter((test) => test.id === id).map((test) => ({ test, need })));
}
