// Monitored domains as people of their workspace see them. domain-checks.ts writes what checks find.

import type { ExpressionBuilder } from "kysely";
import { failingWords, judgedMechanisms } from "../../../analyzer/words/failing-words.ts";
import { countRows, type Page, pageOf } from "../../../platform/database/engine/page.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unclaimed } from "../../../platform/work/claims.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import type { DomainChangesTable, DomainsTable } from "../tables.ts";

/** Without the monitor's internal fields. */
export type ListedDomain = Omit<DomainsTable, "claimed_by" | "claimed_until" | "attempts">;

const listed = [
  ...(["id", "workspace_id", "domain", "dkim_selector", "created_at", "checked_at", "due_at"] as const),
  ...(["spf", "dkim", "dmarc", "bimi", "score"] as const),
  ...(["verified_at", "last_drift_at", "unstable"] as const),
] satisfies (keyof ListedDomain)[];

export type NewDomain = Pick<DomainsTable, "id" | "domain" | "dkim_selector" | "created_at">;

/** Due at once. False if the workspace already has it. */
export async function insertDomain(scope: Scope, domain: NewDomain): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("domains", {
      ...domain,
      checked_at: null,
      spf: null,
      dkim: null,
      dmarc: null,
      bimi: null,
      score: null,
      verified_at: null,
      last_drift_at: null,
      unstable: 0,
      ...unclaimed,
      due_at: domain.created_at,
      attempts: 0,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "domain"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Newest first. */
/** `name`: only that one. */
export async function listDomains(
  scope: Scope,
  { limit, after, offset = 0 }: Page,
  name?: string,
): Promise<ListedDomain[]> {
  return await selectMonitored(scope, name)
    .select(listed)
    .$if(after !== undefined, (behind) => behind.where("id", "<", after ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function readDomain(scope: Scope, id: string): Promise<DomainsTable | undefined> {
  return await scope.selectFrom("domains").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function hasDomain(scope: Scope, domain: string): Promise<boolean> {
  const row = await scope.selectFrom("domains").select("id").where("domain", "=", domain).executeTakeFirst();
  return row !== undefined;
}

/** Whether the workspace has verified ownership of the domain. Subdomains don't count. */
export async function isDomainVerified(scope: Scope, domain: string): Promise<boolean> {
  const row = await scope.selectFrom("domains").select("verified_at").where("domain", "=", domain).executeTakeFirst();
  return row !== undefined && row.verified_at !== null;
}

/**
 * Due at once, and released from a check in progress: its result for the old selector must not count (claims.ts). The
 * attempts stay, because otherwise the same process's next claim would look like the old one.
 */
export async function updateSelector(
  scope: Scope,
  id: string,
  columns: Pick<DomainsTable, "dkim_selector"> & { readonly due_at: number },
): Promise<void> {
  await scope
    .updateTable("domains")
    .set({ ...columns, ...unclaimed })
    .where("id", "=", id)
    .execute();
}

/** Also removes its report and history. False if there is none. */
export async function removeDomain(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("domains").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

function selectMonitored(scope: Scope, name: string | undefined) {
  return scope.selectFrom("domains").$if(name !== undefined, (query) => query.where("domain", "=", name ?? ""));
}

export async function countMonitored(scope: Scope, name?: string): Promise<number> {
  return await countRows(selectMonitored(scope, name));
}

export type DomainCounts = {
  readonly monitored: number;
  readonly failing: number;
  readonly drifted24h: number;
  readonly fine: number;
};

const dayMs = 86_400_000;

export async function countDomains(scope: Scope, now: number): Promise<DomainCounts> {
  return await scope
    .selectFrom("domains")
    .select(({ fn, eb }) => [
      fn.countAll<number>().as("monitored"),
      fn.countAll<number>().filterWhere(failing(eb)).as("failing"),
      fn.countAll<number>().filterWhere(drifted(eb, now)).as("drifted24h"),
      // Not true of one that wasn't checked yet, whose verdicts are null.
      fn
        .countAll<number>()
        .filterWhere(eb.not(eb.or([failing(eb), drifted(eb, now), silent(eb)])))
        .as("fine"),
    ])
    .executeTakeFirstOrThrow();
}

type DomainTerms = ExpressionBuilder<Schema, "domains">;

const failing = (eb: DomainTerms) =>
  eb.or(judgedMechanisms.map((mechanism) => eb(mechanism, "in", failingWords(mechanism))));
const drifted = (eb: DomainTerms, now: number) =>
  eb.between(eb.fn.coalesce("last_drift_at", eb.lit(0)), now - dayMs + 1, now);
const silent = (eb: DomainTerms) => eb.or(judgedMechanisms.map((mechanism) => eb(mechanism, "=", "error")));

/** Those that fail, then those that don't answer, then those that changed. */
export async function listWorst(scope: Scope, now: number, limit: number) {
  return await scope
    .selectFrom("domains")
    .select(["id", "domain", ...judgedMechanisms])
    .where((eb) => eb.or([failing(eb), silent(eb), drifted(eb, now)]))
    .orderBy((eb) => eb.case().when(failing(eb)).then(0).when(silent(eb)).then(1).else(2).end())
    .orderBy("domain")
    .limit(limit)
    .execute();
}

/** Newest first. */
export async function listDomainChanges(scope: Scope, domainId: string, page: Page): Promise<DomainChangesTable[]> {
  return await pageOf(scope.selectFrom("domain_changes").where("domain_id", "=", domainId), page);
}

export async function countDomainChanges(scope: Scope, domainId: string): Promise<number> {
  return await countRows(scope.selectFrom("domain_changes").where("domain_id", "=", domainId));
}

/** Both as JSON. Null before the first check. */
export async function readLastReport(
  scope: Scope,
  domainId: string,
): Promise<{ readonly report: string; readonly watch: string } | null> {
  const row = await scope
    .selectFrom("domain_reports")
    .innerJoin("domain_watches", "domain_watches.domain_id", "domain_reports.domain_id")
    .select(["report", "watch"])
    .where("domain_reports.domain_id", "=", domainId)
    .executeTakeFirst();
  return row ? { report: decodeReport(row.report), watch: row.watch } : null;
}

// The workspace's monitored domains, for the checks of its messages.

/**
 * Every report stores them as evidence. The oldest are taken, because people start with their most important domains.
 */
const maxOwnDomains = 100;

export async function listOwnDomains(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await selectOwnDomains(db, { workspaceId });
  return rows.map(({ domain }) => domain);
}

const selectOwnDomains = prepare<{ workspaceId: string }, Pick<DomainsTable, "domain">>((db, { workspaceId }) =>
  db.selectFrom("domains").select("domain").where("workspace_id", "=", workspaceId).orderBy("id").limit(maxOwnDomains),
);

/** A plan limits how many there are. */
export async function listAllOwnDomains(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom("domains").select("domain").where("workspace_id", "=", workspaceId).execute();
  return rows.map(({ domain }) => domain);
}

export async function readDomainName(scope: Scope, id: string): Promise<string | undefined> {
  const row = await scope.selectFrom("domains").select("domain").where("id", "=", id).executeTakeFirst();
  return row?.domain;
}

/** By ID. */
export async function listDomainNames(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await scope.selectFrom("domains").select(["id", "domain"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, domain }) => [id, domain]));
}
