// What analyses said of a test: the newest is its report, the others are what reanalyses replaced.

import { prepare } from "./prepared.ts";
import type { Db, ReportsTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

type NewReport = { readonly testId: string; readonly createdAt: number; readonly report: string };

export const insertReport = prepare<NewReport>((db, { testId, createdAt, report }) =>
  db
    .insertInto("reports")
    .values({ test_id: testId, created_at: createdAt, report })
    .onConflict((conflict) => conflict.columns(["test_id", "created_at"]).doUpdateSet({ report })),
);

export type KeptReport = Pick<ReportsTable, "created_at" | "report">;

/** Newest first; the first is the test's report, the others are what reanalyses replaced. */
export async function listReports(scope: Scope, testId: string): Promise<KeptReport[]> {
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(["reports.created_at", "reports.report"])
    .where("tests.id", "=", testId)
    .orderBy("reports.created_at", "desc")
    .execute();
}

/** The newest, or the one of that time. */
export async function readKeptReport(
  scope: Scope,
  testId: string,
  createdAt: number | undefined,
): Promise<KeptReport | undefined> {
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(["reports.created_at", "reports.report"])
    .where("tests.id", "=", testId)
    .$if(createdAt !== undefined, (query) => query.where("reports.created_at", "=", createdAt ?? 0))
    .orderBy("reports.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The newest `keep` of a test stay. */
export async function removeOldReports(db: Db, testId: string, keep: number): Promise<void> {
  const oldest = await db
    .selectFrom("reports")
    .select("created_at")
    .where("test_id", "=", testId)
    .orderBy("created_at", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom("reports")
    .where("test_id", "=", testId)
    .where("created_at", "<=", oldest.created_at)
    .execute();
}

/** The newest report, as JSON. */
export async function readReport(scope: Scope, testId: string): Promise<string | undefined> {
  return (await readKeptReport(scope, testId, undefined))?.report;
}
