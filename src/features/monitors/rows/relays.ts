// A workspace's relays.

import type { Scope } from "../../../platform/database/scope.ts";
import type { RelaysTable } from "../tables.ts";

/** Oldest first. */
export async function listRelays(scope: Scope): Promise<RelaysTable[]> {
  return await scope.selectFrom("relays").selectAll().orderBy("id").execute();
}

export async function readRelay(scope: Scope, id: string): Promise<RelaysTable | undefined> {
  return await scope.selectFrom("relays").selectAll().where("id", "=", id).executeTakeFirst();
}

/** False if another relay has the name. */
export async function insertRelay(scope: Scope, row: Omit<RelaysTable, "workspace_id">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("relays", row)
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type RelayChange = Partial<Pick<RelaysTable, "name" | "url" | "url_shown" | "mail_from" | "return_path">>;

export async function updateRelay(scope: Scope, id: string, change: RelayChange): Promise<void> {
  await scope.updateTable("relays").set(change).where("id", "=", id).execute();
}

export async function removeRelay(scope: Scope, id: string): Promise<void> {
  await scope.deleteFrom("relays").where("id", "=", id).execute();
}

/** Names of the monitors that send through it. */
export async function listRelayUsers(scope: Scope, id: string): Promise<string[]> {
  const rows = await scope.selectFrom("monitors").select("name").where("relay_id", "=", id).orderBy("id").execute();
  return rows.map(({ name }) => name);
}
