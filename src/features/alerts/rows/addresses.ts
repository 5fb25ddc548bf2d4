// Email addresses that get alerts. An address must confirm before it gets any, and stays unsubscribed or bounced until
// it confirms again.

import { lockName } from "../../../platform/database/engine/meta.ts";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope, unscoped } from "../../../platform/database/scope.ts";
import type { AddressState, AlertAddressesTable } from "../../domains/tables.ts";

export async function readAlertAddress(scope: Scope, id: string): Promise<AlertAddressesTable | undefined> {
  return await scope.selectFrom("alert_addresses").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function listAlertAddresses(scope: Scope, ids: readonly string[]): Promise<AlertAddressesTable[]> {
  if (ids.length === 0) return [];
  return await scope.selectFrom("alert_addresses").selectAll().where("id", "in", ids).execute();
}

/** The workspace's row for this address: the one that it has, or this one. */
export async function ensureAlertAddress(
  scope: Scope,
  row: Pick<AlertAddressesTable, "id" | "address" | "created_at">,
): Promise<AlertAddressesTable> {
  await scope
    .insertInto("alert_addresses", {
      ...row,
      state: "pending",
      problem: null,
      link_hash: null,
      link_expires_at: null,
      asked_at: null,
      confirmed_at: null,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "address"]).doNothing())
    .execute();
  return await scope
    .selectFrom("alert_addresses")
    .selectAll()
    .where("address", "=", row.address)
    .executeTakeFirstOrThrow();
}

type Link = Pick<AlertAddressesTable, "link_hash" | "link_expires_at">;

/** Replaces the open link. The state stays until the recipient follows it. */
export async function keepLink(scope: Scope, id: string, link: Link & { asked_at: number }): Promise<void> {
  await scope
    .updateTable("alert_addresses")
    .set({ ...link, problem: null })
    .where("id", "=", id)
    .execute();
}

/** After a confirmation mail that no server accepted. */
export async function dropLink(
  scope: Scope,
  { id, link_hash }: Pick<AlertAddressesTable, "id" | "link_hash">,
  problem: string,
): Promise<void> {
  await scope
    .updateTable("alert_addresses")
    .set({ link_hash: null, link_expires_at: null, asked_at: null, problem })
    .where("id", "=", id)
    .where("link_hash", "=", link_hash)
    .execute();
}

/** How many of the workspace's addresses were asked since then. */
export async function countAsked(scope: Scope, since: number): Promise<number> {
  return await countRows(scope.selectFrom("alert_addresses").where("asked_at", ">", since));
}

// By what a link contains, before the workspace is known.

/** Undefined for a link that was used, replaced, or has expired. */
export async function findByLink(db: Db, hash: string, now: number): Promise<AlertAddressesTable | undefined> {
  return await db
    .selectFrom("alert_addresses")
    .selectAll()
    .where("link_hash", "=", hash)
    .where("link_expires_at", ">", now)
    .executeTakeFirst();
}

export async function findAlertAddress(db: Db, id: string): Promise<AlertAddressesTable | undefined> {
  return await db.selectFrom("alert_addresses").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Turns its alerts on again that were turned off with it. False if the link was used meanwhile. */
export async function confirmAddress(
  db: Db,
  { id, workspace_id, link_hash }: AlertAddressesTable,
  now: number,
): Promise<boolean> {
  const scope = inWorkspace(db, workspace_id);
  const { numUpdatedRows } = await scope
    .updateTable("alert_addresses")
    .set({ state: "confirmed", problem: null, link_hash: null, link_expires_at: null, confirmed_at: now })
    .where("id", "=", id)
    .where("link_hash", "=", link_hash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await scope
    .updateTable("alerts")
    .set({ enabled: 1, disabled_because: null, not_before: null, failing_since: null })
    .where("address_id", "=", id)
    .where("disabled_because", "is not", null)
    .execute();
  return true;
}

/** Turns off its alerts, so that what waits for it is dropped. An open link can still be followed. */
export async function endAddress(
  db: Db,
  { id, workspace_id }: Pick<AlertAddressesTable, "id" | "workspace_id">,
  { state, problem, because }: { state: Exclude<AddressState, "confirmed">; problem: string | null; because: string },
): Promise<void> {
  const scope = inWorkspace(db, workspace_id);
  await scope.updateTable("alert_addresses").set({ state, problem }).where("id", "=", id).execute();
  await scope
    .updateTable("alerts")
    .set({ enabled: 0, disabled_because: because })
    .where("address_id", "=", id)
    .where("enabled", "=", 1)
    .execute();
}

// The limits on mail to one mailbox that is no alert, for all workspaces together. Each kind has its own.

export type LimitedMail = "confirmation" | "test" | "reset" | "invitation";

/** Newest first. Until the transaction ends, no other one counts the same mailbox. */
export async function listMailTimes(
  scope: Scope,
  what: LimitedMail,
  mailbox: string,
  since: number,
): Promise<number[]> {
  const db = unscoped(scope);
  const key = toMailboxKey(what, mailbox);
  await lockName(db, `mailbox ${key}`);
  const rows = await db
    .selectFrom("confirmation_mails")
    .select("sent_at")
    .where("mailbox", "=", key)
    .where("sent_at", ">", since)
    .orderBy("sent_at", "desc")
    .execute();
  return rows.map(({ sent_at }) => sent_at);
}

export async function insertLimitedMail(
  scope: Scope,
  what: LimitedMail,
  { mailbox, ...row }: { readonly id: string; readonly mailbox: string; readonly sent_at: number },
): Promise<void> {
  const key = toMailboxKey(what, mailbox);
  await unscoped(scope)
    .insertInto("confirmation_mails")
    .values({ ...row, mailbox: key })
    .execute();
}

/** No mailbox has a space. */
function toMailboxKey(what: LimitedMail, mailbox: string): string {
  return what === "confirmation" ? mailbox : `${what} ${mailbox}`;
}

export async function removeConfirmationMail(scope: Scope, id: string): Promise<void> {
  await unscoped(scope).deleteFrom("confirmation_mails").where("id", "=", id).execute();
}

/** Also removes addresses that were never confirmed and no alert uses. The others are remembered. */
export async function tidyAddresses(db: Db, before: number): Promise<void> {
  await db.deleteFrom("confirmation_mails").where("sent_at", "<", before).execute();
  await db
    .deleteFrom("alert_addresses")
    .where("state", "=", "pending")
    .where("created_at", "<", before)
    .where((is) =>
      is.not(
        is.exists(is.selectFrom("alerts").select("alerts.id").whereRef("alerts.address_id", "=", "alert_addresses.id")),
      ),
    )
    .execute();
}

/** For the people who are asked. */
export async function readWorkspaceName(scope: Scope): Promise<string> {
  const row = await scope.selectFrom("workspaces").select("name").executeTakeFirst();
  return row?.name ?? "";
}
