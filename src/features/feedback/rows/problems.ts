// Problems that a domain's feedback shows, and when a domain is evaluated next.

import { sql } from "kysely";
import { countRows, type Page, pageOf } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { DomainFeedbackTable, FeedbackNoticesTable, FeedbackProblemsTable } from "../tables.ts";

/** Domains of this registrable domain are evaluated soon. The new time shows an evaluation in progress that more came. */
export async function makeFeedbackDue(
  db: Db,
  { workspaceId, registrableDomain, at }: { workspaceId: string; registrableDomain: string; at: number },
): Promise<void> {
  await db
    .updateTable("domain_feedback")
    .set({ due_at: at })
    .where("workspace_id", "=", workspaceId)
    .where("registrable_domain", "=", registrableDomain)
    .execute();
}

export async function insertNotices(db: Db, notices: readonly FeedbackNoticesTable[]): Promise<void> {
  if (notices.length > 0)
    await db
      .insertInto("feedback_notices")
      .values([...notices])
      .execute();
}

export type UnwatchedDomain = { readonly id: string; readonly workspace_id: string; readonly domain: string };

/** Monitored domains without a row yet. */
export async function listUnwatchedDomains(db: Db, limit: number): Promise<UnwatchedDomain[]> {
  return await db
    .selectFrom("domains")
    .leftJoin("domain_feedback", "domain_feedback.domain_id", "domains.id")
    .where("domain_feedback.domain_id", "is", null)
    .select(["domains.id", "domains.workspace_id", "domains.domain"])
    .orderBy("domains.id")
    .limit(limit)
    .execute();
}

type NewDomainFeedback = Pick<
  DomainFeedbackTable,
  "domain_id" | "workspace_id" | "domain" | "registrable_domain" | "due_at"
>;

/** A domain that was removed meanwhile is skipped. */
export async function insertDomainFeedback(db: Db, row: NewDomainFeedback): Promise<void> {
  const present = await db.selectFrom("domains").select("id").where("id", "=", row.domain_id).executeTakeFirst();
  if (!present) return;
  await db
    .insertInto("domain_feedback")
    .values({ ...row, evaluated_at: null, first_day: null, summary: null })
    .onConflict((conflict) => conflict.column("domain_id").doNothing())
    .execute();
}

export async function listDueFeedback(db: Db, now: number, limit: number): Promise<DomainFeedbackTable[]> {
  return await db
    .selectFrom("domain_feedback")
    .selectAll()
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("domain_id")
    .limit(limit)
    .execute();
}

/** A report that arrived meanwhile has set an earlier time, which stays. */
export async function finishFeedback(
  scope: Scope,
  { domain_id, due_at: before }: Pick<DomainFeedbackTable, "domain_id" | "due_at">,
  { due_at, ...columns }: Pick<DomainFeedbackTable, "due_at" | "evaluated_at" | "first_day" | "summary">,
): Promise<void> {
  await scope
    .updateTable("domain_feedback")
    .set({ ...columns, due_at: sql<number>`case when due_at = ${before} then ${due_at} else due_at end` })
    .where("domain_id", "=", domain_id)
    .execute();
}

export async function makeDomainFeedbackDue(scope: Scope, domainId: string, at: number): Promise<void> {
  await scope.updateTable("domain_feedback").set({ due_at: at }).where("domain_id", "=", domainId).execute();
}

export async function postponeFeedback(db: Db, domainId: string, dueAt: number): Promise<void> {
  await db.updateTable("domain_feedback").set({ due_at: dueAt }).where("domain_id", "=", domainId).execute();
}

export async function readDomainFeedback(scope: Scope, domainId: string): Promise<DomainFeedbackTable | undefined> {
  return await scope.selectFrom("domain_feedback").selectAll().where("domain_id", "=", domainId).executeTakeFirst();
}

/** More than one page of a domain's monitored subdomains is not told apart. */
const mostOthers = 50;

