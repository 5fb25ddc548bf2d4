// The tests that need their sender (analyzer/reports/contribution.ts).

import { sql } from "kysely";
import type { Need, TestContribution } from "../../../analyzer/reports/contribution.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { isNeeding, selectNewest } from "./contributions.ts";
import { type ListedTest, readListed } from "./listed.ts";
import { selectIds } from "./walks.ts";

export type NeedingTest = { readonly test: ListedTest; readonly need: Need };

/** The newest of those since then, among the newest tests. */
export async function listNeeding(db: Db, scope: Scope, since: number, limit: number): Promise<NeedingTest[]> {
  const newest = selectNewest(scope, since);
  const found = await sql<{ test_id: string; contribution: string }>`
    select test_id, contribution from (${newest}) as newest where ${isNeeding}
    order by received_at desc, test_id desc limit ${limit}`.execute(db);
  const needs = new Map(
    found.rows.map((row) => [row.test_id, (JSON.parse(row.contribution) as TestContribution).need]),
  );
  const tests = await readListed(db, scope, selectIds(db, [...needs.keys()]));
  return tests.flatMap((test) => {
    const need = needs.get(test.id);
    return need ? [{ test, need }] : [];
  });
}
