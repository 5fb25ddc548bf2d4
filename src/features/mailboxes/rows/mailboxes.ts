// Seed mailboxes: integrations with a mail server. The watcher works for all workspaces and checks its claim on every
// change: a process that lost it changes nothing.

import type { Updateable } from "kysely";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { type Ticket, unclaimed } from "../../../platform/work/claims.ts";
import type { IntegrationStatus } from "../../events/contract.ts";
import type { IntegrationsTable, MailboxFoldersTable } from "../tables.ts";

/** Oldest first. */
export async function listMailboxes(scope: Scope): Promise<IntegrationsTable[]> {
  return await scope.selectFrom("integrations").selectAll().where("server", "is not", null).orderBy("id").execute();
}

export async function readMailbox(scope: Scope, id: string): Promise<IntegrationsTable | undefined> {
  return await scope
    .selectFrom("integrations")
    .selectAll()
    .where("id", "=", id)
    .where("server", "is not", null)
    .executeTakeFirst();
}

export async function isSeedMailbox(scope: Scope, address: string): Promise<boolean> {
  const mailboxes = await listMailboxes(scope);
  return mailboxes.some(({ account }) => account.toLowerCase() === address.toLowerCase());
}

/** The current watcher releases it, and it is claimed again with its current settings. */
export async function restartMailbox(
  scope: Scope,
  id: string,
  columns: Updateable<Schema["integrations"]> & { due_at: number },
): Promise<void> {
  await scope
    .updateTable("integrations")
    .set({ ...columns, ...unclaimed })
    .where("id", "=", id)
    .execute();
}

/** Their watchers release them, and they are not claimed again. */
export async function stopMailboxes(scope: Scope): Promise<void> {
  await scope
    .updateTable("integrations")
    .set({ ...unclaimed, due_at: null })
    .execute();
}

/** Lets a poll without work write nothing. */
export async function hasDueMailbox(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("integrations")
    .select("id")
    .where("due_at", "<=", now)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of them this process still holds, with the attempt of its claim. */
export async function readHeldMailboxes(
  db: Db,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("integrations")
    .select(["id", "attempts"])
    .where("claimed_by", "=", owner)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

export async function extendMailboxes(db: Db, owner: string, ids: readonly string[], until: number): Promise<void> {
  if (ids.length > 0) await claimedBy(db, owner, ids).set({ claimed_until: until }).execute();
}

/** Another process may take them at once. */
export async function giveBackMailboxes(db: Db, owner: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await claimedBy(db, owner, ids).set(unclaimed).execute();
}

export type MailboxState = {
  readonly status: IntegrationStatus;
  readonly problem: string | null;
  readonly status_since: number;
};

/** False if the claim was lost. */
export async function updateMailboxState(db: Db, ticket: Ticket, state: MailboxState): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integrations")
    .set(state)
    .where("id", "=", ticket.id)
    .where("claimed_by", "=", ticket.claimed_by)
    .where("attempts", "=", ticket.attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function listMailboxFolders(db: Db, integrationId: string): Promise<MailboxFoldersTable[]> {
  return await db
    .selectFrom("mailbox_folders")
    .selectAll()
    .where("integration_id", "=", integrationId)
    .orderBy("path")
    .execute();
}

/** Otherwise a server that renames its folders each time would grow the table without limit. */
export async function removeOtherFolders(db: Db, integrationId: string, paths: readonly string[]): Promise<void> {
  await db
    .deleteFrom("mailbox_folders")
    .where("integration_id", "=", integrationId)
    .where("path", "not in", paths)
    .execute();
}

/** When each of these workspaces received its newest test. Workspaces without tests are left out. */
export async function readNewestTests(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("workspaces")
    .select((of) => [
      "workspaces.id",
      of
        .selectFrom("tests")
        .select("tests.received_at")
        .whereRef("tests.workspace_id", "=", "workspaces.id")
        // In the order of an index, so that it costs the same for any number.
        .where("tests.became", "=", "test")
        .orderBy("tests.id", "desc")
        .limit(1)
        .as("received_at"),
    ])
    .where("workspaces.id", "in", ids)
    .execute();
  return new Map(rows.flatMap(({ id, received_at: at }) => (at === null ? [] : [[id, at] as const])));
}

export async function countMailboxes(
  db: Db,
  which: "all" | "inboxes",
): Promise<ReadonlyMap<IntegrationStatus, number>> {
  const rows = await db
    .selectFrom("integrations")
    .select((of) => ["status", of.fn.countAll<number>().as("total")])
    .where("server", "is not", null)
    // In JSON, a bare quote is never part of what a person typed.
    .$if(which === "inboxes", (query) => query.where("server", "like", '%"inbox":{"trust":[%'))
    .groupBy("status")
    .execute();
  return new Map(rows.map(({ status, total }) => [status, total]));
}

function claimedBy(db: Db, owner: string, ids: readonly string[]) {
  return db.updateTable("integrations").where("claimed_by", "=", owner).where("id", "in", ids);
}

// How far the folders of seed mailboxes were read.

export async function keepFolderMark(
  scope: Scope,
  { integration_id, path, uid_validity, next_uid }: Omit<MailboxFoldersTable, "workspace_id">,
): Promise<void> {
  await scope
    .insertInto("mailbox_folders", { integration_id, path, uid_validity, next_uid })
    .onConflict((conflict) => conflict.columns(["integration_id", "path"]).doUpdateSet({ uid_validity, next_uid }))
    .execute();
}
