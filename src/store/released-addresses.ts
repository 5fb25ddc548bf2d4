// A deleted seed inbox's address goes to no other workspace for a while: its senders do not know that it is gone, and
// whoever got it would read their mail (decisions §4). For all workspaces: the listener asks, too.

import type { Db, ReleasedAddressesTable } from "./schema.ts";

export const heldForMs = 180 * 86_400_000;

export async function insertReleasedAddress(db: Db, released: ReleasedAddressesTable): Promise<void> {
  const { workspace_id, released_at } = released;
  await db
    .insertInto("released_addresses")
    .values(released)
    .onConflict((conflict) =>
      conflict.columns(["domain", "local_part"]).doUpdateSet({ workspace_id, released_at }),
    )
    .execute();
}

export async function isHeldForAnother(
  db: Db,
  { localPart, domain }: { readonly localPart: string; readonly domain: string },
  workspaceId: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("released_addresses")
    .select("workspace_id")
    .where("domain", "=", domain)
    .where("local_part", "=", localPart)
    .where("workspace_id", "<>", workspaceId)
    .where("released_at", ">", now - heldForMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those that are held no longer. */
export async function removeFreeAddresses(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("released_addresses")
    .where("released_at", "<=", now - heldForMs)
    .execute();
}
