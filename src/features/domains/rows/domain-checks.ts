// Monitored domains for the monitor: which ones are due, and what a check found. Covers all workspaces.

import type { MxCertificate, Row } from "../../../analyzer/checks/infrastructure-facts.ts";
import type { NoticeKind } from "../../../analyzer/domains/change-kind-table.ts";
import type { Change } from "../../../analyzer/domains/drift.ts";
import { countRows } from "../../../platform/database/engine/page.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { claimDue, finishClaim, type Lease, type Ticket } from "../../../platform/work/claims.ts";
import type {
  DomainRechecksTable,
  DomainReportsTable,
  DomainsTable,
  DomainWatchesTable,
  RecheckKind,
} from "../tables.ts";

export async function countDueDomains(db: Db, now: number): Promise<number> {
  return await countRows(db.selectFrom("domains").where("due_at", "<=", now));
}

export type DueDomain = Pick<DomainsTable, "attempts">;

/** The rows that a claim would take, in order. */
export async function peekDomains(db: Db, now: number, limit: number): Promise<DueDomain[]> {
  return (await selectDue(db, { now, limit })).rows;
}

const selectDue = prepare<{ now: number; limit: number }, DueDomain>((db, { now, limit }) =>
  db
    .selectFrom("domains")
    .select("attempts")
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit),
);