/** Monitored domains below this one. */
export async function listDomainsBelow(
  scope: Scope,
  { domain, registrable_domain }: Pick<DomainFeedbackTable, "domain" | "registrable_domain">,
): Promise<string[]> {
  const rows = await scope
    .selectFrom("domain_feedback")
    .select("domain")
    .where("registrable_domain", "=", registrable_domain)
    .orderBy("domain")
    .execute();
  const below = `.${domain}`;
  return rows.flatMap((row) => (row.domain.endsWith(below) ? [row.domain] : [])).slice(0, mostOthers);
}

// Problems.

export type ListedProblem = FeedbackProblemsTable & { readonly domain: string };

/** Enough for every kind and subject that a domain can have in a year. Older ones were removed. */
const mostPast = 500;

/** Open ones, and the newest that ended. */
export async function listProblemsOfDomain(
  scope: Scope,
  domainId: string,
  most = mostPast,
): Promise<FeedbackProblemsTable[]> {
  const [open, ended] = await Promise.all([
    scope
      .selectFrom("feedback_problems")
      .selectAll()
      .where("domain_id", "=", domainId)
      .where("resolved_at", "is", null)
      .orderBy("id", "desc")
      .limit(most)
      .execute(),
    scope
      .selectFrom("feedback_problems")
      .selectAll()
      .where("domain_id", "=", domainId)
      .where("resolved_at", "is not", null)
      .orderBy("id", "desc")
      .limit(most)
      .execute(),
  ]);
  return [...open, ...ended].slice(0, most);
}

export type ProblemFilter = {
  readonly isOpen: boolean;
  readonly domainId?: string | undefined;
  /** Without those that a member acknowledged. */
  readonly isUnseen?: boolean;
};

function selectProblems(scope: Scope, { isOpen, domainId, isUnseen = false }: ProblemFilter) {
  return scope
    .selectFrom("feedback_problems")
    .$if(isOpen, (query) => query.where("resolved_at", "is", null))
    .$if(isUnseen, (query) => query.where("acknowledged_at", "is", null))
    .$if(domainId !== undefined, (query) => query.where("domain_id", "=", domainId ?? ""));
}

/** Newest first. */
export async function listProblems(scope: Scope, page: Page, filter: ProblemFilter): Promise<FeedbackProblemsTable[]> {
  return await pageOf(selectProblems(scope, filter), page);
}

export async function countProblems(scope: Scope, filter: ProblemFilter): Promise<number> {
  return await countRows(selectProblems(scope, filter));
}

export async function readProblem(scope: Scope, id: string): Promise<FeedbackProblemsTable | undefined> {
  return await scope.selectFrom("feedback_problems").selectAll().where("id", "=", id).executeTakeFirst();
}

type NewProblem = Omit<FeedbackProblemsTable, "workspace_id">;

/** False if it is open already. */
export async function insertProblem(scope: Scope, problem: NewProblem): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("feedback_problems", problem)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type ProblemChange = Partial<
  Pick<
    FeedbackProblemsTable,
    "level" | "updated_at" | "resolved_at" | "resolution" | "acknowledged_at" | "evidence" | "reports"
  >
>;

/** False if it has ended. */
export async function updateOpenProblem(scope: Scope, id: string, change: ProblemChange): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .updateTable("feedback_problems")
    .set(change)
    .where("id", "=", id)
    .where("resolved_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Those that ended long ago. */
export async function removeOldProblems(scope: Scope, domainId: string, before: number): Promise<void> {
  await scope
    .deleteFrom("feedback_problems")
    .where("domain_id", "=", domainId)
    .where("resolved_at", "<", before)
    .execute();
}

/** Those of one subject that ended in this way. */
export async function removeProblemsEndedBy(
  scope: Scope,
  { domain_id, kind, subject }: Pick<FeedbackProblemsTable, "domain_id" | "kind" | "subject">,
  resolution: NonNullable<FeedbackProblemsTable["resolution"]>,
): Promise<void> {
  await scope
    .deleteFrom("feedback_problems")
    .where("domain_id", "=", domain_id)
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("resolution", "=", resolution)
    .execute();
}
