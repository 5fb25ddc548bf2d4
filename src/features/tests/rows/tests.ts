// Rows of tests. intake/ inserts them with their messages.

import { sql, type Updateable } from "kysely";
import { toMessageIdKey } from "../../../analyzer/mail/text/bounds.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { countRows, type Page, pageOf } from "../../../platform/database/engine/page.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { keepTestWords } from "../../../platform/database/search/search.ts";
import {
  claimDue,
  finishClaim,
  type Lease,
  releaseClaim,
  type Ticket,
  unclaimed,
} from "../../../platform/work/claims.ts";
import { insertMailReport, type ReportRows } from "../../feedback/rows/mail-reports.ts";
import type { MailReportsTable } from "../../feedback/tables.ts";
import { type AnalyzedColumns, analyzedColumns, type BouncesTable, type TestsTable } from "../tables.ts";
import { keepContribution } from "./contributions.ts";
import { forgetExaminations } from "./examinations.ts";
import { insertTests } from "./insert-tests.ts";
import { readable } from "./raw-messages.ts";
import { isPendingRemoval } from "./removal.ts";
import { insertReport } from "./reports.ts";

/** Finds only tests, not other kinds of received mail. lists.ts has the filters. */
export async function listTests(scope: Scope, page: Page): Promise<TestsTable[]> {
  return await pageOf(selectTests(scope), page);
}

export async function readTest(scope: Scope, id: string): Promise<TestsTable | undefined> {
  return await scope
    .selectFrom("tests")
    .selectAll()
    .where("id", "=", id)
    .where("became", "in", readable)
    .where(sql<boolean>`not ${isPendingRemoval("tests.id")}`)
    .executeTakeFirst();
}

