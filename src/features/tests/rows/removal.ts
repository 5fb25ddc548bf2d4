import { type RawBuilder, sql } from "kysely";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { bytesOfReportRows } from "../../feedback/rows/mail-reports.ts";
import { readable } from "./raw-messages.ts";

/** From the first on, as many as fit into this many bytes. A larger one goes alone. */
export function takeFitting<T extends { readonly size_bytes: number }>(tests: readonly T[], bytes: number): T[] {
  let sum = 0;
  const beyond = tests.findIndex(({ size_bytes }, index) => {
    sum += size_bytes;
    return index > 0 && sum > bytes;
  });
  return beyond < 0 ? [...tests] : tests.slice(0, beyond);
}

/** Returns which were removed, with their messages and reports. Messages that turned out to be something else stay. */
export async function removeTests(scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await scope
    .deleteFrom("tests")
    .where("became", "in", readable)
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Null if there are no tests. */
export async function readNewestReceivedAt(db: Db): Promise<number | null> {
  const row = await db.selectFrom("tests").select("received_at").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.received_at ?? null;
}

// Deletions that can be undone for a while. Until then the tests stay, but lists and readers leave them out.

/** It is being deleted, but this can still be undone. `id`: the column with the test's ID. */
export function isPendingRemoval(id: "tests.id" | "walked.id" | "newest.test_id"): RawBuilder<boolean> {
  return sql`exists (select 1 from removals where removals.test_id = ${sql.ref(id)})`;
}

type Removal = { readonly id: string; readonly dueAt: number };

/** Returns how many were marked. A test that is marked already keeps its mark. */
export async function markRemoved(scope: Scope, ids: readonly string[], { id, dueAt }: Removal): Promise<number> {
  const known = await listTestSizes(scope, ids);
  let marked = 0;
  for (const test of known) {
    const row = { test_id: test.id, removal_id: id, due_at: dueAt };
    const { numInsertedOrUpdatedRows } = await scope
      .insertInto("removals", row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    marked += Number(numInsertedOrUpdatedRows ?? 0);
  }
  return marked;
}

/** Returns the tests that stay after all. Once it is due, a removal can't be undone. */
export async function undoRemoval(scope: Scope, id: string, now: number): Promise<string[]> {
  const rows = await scope
    .deleteFrom("removals")
    .where("removal_id", "=", id)
    .where("due_at", ">", now)
    .returning("test_id")
    .execute();
  return rows.map(({ test_id }) => test_id);
}

export async function countPending(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("removals"));
}

type DueRemoval = { readonly test_id: string; readonly workspace_id: string; readonly size_bytes: number };

/** From all workspaces. */
export async function listDueRemovals(db: Db, now: number, limit: number): Promise<DueRemoval[]> {
  return await db
    .selectFrom("removals")
    .innerJoin("tests", "tests.id", "removals.test_id")
    .where("removals.due_at", "<=", now)
    .select(["removals.test_id", "removals.workspace_id", "tests.size_bytes"])
    .orderBy("removals.due_at")
    .orderBy("removals.test_id")
    .limit(limit)
    .execute();
}

/** Returns which were removed. One that was undone meanwhile stays, and so does what turned out to be no test. */
export async function removeDue(db: Db, ids: readonly string[], now: number): Promise<string[]> {
  // First, because the clock of another process may still allow to undo it: only one of the two gets the row.
  const due = await db
    .deleteFrom("removals")
    .where("test_id", "in", ids)
    .where("due_at", "<=", now)
    .returning("test_id")
    .execute();
  const own = due.map(({ test_id }) => test_id);
  if (own.length === 0) return [];
  const gone = await db
    .deleteFrom("tests")
    .where("became", "in", readable)
    .where("id", "in", own)
    .returning("id")
    .execute();
  return gone.map(({ id }) => id);
}

export async function postponeRemoval(db: Db, testId: string, until: number): Promise<void> {
  await db.updateTable("removals").set({ due_at: until }).where("test_id", "=", testId).execute();
}

/** When the next removal is due. Undefined: none is pending. */
export async function readNextRemoval(db: Db): Promise<number | undefined> {
  const next = await db.selectFrom("removals").select("due_at").orderBy("due_at").limit(1).executeTakeFirst();
  return next?.due_at;
}

/** Only those that are tests of the workspace. */
export async function listTestSizes(
  scope: Scope,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly size_bytes: number }[]> {
  return await scope
    .selectFrom("tests")
    .where("became", "in", readable)
    .where("id", "in", ids)
    .select(["id", "size_bytes"])
    .execute();
}

// Tests of all workspaces by age with their sizes, for retention. Tests that are waiting or being analyzed are never
// included. Everything that belongs to a test is removed with it, by its foreign key.

export type OldTest = { readonly id: string; readonly bytes: number };

/** A test's row, its index entries and its session. */
const rowBytes = 3_072;

/**
 * The stored message, all its reports and examinations, and its rows if it is a report itself. Neither database reads a blob to know its
 * length.
 */
const bytesOfTest = sql<number>`${sql.lit(rowBytes)}
  + coalesce((select length(bytes) + coalesce(object_bytes, 0) from raw_messages where test_id = tests.id), 0)
  + coalesce((select sum(length(report)) from reports where test_id = tests.id), 0)
  + coalesce((select sum(length(result)) from test_examinations where test_id = tests.id), 0)
  + ${bytesOfReportRows}`;

/** Oldest first. `after` is the ID of the last one seen. IDs from `before` on are too young. */
export async function listOldTests(
  db: Db,
  { after, before, limit }: { readonly after: string; readonly before: string | null; readonly limit: number },
): Promise<OldTest[]> {
  return await db
    .selectFrom("tests")
    .select(["id", bytesOfTest.as("bytes")])
    .where("id", ">", after)
    .$if(before !== null, (query) => query.where("id", "<", before ?? ""))
    .where("due_at", "is", null)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns which of them were removed. */
export async function removeOldTests(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom("tests")
    .where("id", "in", ids)
    .where("due_at", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

const testsPerRead = 2_000;

/** The total size of all tests, read in pieces, so that a shutdown doesn't wait for a million of them. */
export async function sumTestBytes(db: Db, stopping: AbortSignal): Promise<number> {
  let sum = 0;
  for (let after: string | null = ""; after !== null; ) {
    stopping.throwIfAborted();
    const piece: { bytes: number | null; last: string | null } = await db
      .selectFrom((from) =>
        from
          .selectFrom("tests")
          .select(["id", bytesOfTest.as("bytes")])
          .where("id", ">", after ?? "")
          .orderBy("id")
          .limit(testsPerRead)
          .as("piece"),
      )
      .select(({ fn }) => [fn.sum<number | null>("bytes").as("bytes"), fn.max<string | null>("id").as("last")])
      .executeTakeFirstOrThrow();
    sum += piece.bytes ?? 0;
    after = piece.last;
  }
  return sum;
}
