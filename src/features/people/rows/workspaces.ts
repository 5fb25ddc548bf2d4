// Workspaces. A deleted one is invisible at once, although its row stays until all its contents are removed
// (features/people/work/workspaces.ts).

import { type ExpressionBuilder, sql, type UpdateObject } from "kysely";
import { toVolume, type Volume } from "../../../analyzer/checks/volume.ts";
import type { Outgoing } from "../../../analyzer/mail/session/outgoing.ts";
import type { Learned } from "../../../analyzer/placement/learned.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope, unscoped } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { listAlerts } from "../../alerts/rows/alerts.ts";
import { removeSomeDeliveries } from "../../alerts/rows/deliveries.ts";
import { bytesOfReportRows } from "../../feedback/rows/mail-reports.ts";
import { readSampleInbox, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import { takeFitting } from "../../tests/rows/removal.ts";
import { parseLearned } from "../rules/learned.ts";
import { parseOutgoing } from "../rules/outgoing-server.ts";
import { visitorsPlan } from "../rules/plans.ts";
import type { RehearsalSetting } from "../rules/rehearsal-setting.ts";
import type { WorkspacesTable } from "../tables.ts";

type NewWorkspace = Omit<
  WorkspacesTable,
  "removed_at" | "sending_volume" | "rehearsal" | "requires_second_factor" | "outgoing" | "learned"
>;

/** A workspace with the address of its active seed inbox. */
export type WorkspaceRow = Omit<WorkspacesTable, "removed_at"> & { readonly seed_address: string | null };

export async function insertWorkspace(db: Db, workspace: NewWorkspace): Promise<void> {
  await db
    .insertInto("workspaces")
    .values({
      ...workspace,
      removed_at: null,
      sending_volume: null,
      rehearsal: null,
      outgoing: null,
      learned: null,
      requires_second_factor: 0,
    })
    .execute();
}

/** Oldest first. The first is the server's own. Without that of public tests, which no one is a member of. */
export async function listWorkspaces(db: Db): Promise<WorkspaceRow[]> {
  const rows = await selectWorkspaces(db).where("workspaces.plan", "!=", visitorsPlan).execute();
  return rows.map(toWorkspaceRow);
}

export async function readWorkspaces(db: Db, ids: readonly string[]): Promise<WorkspaceRow[]> {
  // PostgreSQL accepts no empty list.
  if (ids.length === 0) return [];
  const rows = await selectWorkspaces(db).where("workspaces.id", "in", ids).execute();
  return rows.map(toWorkspaceRow);
}

/**
 * Each with the address for samples. It differs from the active inbox if the server no longer accepts mail for that
 * inbox's domain. Null if it accepts mail for none of the inboxes.
 */
export async function withSampleAddresses(
  db: Db,
  rows: readonly WorkspaceRow[],
  seedDomains: readonly string[],
): Promise<readonly WorkspaceRow[]> {
  const isServed = ({ seed_address }: WorkspaceRow) =>
    seed_address !== null && seedDomains.includes(seed_address.slice(seed_address.lastIndexOf("@") + 1));
  return await Promise.all(
    rows.map(async (row) => {
      if (isServed(row)) return row;
      const inbox = await readSampleInbox(inWorkspace(db, row.id), seedDomains);
      return { ...row, seed_address: inbox ? toInboxAddress(inbox) : null };
    }),
  );
}

/** The server's own workspace. It gets what belongs to no other. */
export async function readFirstWorkspaceId(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("workspaces")
    .select("id")
    .where("plan", "!=", visitorsPlan)
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Than a single one. */
export async function hasOtherWorkspaces(db: Db): Promise<boolean> {
  const rows = await db.selectFrom("workspaces").select("id").where("plan", "!=", visitorsPlan).limit(2).execute();
  return rows.length > 1;
}

export async function isFirstWorkspace(scope: Scope): Promise<boolean> {
  return (await readFirstWorkspaceId(unscoped(scope))) === scope.workspaceId;
}

/** For what the server does in its own name. Undefined on an empty server. */
export async function readFirstWorkspaceScope(scope: Scope): Promise<Scope | undefined> {
  const db = unscoped(scope);
  const id = await readFirstWorkspaceId(db);
  return id === undefined ? undefined : inWorkspace(db, id);
}

/** Undefined if there is no such workspace. */
export async function readPlanName(scope: Scope): Promise<string | undefined> {
  const row = await scope.selectFrom("workspaces").select("plan").executeTakeFirst();
  return row?.plan;
}

/**
 * On PostgreSQL too, later writes about one workspace wait until this one commits. Throws if the workspace was deleted
 * meanwhile.
 */
export async function lockWorkspace(scope: Scope): Promise<void> {
  if (!(await lockIfThere(scope))) throw noSuchWorkspace();
}

export async function lockIfThere(scope: Scope): Promise<boolean> {
  return await updateWorkspace(scope, (column) => ({ name: column.ref("name") }));
}

/** The fields that an owner may set. */
export type WorkspaceChange = Partial<
  Pick<WorkspacesTable, "name" | "sending_volume" | "rehearsal" | "requires_second_factor" | "outgoing" | "learned">
>;

export async function changeWorkspace(scope: Scope, change: WorkspaceChange): Promise<void> {
  if (!(await updateWorkspace(scope, () => change))) throw noSuchWorkspace();
}

/** What an owner said about its mail, for the analysis of a message in any workspace. */
export async function readSending(
  db: Db,
  workspaceId: string,
): Promise<{ readonly volume: Volume; readonly outgoing: Outgoing | null; readonly learned: Learned | null }> {
  const { rows } = await selectSending(db, { workspaceId });
  const [row] = rows;
  return {
    volume: toVolume(row?.sending_volume ?? null),
    outgoing: parseOutgoing(row?.outgoing ?? null),
    learned: parseLearned(row?.learned ?? null),
  };
}

const selectSending = prepare<
  { workspaceId: string },
  Pick<WorkspacesTable, "sending_volume" | "outgoing" | "learned">
>((db, { workspaceId }) =>
  db.selectFrom("workspaces").select(["sending_volume", "outgoing", "learned"]).where("id", "=", workspaceId),
);

/** Whether its addresses answer as receivers would, for mail to any workspace. */
export async function readRehearsalSetting(db: Db, workspaceId: string): Promise<RehearsalSetting> {
  const { rows } = await selectRehearsal(db, { workspaceId });
  return rows[0]?.rehearsal ?? null;
}

const selectRehearsal = prepare<{ workspaceId: string }, Pick<WorkspacesTable, "rehearsal">>((db, { workspaceId }) =>
  db.selectFrom("workspaces").select("rehearsal").where("id", "=", workspaceId),
);

export async function changePlan(scope: Scope, plan: string): Promise<void> {
  await updateWorkspace(scope, () => ({ plan }));
}

export async function markRemoved(scope: Scope, now: number): Promise<void> {
  await updateWorkspace(scope, () => ({ removed_at: now }));
}

export function noSuchWorkspace(): Refusal {
  return new Refusal("not_found", "Workspace not found.");
}

async function updateWorkspace(
  scope: Scope,
  toColumns: (column: ExpressionBuilder<Schema, "workspaces">) => UpdateObject<Schema, "workspaces">,
): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .updateTable("workspaces")
    .set(toColumns)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

function selectWorkspaces(db: Db) {
  return db
    .selectFrom("workspaces")
    .leftJoin("seed_inboxes", (join) =>
      join.onRef("seed_inboxes.workspace_id", "=", "workspaces.id").on("seed_inboxes.active", "=", 1),
    )
    .where("workspaces.removed_at", "is", null)
    .select(["workspaces.id", "workspaces.name", "workspaces.plan", "workspaces.created_at"])
    .select(["workspaces.sending_volume", "workspaces.rehearsal", "workspaces.requires_second_factor"])
    .select(["workspaces.outgoing", "workspaces.learned"])
    .select(["seed_inboxes.local_part", "seed_inboxes.domain"])
    .orderBy("workspaces.created_at")
    .orderBy("workspaces.id");
}

type Joined = Omit<WorkspacesTable, "removed_at"> & { local_part: string | null; domain: string | null };

function toWorkspaceRow({ local_part, domain, ...row }: Joined): WorkspaceRow {
  return { ...row, seed_address: local_part === null ? null : `${local_part}@${domain}` };
}

// Removing a workspace: first everything that gives access or brings mail, at once; then its messages, in steps; then
// its row.

/** Stops all access, mail and alerts of the workspace. Its members' tokens and invitations end with their memberships. */
export async function closeWorkspace(scope: Scope): Promise<void> {
  for (const table of ["seed_inboxes", "api_tokens", "shares", "invitations", "memberships"] as const)
    await scope.deleteFrom(table).execute();
  await scope.updateTable("alerts").set({ enabled: 0 }).execute();
}

export async function listRemovedWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("workspaces")
    .select("id")
    .where("removed_at", "is not", null)
    .orderBy("removed_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Removes some of its messages of every kind, with their reports. Returns how many. At most `bytes` at once, or a
 * single one, because freeing 200 messages of 25 MB takes seconds in which no other message could be stored.
 */
export async function removeSomeTests(
  scope: Scope,
  { tests, bytes }: { readonly tests: number; readonly bytes: number },
): Promise<number> {
  // In the order of an index, so that each step costs only its own rows.
  const rows = await scope
    .selectFrom("tests")
    .select(["id", sql<number>`size_bytes + ${bytesOfReportRows}`.as("size_bytes")])
    .orderBy("became")
    .orderBy("id")
    .limit(tests)
    .execute();
  const ids = takeFitting(rows, bytes).map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("tests").where("id", "in", ids).execute();
  return ids.length;
}

/** Removes some of its domains with their reports and history. Returns how many. */
export async function removeSomeDomains(scope: Scope, limit: number): Promise<number> {
  const rows = await scope.selectFrom("domains").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("domains").where("id", "in", ids).execute();
  return ids.length;
}

/** Removes some of its deliveries, or once these are gone, some of their events. Returns how many. */
export async function removeSomeAlerts(scope: Scope, limit: number): Promise<number> {
  const alertIds = (await listAlerts(scope)).map(({ id }) => id);
  const deliveries = await removeSomeDeliveries(scope, alertIds, limit);
  if (deliveries > 0) return deliveries;
  const rows = await scope.selectFrom("alert_events").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("alert_events").where("id", "in", ids).execute();
  return ids.length;
}

export async function removeSomeSends(scope: Scope, limit: number): Promise<number> {
  const rows = await scope.selectFrom("sends").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("sends").where("id", "in", ids).execute();
  return ids.length;
}

/**
 * Removes the row of a workspace whose tests, domains, alerts and sends are gone. The little that is left goes with it.
 */
export async function removeWorkspaceRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("workspaces").where("id", "=", id).where("removed_at", "is not", null).execute();
}
