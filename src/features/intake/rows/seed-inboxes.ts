import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { SeedInboxesTable } from "../../sending/tables.ts";

/** False if any workspace has the address. Domain and local part are stored in lower case. */
export async function insertSeedInbox(scope: Scope, inbox: Omit<SeedInboxesTable, "workspace_id">): Promise<boolean> {
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

/** In any workspace: this is how the listener finds a recipient's workspace. */
export async function findSeedInbox(db: Db, localPart: string, domain: string): Promise<SeedInboxesTable | undefined> {
  return await db
    .selectFrom("seed_inboxes")
    .selectAll()
    .where("domain", "=", domain.toLowerCase())
    .where("local_part", "=", localPart.toLowerCase())
    .executeTakeFirst();
}

export function toInboxAddress({ local_part, domain }: Pick<SeedInboxesTable, "local_part" | "domain">): string {
  return `${local_part}@${domain}`;
}

/** The inbox for samples: see `pickSampleInbox`. */
export async function readSampleInbox(
  scope: Scope,
  seedDomains: readonly string[],
): Promise<SeedInboxesTable | undefined> {
  return pickSampleInbox(await listSeedInboxes(scope), seedDomains);
}

/**
 * The active inbox. If the server no longer accepts mail for its domain, the oldest one that it accepts mail for.
 * `inboxes` must be oldest first.
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
  return await countRows(scope.selectFrom("seed_inboxes"));
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
