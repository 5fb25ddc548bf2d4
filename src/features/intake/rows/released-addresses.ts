// The address of a deleted seed inbox stays reserved for a while: its senders don't know that it is gone, and another
// workspace would read their mail (src/decisions.md, "Seed inboxes"). Covers all workspaces, because the listener asks
// too.

import type { Db } from "../../../platform/database/schema.ts";
import { type Scope, unscoped } from "../../../platform/database/scope.ts";
import type { ReleasedAddressesTable } from "../../sending/tables.ts";

export const heldForMs = 180 * 86_400_000;

export async function insertReleasedAddress(
  scope: Scope,
  released: Omit<ReleasedAddressesTable, "workspace_id">,
): Promise<void> {
  const { released_at } = released;
  await scope
    .insertInto("released_addresses", released)
    .onConflict((conflict) =>
      conflict.columns(["domain", "local_part"]).doUpdateSet({ workspace_id: scope.workspaceId, released_at }),
    )
    .execute();
}

export async function isHeldForAnother(
  scope: Scope,
  { localPart, domain }: { readonly localPart: string; readonly domain: string },
  now: number,
): Promise<boolean> {
  const row = await unscoped(scope)
    .selectFrom("released_addresses")
    .select("workspace_id")
    .where("domain", "=", domain)
    .where("local_part", "=", localPart)
    .where("workspace_id", "<>", scope.workspaceId)
    .where("released_at", ">", now - heldForMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes reservations that have ended. */
export async function removeFreeAddresses(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("released_addresses")
    .where("released_at", "<=", now - heldForMs)
    .execute();
}
