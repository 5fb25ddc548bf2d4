// Rehearsals and their attempts.

import type { Scope } from "../../platform/database/scope.ts";
import type { TestsTable } from "../tests/tables.ts";
import type { Attempt } from "./rules/attempt.ts";
import type { RehearsalsTable } from "./tables.ts";

/** More than one sender retries at the same time. */
const mostOpen = 100;

/** Those at an address that may be continued, newest first. */
export async function listOpenRehearsals(
  scope: Scope,
  { address, since }: { readonly address: string; readonly since: number },
): Promise<RehearsalsTable[]> {
  return await scope
    .selectFrom("rehearsals")
    .selectAll()
    .where("address", "=", address)
    .where("last_at", ">=", since)
    .where("expects", "<>", "done")
    .orderBy("last_at", "desc")
    .orderBy("test_id", "desc")
    .limit(mostOpen)
    .execute();
}

export async function insertRehearsal(scope: Scope, row: Omit<RehearsalsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("rehearsals", row).execute();
}

/** The rehearsal that a test began or belongs to. */
export async function readRehearsalOf(scope: Scope, testId: string): Promise<RehearsalsTable | undefined> {
  const own = await scope.selectFrom("rehearsals").selectAll().where("test_id", "=", testId).executeTakeFirst();
  if (own !== undefined) return own;
  return await scope
    .selectFrom("rehearsals")
    .selectAll("rehearsals")
    .innerJoin("rehearsal_attempts", "rehearsal_attempts.rehearsal_id", "rehearsals.test_id")
    .where("rehearsal_attempts.test_id", "=", testId)
    .orderBy("rehearsals.last_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** In order. */
export async function listAttempts(scope: Scope, rehearsalId: string): Promise<Attempt[]> {
  const rows = await scope
    .selectFrom("rehearsal_attempts")
    .select("detail")
    .where("rehearsal_id", "=", rehearsalId)
    .orderBy("number")
    .execute();
  return rows.map(({ detail }) => JSON.parse(detail) as Attempt);
}

/** Nothing is added if the rehearsal was deleted. */
export async function addAttempt(
  scope: Scope,
  rehearsalId: string,
  { attempt, expects }: { readonly attempt: Attempt; readonly expects?: RehearsalsTable["expects"] },
): Promise<void> {
  const row = await scope
    .updateTable("rehearsals")
    .set((column) => ({ attempts: column("attempts", "+", 1), last_at: attempt.at }))
    .$if(expects !== undefined, (query) => query.set({ expects: expects ?? "done" }))
    .where("test_id", "=", rehearsalId)
    .returning("attempts")
    .executeTakeFirst();
  if (row === undefined) return;
  await scope
    .insertInto("rehearsal_attempts", {
      rehearsal_id: rehearsalId,
      number: row.attempts,
      test_id: attempt.kind === "message" ? attempt.testId : null,
      at: attempt.at,
      detail: JSON.stringify(attempt),
    })
    .execute();
}

type Progress = Pick<TestsTable, "status" | "became" | "analyzed_at">;

/** How far the analysis of a message is, whatever the message is. */
export async function readProgress(scope: Scope, testId: string): Promise<Progress | undefined> {
  return await scope
    .selectFrom("tests")
    .select(["status", "became", "analyzed_at"])
    .where("id", "=", testId)
    .executeTakeFirst();
}
