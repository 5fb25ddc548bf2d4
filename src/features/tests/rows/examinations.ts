// Examinations of tests: rows that are due until they have a result.

import { type ExaminationKind, examinationVersions } from "../../../analyzer/reports/examination.ts";
import type { KeptMessage, MessageRow } from "../../../platform/database/messages.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { claimDue, finishClaim, type Lease, type Ticket } from "../../../platform/work/claims.ts";
import type { ExaminationsTable } from "../tables.ts";
import { messageColumns, readable } from "./raw-messages.ts";

/** A new report makes earlier results outdated. An examination in progress loses its claim, and with it its result. */
export async function forgetExaminations(db: Db, testId: string): Promise<void> {
  await db.deleteFrom("test_examinations").where("test_id", "=", testId).execute();
}

/** The first version examined every message, and may have left some of them waiting. */
export async function dropOutdatedExaminations(db: Db): Promise<void> {
  await db.deleteFrom("test_examinations").where("due_at", "is not", null).where("version", "=", 1).execute();
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

/** One that waits or runs already keeps its attempts, so that a message that ends the process is still recognized. */
export async function demandExamination(
  scope: Scope,
  { testId, kind, now }: { readonly testId: string; readonly kind: ExaminationKind; readonly now: number },
): Promise<void> {
  const version = examinationVersions[kind];
  const anew = { ...startedOver, version, due_at: now };
  await scope
    .insertInto("test_examinations", { ...anew, id: `${testId}/${kind}`, kind, test_id: testId })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(anew)
        .where((is) =>
          is.or([is("test_examinations.due_at", "is", null), is("test_examinations.version", "<", version)]),
        ),
    )
    .execute();
}

/** Those that a claim would take, in order. */
export async function peekExaminations(
  db: Db,
  now: number,
  limit: number,
): Promise<Pick<ExaminationsTable, "attempts">[]> {
  return await db
    .selectFrom("test_examinations")
    .select("attempts")
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
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
