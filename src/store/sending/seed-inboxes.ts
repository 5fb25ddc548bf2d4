import type { Db, ReleasedAddressesTable, SeedInboxesTable } from "../schema/schema.ts";
import { type Scope, unscoped } from "../scope.ts";

/** False when the address is taken, by whatever workspace. Domain and local part are stored in lower case. */
export async function insertSeedInbox(
  scope: Scope,
  inbox: Omit<SeedInboxesTable, "workspace_id">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("seed_inboxes", {
      ...inbox,
      local_part: inbox.local_part.toLowerCase(),
      domain: inbox.domain.toLowerCase(),
    })
    .onConflict((conflict) => conflict.columns(["domain", "local_part"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Of whatever workspace: this is how the listener learns whose a recipient is. */
export async function findSeedInbox(
  db: Db,
  localPart: string,
  domain: string,
): Promise<SeedInboxesTable | undefined> {
  return await db
    .selectFrom("seed_inboxes")
    .selectAll()
    .where("domain", "=", domain.toLowerCase())
    .where("local_part", "=", localPart.toLowerCase())
    .executeTakeFirst();
}

export function toInboxAddress({
  local_part,
  domain,
}: Pick<SeedInboxesTable, "local_part" | "domain">): string {
  return `${local_part}@${domain}`;
}

/** Where samples go: see `pickSampleInbox`. */
export async function readSampleInbox(
  scope: Scope,
  seedDomains: readonly string[],
): Promise<SeedInboxesTable | undefined> {
  return pickSampleInbox(await listSeedInboxes(scope), seedDomains);
}

/**
 * The active one; where the server takes no mail for its domain any more, the oldest other that it takes mail for.
 * `inboxes`: oldest first.
 */
export function pickSampleInbox<Inbox extends Pick<SeedInboxesTable, "domain" | "active">>(
  inboxes: readonly Inbox[],
  seedDomains: readonly string[],
): Inbox | undefined {
  const served = inboxes.filter(({ domain }) => seedDomains.includes(domain));
  return served.find(({ active }) => active === 1) ?? served[0];
}

export async function listSeedInboxes(scope: Scope): Promise<SeedInboxesTable[]> {
  return await scope.selectFrom("seed_inboxes").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function readSeedInbox(scope: Scope, id: string): Promise<SeedInboxesTable | undefined> {
  return await scope.selectFrom("seed_inboxes").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countSeedInboxes(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("seed_inboxes")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function updateSeedInbox(
  scope: Scope,
  id: string,
  columns: Partial<Pick<SeedInboxesTable, "active" | "label">>,
): Promise<void> {
  await scope.updateTable("seed_inboxes").set(columns).where("id", "=", id).execute();
}

export async function removeSeedInbox(scope: Scope, id: string): Promise<void> {
  await scope.deleteFrom("seed_inboxes").where("id", "=", id).execute();
}

// A deleted seed inbox's address goes to no other workspace for a while: its senders don't know that it is gone, and the
// new workspace would read their mail (src/decisions.md, "Seed inboxes"). For all workspaces: the listener asks, too.

export const heldForMs = 180 * 86_400_000;

export async function insertReleasedAddress(
  scope: Scope,
  released: Omit<ReleasedAddressesTable, "workspace_id">,
): Promise<void> {
  const { released_at } = released;
  await scope
    .insertInto("released_addresses", released)
    .onConflict((conflict) =>
      conflict
        .columns(["domain", "local_part"])
        .doUpdateSet({ workspace_id: scope.workspaceId, released_at }),
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

/** Those that are held no longer. */
export async function removeFreeAddresses(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("released_addresses")
    .where("released_at", "<=", now - heldForMs)
    .execute();
}
