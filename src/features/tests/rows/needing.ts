// The tests that need their sender (analyzer/reports/contribution.ts).

import { sql } from "kysely";
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

/** The worst of those since then, among the newest tests: critical or rejected, then the lowest scores. */
export async function listNeeding(db: Db, scope: Scope, since: number, limit: number): Promise<NeedingTest[]> {
  const { rows } = await sql<{ id: string; contribution: string }>`
    select test_id as id, contribution from (${selectNewest(scope, since)}) as newest
    inner join tests on tests.id = newest.test_id
    where ${isNeeding} and not ${isPendingRemoval("newest.test_id")}
    order by (contribution like '%"isCritical":true%' or contribution like '%:"rejected"%') desc,
      coalesce(composite, 100), newest.received_at desc, test_id desc
    limit ${limit}`.execute(db);
  const needs = new Map(rows.map(({ id, contribution }) => [id, (JSON.parse(contribution) as TestContribution).need]));
  const tests = await readListed(db, scope, selectIds(db, [...needs.keys()]));
  return tests.flatMap((test) => {
    const need = needs.get(test.id);
    return need ? [{ test, need }] : [];
  });
}
