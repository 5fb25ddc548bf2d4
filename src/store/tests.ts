// Rows of tests; they come in through intake/, with their messages.

import { claimDue, extendClaim, finishClaim, type Lease, releaseClaim, type Ticket } from "./claims.ts";
import type { Db, TestsTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** The last row of a page: the next one begins behind it and costs the same however deep. */
export type TestCursor = Pick<TestsTable, "received_at" | "id">;

export async function listTests(
  scope: Scope,
  page: { readonly limit: number; readonly after?: TestCursor | undefined },
): Promise<TestsTable[]> {
  const { limit, after } = page;
  return await scope
    .selectFrom("tests")
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((is) =>
        is(is.refTuple("received_at", "id"), "<", is.tuple(after?.received_at ?? 0, after?.id ?? "")),
      ),
    )
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function readTest(scope: Scope, id: string): Promise<TestsTable | undefined> {
  return await scope.selectFrom("tests").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countTests(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("tests")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Messages of all workspaces that wait for analysis or are under it. */
export async function countBacklog(db: Db): Promise<number> {
  const row = await db
    .selectFrom("tests")
    .select((count) => count.fn.countAll<number>().as("total"))
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function hasDueTests(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("tests")
    .select("id")
    .where("due_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function claimTests(db: Db, lease: Lease): Promise<TestsTable[]> {
  const tests = await claimDue(db, "tests", lease);
  const ids = tests.map(({ id }) => id);
  if (ids.length > 0) {
    await db.updateTable("tests").set({ status: "analyzing" }).where("id", "in", ids).execute();
  }
  return tests.map((test) => ({ ...test, status: "analyzing" }));
}

/** Written before the message is handed out alone. The number of this try; undefined when the claim is no longer ours. */
export async function markTryAlone(db: Db, ticket: Ticket, until: number): Promise<number | undefined> {
  if (!(await extendClaim(db, "tests", ticket, until))) return undefined;
  const { tries_alone } = await db
    .updateTable("tests")
    .set((column) => ({ tries_alone: column("tries_alone", "+", 1) }))
    .where("id", "=", ticket.id)
    .returning("tries_alone")
    .executeTakeFirstOrThrow();
  return tries_alone;
}

/** Back as if it had never been handed out: it is not to blame for our stop. */
export async function takeBack(
  db: Db,
  ticket: Ticket,
  { dueAt, wasAlone }: { readonly dueAt: number; readonly wasAlone: boolean },
): Promise<void> {
  const isOurs = await releaseClaim(db, "tests", ticket, { dueAt, unmarked: true });
  if (!isOurs || !wasAlone) return;
  await db
    .updateTable("tests")
    .set((column) => ({ tries_alone: column("tries_alone", "-", 1) }))
    .where("id", "=", ticket.id)
    .execute();
}

export type Analysis = Pick<TestsTable, "header_from" | "subject" | "spf" | "dkim" | "dmarc"> & {
  readonly analyzedAt: number;
  /** JSON. */
  readonly report: string;
};

/** False, and nothing is changed, when another process has taken the test over meanwhile. */
export async function markAnalyzed(db: Db, ticket: Ticket, analysis: Analysis): Promise<boolean> {
  if (!(await finishClaim(db, "tests", ticket, null))) return false;
  const { analyzedAt, report, ...columns } = analysis;
  await db
    .updateTable("tests")
    .set({ ...columns, status: "analyzed", analyzed_at: analyzedAt, tries_alone: 0, failure: null })
    .where("id", "=", ticket.id)
    .execute();
  await db
    .insertInto("reports")
    .values({ test_id: ticket.id, created_at: analyzedAt, report })
    .onConflict((conflict) => conflict.columns(["test_id", "created_at"]).doUpdateSet({ report }))
    .execute();
  return true;
}

/** The message and the last good report stay. */
export async function markFailed(db: Db, ticket: Ticket, failure: string): Promise<boolean> {
  if (!(await finishClaim(db, "tests", ticket, null))) return false;
  await db.updateTable("tests").set({ status: "failed", failure }).where("id", "=", ticket.id).execute();
  return true;
}

/** The newest report, as JSON. */
export async function readReport(scope: Scope, testId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("tests")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select("reports.report")
    .where("tests.id", "=", testId)
    .orderBy("reports.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.report;
}

/** The oldest of all workspaces, at most `limit`; answers how many went. Messages and reports go with them. */
export async function removeTestsBefore(
  db: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const oldest = db
    .selectFrom("tests")
    .select("id")
    .where("received_at", "<", before)
    .orderBy("received_at")
    .orderBy("id")
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("tests").where("id", "in", oldest).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
