import { sql } from "kysely";
import { bytesOfReportRows } from "../mail-reports/mail-reports.ts";
import type { Db } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";

/** From the first on, as many as have so many bytes together; one that has more goes alone. */
export function takeFitting<T extends { readonly size_bytes: number }>(
  tests: readonly T[],
  bytes: number,
): T[] {
  let sum = 0;
  const beyond = tests.findIndex(({ size_bytes }, index) => {
    sum += size_bytes;
    return index > 0 && sum > bytes;
  });
  return beyond < 0 ? [...tests] : tests.slice(0, beyond);
}

/** Answers which went. Their messages and their reports go with them; what turned out to be no test stays. */
export async function removeTests(scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await scope
    .deleteFrom("tests")
    .where("became", "=", "test")
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Of those that are tests of the workspace. */
export async function listTestSizes(
  scope: Scope,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly size_bytes: number }[]> {
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .where("id", "in", ids)
    .select(["id", "size_bytes"])
    .execute();
}

// Tests of all workspaces by their age, with what each takes: for retention. What waits for analysis, or is under it, is
// never among those that go. Everything that hangs on a test goes with it, by its foreign key.

export type OldTest = { readonly id: string; readonly bytes: number };

/** Of a test's row, its places in indexes, and its session. */
const rowBytes = 3_072;

/** Of the message as it is kept, of all its reports, and of what it counts where it is one. Neither database reads a blob to know its length. */
const bytesOfTest = sql<number>`${sql.lit(rowBytes)}
  + coalesce((select length(bytes) from raw_messages where test_id = tests.id), 0)
  + coalesce((select sum(length(report)) from reports where test_id = tests.id), 0)
  + ${bytesOfReportRows}`;

/** The oldest first. `after`: the id of the last one seen; `before`: what all ids begin with that are too young. */
export async function listOldTests(
  db: Db,
  {
    after,
    before,
    limit,
  }: { readonly after: string; readonly before: string | null; readonly limit: number },
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

/** Answers which of them went. */
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

/** What all tests take together, read in pieces: a stop does not wait for a million of them. */
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
      .select(({ fn }) => [
        fn.sum<number | null>("bytes").as("bytes"),
        fn.max<string | null>("id").as("last"),
      ])
      .executeTakeFirstOrThrow();
    sum += piece.bytes ?? 0;
    after = piece.last;
  }
  return sum;
}
