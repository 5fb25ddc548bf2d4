// Later examinations of tests: rows that are due until they have a result. The row is written with the report, so that
// a crash in between loses nothing.

import { CompiledQuery } from "kysely";
import { type ExaminationKind, examinationKinds, examinationVersions } from "../../../analyzer/reports/examination.ts";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { RawDb } from "../../../platform/database/engine/sqlite-database.ts";
import { deferToCommit } from "../../../platform/database/engine/write-context.ts";
import type { KeptMessage, MessageRow } from "../../../platform/database/messages.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { claimDue, finishClaim, type Lease, type Ticket } from "../../../platform/work/claims.ts";
import type { ExaminationsTable } from "../tables.ts";
import { messageColumns, readable } from "./raw-messages.ts";

/** A new report makes earlier results outdated. An examination in progress loses its claim, and with it its result. */
export async function wantExaminations(db: Db, testId: string): Promise<void> {
  if (isPostgres(db)) await db.executeQuery(CompiledQuery.raw(toWanting("$1"), [testId]));
  else deferToCommit(wantTogether, testId);
}

/** All reports of a commit share a statement. */
function wantTogether(raw: RawDb, testIds: readonly string[]): void {
  raw.run(toWanting("select value from json_each(?)"), [JSON.stringify(testIds)]);
}

/** Both databases name the columns of values so. A test may have been removed since its report was written. */
function toWanting(testIds: string): string {
  const kinds = examinationKinds.map((kind) => `('${kind}', ${examinationVersions[kind]})`);
  const changed = [...Object.keys(startedOver), "version", "due_at"].map((column) => `${column} = excluded.${column}`);
  return `insert into test_examinations (id, workspace_id, test_id, kind, version, due_at, state, attempts)
    select tests.id || '/' || column1, workspace_id, tests.id, column1, column2, analyzed_at, 'waiting', 0
    from tests cross join (values ${kinds.join(", ")}) as kinds
    where tests.id in (${testIds}) on conflict (id) do update set ${changed.join(", ")}`;
}

const startedOver = {
  state: "waiting",
  result: null,
  frozen: null,
  examined_at: null,
  claimed_by: null,
  claimed_until: null,
  attempts: 0,
} as const;

function anew(kind: ExaminationKind) {
  return { ...startedOver, kind, version: examinationVersions[kind] };
}

export async function readExamination(
  scope: Scope,
  testId: string,
  kind: ExaminationKind,
): Promise<ExaminationsTable | undefined> {
  return await scope
    .selectFrom("test_examinations")
    .selectAll()
    .where("test_id", "=", testId)
    .where("kind", "=", kind)
    .executeTakeFirst();
}

/**
 * Someone is waiting for it: it comes before all that no one waits for. One that waits or runs already keeps its
 * attempts, so that a message that ends the process is still recognized.
 */
export async function demandExamination(
  scope: Scope,
  { testId, kind, now }: { readonly testId: string; readonly kind: ExaminationKind; readonly now: number },
): Promise<void> {
  const version = examinationVersions[kind];
  const dueAt = now - urgentLeadMs;
  const { numUpdatedRows } = await scope
    .updateTable("test_examinations")
    .set({ due_at: dueAt })
    .where("test_id", "=", testId)
    .where("kind", "=", kind)
    .where("version", "=", version)
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const row = { ...anew(kind), id: `${testId}/${kind}`, test_id: testId, due_at: dueAt };
  await scope
    .insertInto("test_examinations", row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...startedOver, version, due_at: dueAt }))
    .execute();
}

/** How far back an urgent one is due. No other one ever waits this long. */
const urgentLeadMs = 10 * 365 * 86_400_000;

export type DueExamination = Pick<ExaminationsTable, "attempts"> & {
  readonly dueAt: number;
  readonly isUrgent: boolean;
};

/** Those that a claim would take, in order. */
export async function peekExaminations(db: Db, now: number, limit: number): Promise<DueExamination[]> {
  const rows = await db
    .selectFrom("test_examinations")
    .select(["attempts", "due_at"])
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ attempts, due_at }) => ({
    attempts,
    dueAt: due_at ?? now,
    isUrgent: (due_at ?? now) < now - urgentLeadMs / 2,
  }));
}

export async function claimExaminations(db: Db, lease: Lease): Promise<ExaminationsTable[]> {
  return await claimDue(db, "test_examinations", lease);
}

/** False if the claim was lost: the test has a newer report, or another process took over. */
export async function finishExamination(
  db: Db,
  ticket: Ticket,
  outcome: Pick<ExaminationsTable, "state" | "result" | "examined_at">,
): Promise<boolean> {
  return await finishClaim(db, "test_examinations", ticket, null, outcome);
}

/** The next try leaves these phases out. */
export async function leaveOutPhases(
  db: Db,
  ticket: Ticket & Pick<ExaminationsTable, "due_at">,
  frozen: readonly string[],
): Promise<void> {
  await finishClaim(db, "test_examinations", ticket, ticket.due_at, { frozen: JSON.stringify(frozen) });
}

/** Keeps the newest `keep` of those that no one waits for. The others are examined when someone opens their test. */
export async function trimExaminations(
  db: Db,
  { now, keep }: { readonly now: number; readonly keep: number },
): Promise<void> {
  const notUrgent = now - urgentLeadMs / 2;
  const beyond = await db
    .selectFrom("test_examinations")
    .select("due_at")
    .where("due_at", ">", notUrgent)
    .orderBy("due_at", "desc")
    .orderBy("id", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (beyond?.due_at == null) return;
  await db
    .deleteFrom("test_examinations")
    .where("due_at", ">", notUrgent)
    .where("due_at", "<=", beyond.due_at)
    .where("claimed_by", "is", null)
    .execute();
}

export type ExaminedMessage<Message = KeptMessage> = Message & {
  readonly received_at: number;
  /** As stored (`decodeReport`). */
  readonly report: Uint8Array;
};

/** In any workspace, for the holder of the claim. Undefined if the test has no report or is gone. */
export async function readExamined(db: Db, testId: string): Promise<ExaminedMessage<MessageRow> | undefined> {
  return await db
    .selectFrom("tests")
    .where("tests.became", "in", readable)
    .innerJoin("raw_messages", "raw_messages.test_id", "tests.id")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(messageColumns)
    .select(["tests.received_at", "reports.report"])
    .where("tests.id", "=", testId)
    .orderBy("reports.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