export async function hasDomainDueAfter(db: Db, time: number): Promise<boolean> {
  const row = await db.selectFrom("domains").select("id").where("due_at", ">", time).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Makes some domains that are due after `latest` due now. Returns how many. */
export async function bringForward(
  db: Db,
  { latest, now, limit }: { readonly latest: number; readonly now: number; readonly limit: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("domains")
    .set({ due_at: now })
    .where("id", "in", (query) =>
      query.selectFrom("domains").select("id").where("due_at", ">", latest).orderBy("due_at").limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function claimDomains(db: Db, lease: Lease): Promise<DomainsTable[]> {
  return await claimDue(db, "domains", lease);
}

/**
 * Claims it whenever it is due. Undefined if it was removed, is claimed by another process, or was checked since
 * `checkedAt`.
 */
export async function claimDomainNow(
  db: Db,
  { id, checkedAt }: { readonly id: string; readonly checkedAt: number | null },
  lease: Omit<Lease, "limit" | "only">,
): Promise<DomainsTable | undefined> {
  const { now } = lease;
  const { numUpdatedRows } = await db
    .updateTable("domains")
    .set({ due_at: now })
    .where("id", "=", id)
    .where("checked_at", checkedAt === null ? "is" : "=", checkedAt)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  const [row] = await claimDue(db, "domains", { ...lease, limit: 1, only: [id] });
  return row;
}

/** Undefined if it was removed. Null if it hasn't been checked yet. */
export async function readCheckedAt(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db.selectFrom("domains").select("checked_at").where("id", "=", id).executeTakeFirst();
  return row?.checked_at;
}

/** Guessed selectors that exist, and when to try all guesses again. */
export type GuessedSelectors = { readonly found: readonly string[]; readonly againAt: number };

/** About the stored report. */
export type KeptReport = { readonly gist: string; readonly reportedAt: number };

/** The state that the next check continues from. Null before the first check. */
type LastCheck = {
  readonly watch: string;
  readonly kept: KeptReport;
  readonly guessed: GuessedSelectors | null;
  readonly certificates: SeenCertificates | null;
};

/** What the MX hosts showed, and when to ask them again. */
export type SeenCertificates = { readonly rows: readonly Row<MxCertificate>[]; readonly againAt: number };

export async function readLastCheck(db: Db, domainId: string): Promise<LastCheck | null> {
  const [row] = (await selectLastCheck(db, { domainId })).rows;
  if (row === undefined) return null;
  const { watch, guessed, certificates, gist, reported_at } = row;
  return {
    watch,
    kept: { gist, reportedAt: reported_at },
    guessed: guessed === null ? null : (JSON.parse(guessed) as GuessedSelectors),
    certificates: certificates === null ? null : (JSON.parse(certificates) as SeenCertificates),
  };
}

const watchColumns = ["watch", "guessed", "certificates", "gist", "reported_at"] as const;

const selectLastCheck = prepare<{ domainId: string }, Pick<DomainWatchesTable, (typeof watchColumns)[number]>>(
  (db, { domainId }) => db.selectFrom("domain_watches").select(watchColumns).where("domain_id", "=", domainId),
);

type CheckedDomain = Pick<DomainsTable, "spf" | "dkim" | "dmarc" | "bimi" | "score" | "unstable"> & {
  readonly checked_at: number;
  readonly watch: string;
  /** Fields that change only if the check could determine them. */
  readonly told: Partial<Pick<DomainsTable, "verified_at" | "last_drift_at">>;
  /** Null if the stored report says the same. */
  readonly report: Uint8Array | null;
  readonly kept: KeptReport;
  readonly guessed: GuessedSelectors | null;
  readonly certificates: SeenCertificates | null;
  readonly dueAt: number;
};

/** False if the domain was removed meanwhile or is claimed by another process. Then nothing is written. */
export async function writeDomainCheck(
  db: Db,
  ticket: Ticket & Pick<DomainsTable, "workspace_id">,
  { report, kept, watch, guessed, certificates, dueAt, told, ...columns }: CheckedDomain,
): Promise<boolean> {
  if (!(await finishClaim(db, "domains", ticket, dueAt, { ...columns, ...told }))) return false;
  const { checked_at } = columns;
  const { id: domain_id, workspace_id } = ticket;
  await upsertWatch(db, {
    domain_id,
    workspace_id,
    checked_at,
    watch,
    guessed: guessed && JSON.stringify(guessed),
    certificates: certificates && JSON.stringify(certificates),
    gist: kept.gist,
    reported_at: kept.reportedAt,
  });
  if (report !== null) await upsertReport(db, { domain_id, workspace_id, report });
  return true;
}

const upsertWatch = prepare<DomainWatchesTable>((db, values) => {
  const { checked_at, guessed, certificates, watch, gist, reported_at } = values;
  const row = { checked_at, guessed, certificates, watch, gist, reported_at };
  return db
    .insertInto("domain_watches")
    .values({ domain_id: values.domain_id, workspace_id: values.workspace_id, ...row })
    .onConflict((conflict) => conflict.column("domain_id").doUpdateSet(row));
});

const upsertReport = prepare<DomainReportsTable>((db, { domain_id, workspace_id, report }) =>
  db
    .insertInto("domain_reports")
    .values({ domain_id, workspace_id, report })
    .onConflict((conflict) => conflict.column("domain_id").doUpdateSet({ report })),
);

/** The newest changes kept for each domain. */
const keptChanges = 1_000;

type DomainChange = {
  readonly id: string;
  readonly domainId: string;
  readonly at: number;
  readonly kind: NoticeKind;
  readonly changes: readonly Change[];
};

export async function insertDomainChange(
  scope: Scope,
  { id, domainId, at, kind, changes }: DomainChange,
): Promise<void> {
  await scope
    .insertInto("domain_changes", { id, domain_id: domainId, at, kind, changes: JSON.stringify(changes) })
    .execute();
  await scope
    .deleteFrom("domain_changes")
    .where("domain_id", "=", domainId)
    .where("id", "<=", (query) =>
      query
        .selectFrom("domain_changes")
        .select("id")
        .where("domain_id", "=", domainId)
        .orderBy("id", "desc")
        .offset(keptChanges)
        .limit(1),
    )
    .execute();
}

// Manual rechecks within the last hour. They are stored, so that the limit survives a restart and applies to all
// processes on one database. A row outlives its domain.

export type Recheck = Omit<DomainRechecksTable, "workspace_id">;

/** Oldest first. Rows in the future come from a clock that was set back since. */
export async function listRechecks(
  scope: Scope,
  { kind, since, until }: { readonly kind: RecheckKind; readonly since: number; readonly until: number },
): Promise<Recheck[]> {
  return await scope
    .selectFrom("domain_rechecks")
    .select(["domain_id", "at", "kind"])
    .where("kind", "=", kind)
    .where("at", ">", since)
    .where("at", "<=", until)
    .orderBy("at")
    .orderBy("domain_id")
    .execute();
}

/** Also removes those too old to count. */
export async function insertRecheck(scope: Scope, recheck: Recheck, since: number): Promise<void> {
  await scope
    .deleteFrom("domain_rechecks")
    .where((is) => is.or([is("at", "<=", since), is("at", ">", recheck.at)]))
    .execute();
  await scope.insertInto("domain_rechecks", recheck).execute();
}