/** Whatever it turned out to be. */
export async function readReceived(scope: Scope, id: string): Promise<TestsTable | undefined> {
  return await scope.selectFrom("tests").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Which of them are still stored. */
export async function listKeptTests(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await scope
    .selectFrom("tests")
    .select("id")
    .where("id", "in", ids)
    .where("became", "in", readable)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The newest of those that Home lists. Uploads are there too, but are not counted. */
export async function listRecentTests(scope: Scope, limit: number): Promise<TestsTable[]> {
  return await pageOf(selectTests(scope).where("status", "<>", "failed").where("sample", "=", 0), { limit });
}

export async function readNewestFailed(scope: Scope): Promise<TestsTable | undefined> {
  const failed = sql.lit("failed" as const); // not bound, because SQLite recognizes its index by this literal
  const tests = selectTests(scope).where("status", "=", failed).where("sample", "=", 0);
  const [newest] = await pageOf(tests, { limit: 1 });
  return newest;
}

/** Automatic replies and read receipts. They are stored but are neither tests nor bounces. */
export async function listAutoReplies(scope: Scope, page: Page): Promise<TestsTable[]> {
  return await pageOf(scope.selectFrom("tests").where("became", "=", "auto-reply"), page);
}

/** Without those that were deleted, even if that can still be undone. */
export function selectTests(scope: Scope) {
  return scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .where(sql<boolean>`not ${isPendingRemoval("tests.id")}`);
}

/** Messages of all workspaces that are waiting or being analyzed. */
export async function countBacklog(db: Db): Promise<number> {
  return await countRows(db.selectFrom("tests").where("due_at", "is not", null));
}

/** Whether several messages have waited since then, and none was analyzed. One alone may be the reason itself. */
export async function isNothingAnalyzed(db: Db, since: number): Promise<boolean> {
  const waiting = await db.selectFrom("tests").select("id").where("due_at", "<=", since).limit(2).execute();
  const analyzed = db.selectFrom("tests").select("id").where("analyzed_at", ">=", since).limit(1);
  return waiting.length > 1 && (await analyzed.executeTakeFirst()) === undefined;
}

export type DueTest = Pick<TestsTable, "size_bytes" | "attempts">;

/** The rows that a claim would take, in order. */
export async function peekTests(db: Db, now: number, limit: number): Promise<DueTest[]> {
  return (await selectDue(db, { now, limit })).rows;
}

const selectDue = prepare<{ now: number; limit: number }, DueTest>((db, { now, limit }) =>
  db
    .selectFrom("tests")
    .select(["size_bytes", "attempts"])
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit),
);

export async function claimTests(db: Db, lease: Lease): Promise<TestsTable[]> {
  return await claimDue(db, "tests", lease, { status: "analyzing" });
}

/** Claims tests to analyze alone, and counts that with the claim. */
export async function claimTestsAlone(db: Db, lease: Lease): Promise<TestsTable[]> {
  const tests = await claimTests(db, lease);
  const ids = tests.map(({ id }) => id);
  if (ids.length > 0)
    await db
      .updateTable("tests")
      .set((column) => ({ tries_alone: column("tries_alone", "+", 1) }))
      .where("id", "in", ids)
      .execute();
  return tests.map((test) => ({ ...test, tries_alone: test.tries_alone + 1 }));
}

/**
 * Claims a finished test to analyze it again. `before` is its earlier state, `said` what people say about it from now
 * on. It becomes due, so that it is found if this process dies. Undefined: there is none. "busy": it is being analyzed.
 */
export async function claimReanalysis(
  scope: Scope,
  id: string,
  { now, owner, leaseMs }: Pick<Lease, "now" | "owner" | "leaseMs">,
  said: Partial<Pick<TestsTable, "kind_override">> = {},
): Promise<{ readonly test: TestsTable; readonly before: BeforeReanalysis } | "busy" | undefined> {
  const found = await readTest(scope, id);
  if (found === undefined) return undefined;
  const { status, kind_override } = found;
  if (status !== "analyzed" && status !== "failed") return "busy";
  const test = await scope
    .updateTable("tests")
    .set({ status: "analyzing", due_at: now, claimed_by: owner, claimed_until: now + leaseMs, attempts: 1 })
    .set(said)
    .where("id", "=", id)
    .where("status", "=", status)
    .returningAll()
    .executeTakeFirst();
  return test ? { test, before: { status, kind_override } } : "busy";
}

/** Locks a test's row until the transaction ends. On SQLite the transaction itself does. */
export async function lockTest(scope: Scope, id: string): Promise<TestsTable | undefined> {
  return await scope
    .updateTable("tests")
    .set((column) => ({ attempts: column.ref("attempts") }))
    .where("id", "=", id)
    .where("became", "=", "test")
    .returningAll()
    .executeTakeFirst();
}

type BeforeReanalysis = Pick<TestsTable, "status" | "kind_override">;

/** The reanalysis failed, and not because of the message. Restores the earlier state. */
export async function forgetReanalysis(db: Db, ticket: Ticket, before: BeforeReanalysis): Promise<void> {
  await finishClaim(db, "tests", ticket, null, before);
}

/** Restores it as if it had never been claimed, because a shutdown isn't its fault. */
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

export type TestAnalysis = AnalyzedColumns & {
  readonly analyzedAt: number;
  /** In the form of `encodeReport`. */
  readonly report: Uint8Array;
  /** JSON of Contribution: what the report adds to the workspace's sums. */
  readonly contribution: string;
};

/** False if another process has taken the test over. Then nothing is changed. */
export async function markAnalyzed(
  db: Db,
  ticket: Ticket & Pick<TestsTable, "workspace_id" | "became" | "analyzed_at">,
  analysis: TestAnalysis,
  streamId: string | null = null,
): Promise<boolean> {
  const { id, workspace_id, claimed_by, attempts } = ticket;
  const { message_id, contribution, ...columns } = analysis;
  const key = message_id ? toMessageIdKey(message_id) : null;
  const { changed } = await finishTest(db, { id, claimed_by, attempts, ...columns, message_id: key, streamId });
  if (changed === 0) return false;
  await insertReport(db, { testId: id, createdAt: analysis.analyzedAt, report: analysis.report });
  if (ticket.analyzed_at !== null) await forgetExaminations(db, id);
  recordChange();
  // A canary is in no list, no sum, and has a report like the one before.
  if (ticket.became === "canary") return true;
  await keepTestWords(db, { id, workspace_id, ...columns });
  await keepContribution(db, { id, contribution });
  return true;
}

export async function updateJudged(db: Db, id: string, judged_composite: number): Promise<void> {
  await db.updateTable("tests").set({ judged_composite }).where("id", "=", id).execute();
}

const finishTest = prepare<
  Ticket & Omit<TestAnalysis, "report" | "contribution"> & { readonly streamId: string | null }
>((db, told) =>
  db
    .updateTable("tests")
    .set({ ...unclaimed, ...analyzed, due_at: null, analyzed_at: told.analyzedAt, stream_id: told.streamId })
    .set(pickColumns(told))
    .where("id", "=", told.id)
    .where("claimed_by", "=", told.claimed_by)
    .where("attempts", "=", told.attempts),
);

function pickColumns(analysis: AnalyzedColumns): AnalyzedColumns {
  const columns: Partial<Record<keyof AnalyzedColumns, unknown>> = {};
  for (const column of analyzedColumns) columns[column] = analysis[column];
  return columns as AnalyzedColumns;
}

const analyzed = { status: "analyzed", tries_alone: 0, failure: null } as const;

export type NoTestRow =
  | { readonly became: "bounce" | "complaint"; readonly bounce: Omit<BouncesTable, FromMessage | FromHook> }
  | {
      readonly became: "report";
      readonly report: Omit<MailReportsTable, FromMessage | "row_count">;
      readonly counted: ReportRows;
    }
  | { readonly became: "auto-reply" };

type Recognition = NoTestRow &
  Pick<TestsTable, "header_from" | "subject" | "message_id"> & { readonly analyzedAt: number };

/** Columns that a row takes from the message that contained it. */
type FromMessage = "workspace_id" | "test_id" | "message_of" | "received_at";
/** Columns of what a provider's webhook reported. */
type FromHook = "hook_id" | "provider";

/** Like `markAnalyzed`, for a message that isn't a test. */
export async function markRecognised(
  db: Db,
  test: Ticket & Pick<TestsTable, "workspace_id" | "received_at">,
  recognition: Recognition,
): Promise<boolean> {
  const { became, header_from, subject, message_id, analyzedAt } = recognition;
  const columns = { became, header_from, subject, message_id, analyzed_at: analyzedAt };
  if (!(await finishAnalysis(db, test, columns))) return false;
  const { id: test_id, workspace_id, received_at } = test;
  const fromMessage = { test_id, workspace_id, received_at };
  if ("bounce" in recognition)
    await db
      .insertInto("bounces")
      .values({ ...recognition.bounce, ...fromMessage, hook_id: null, provider: null })
      .execute();
  if ("report" in recognition)
    await insertMailReport(db, { ...recognition.report, ...fromMessage, message_of: null }, recognition.counted);
  return true;
}

/** Gets a row of tests, because lists, sums, and removals count by these. `id`: of that row. */
export async function insertFurtherReport(
  db: Db,
  test: TestsTable,
  { id, header_from, subject, analyzedAt, report, counted }: FurtherReport,
): Promise<void> {
  const { id: message_of, workspace_id, received_at, seed_inbox_id, label, sender, recipients, sample } = test;
  const first = { workspace_id, received_at, seed_inbox_id, label, sender, recipients, sample };
  const own = { id, header_from, subject, analyzed_at: analyzedAt, size_bytes: 0, attempts: 0 };
  await insertTests(db, [{ ...first, ...own, ...analyzed, became: "report" }]);
  await insertMailReport(db, { ...report, workspace_id, received_at, test_id: id, message_of }, counted);
}

type FurtherReport = Extract<NoTestRow, { became: "report" }> &
  Pick<TestsTable, "id" | "header_from" | "subject"> & { readonly analyzedAt: number };

async function finishAnalysis(
  db: Db,
  ticket: Ticket,
  { message_id, ...columns }: Updateable<TestsTable>,
): Promise<boolean> {
  return await finishClaim(db, "tests", ticket, null, {
    ...columns,
    ...analyzed,
    message_id: message_id ? toMessageIdKey(message_id) : null,
  });
}

/** Keeps the message and the last good report. */
export async function markFailed(db: Db, ticket: Ticket, failure: string): Promise<boolean> {
  return await finishClaim(db, "tests", ticket, null, { status: "failed", failure });
}
