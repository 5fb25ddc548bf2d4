// Tests from the sample gallery.

import { sql } from "kysely";
import { countRows } from "../../platform/database/engine/page.ts";
import type { Scope } from "../../platform/database/scope.ts";
import type { TestsTable } from "../tests/tables.ts";

/** Written as in the index. With a parameter the database would not recognize that the index applies. */
const isSample = sql<boolean>`sample <> 0`;

/** The newest for each label. */
export async function listNewestSamples(scope: Scope): Promise<TestsTable[]> {
  const newest = scope
    .selectFrom("tests")
    .where(isSample)
    .where("label", "is not", null)
    .groupBy("label")
    .select((of) => of.fn.max("id").as("id"));
  return await scope.selectFrom("tests").where("became", "=", "test").where("id", "in", newest).selectAll().execute();
}

export async function countSamples(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("tests").where(isSample));
}

export async function listSampleIds(scope: Scope, limit: number): Promise<string[]> {
  const rows = await scope
    .selectFrom("tests")
    .where(isSample)
    .where("became", "=", "test")
    .orderBy("id")
    .limit(limit)
    .select("id")
    .execute();
  return rows.map(({ id }) => id);
}
