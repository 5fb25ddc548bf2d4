// Rows of the webhooks that providers call.

import type { Updateable } from "kysely";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { IncomingHooksTable } from "../tables.ts";

/** In any workspace: this is how a request finds its webhook. */
export async function findHook(db: Db, keyHash: string): Promise<IncomingHooksTable | undefined> {
  return await db.selectFrom("incoming_hooks").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** Oldest first. */
export async function listHooks(scope: Scope): Promise<IncomingHooksTable[]> {
  return await scope.selectFrom("incoming_hooks").selectAll().orderBy("id").execute();
}

export async function readHook(scope: Scope, id: string): Promise<IncomingHooksTable | undefined> {
  return await scope.selectFrom("incoming_hooks").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function insertHook(scope: Scope, row: Omit<IncomingHooksTable, "workspace_id">): Promise<void> {
  await scope.insertInto("incoming_hooks", row).execute();
}

export async function updateHook(scope: Scope, id: string, columns: Updateable<IncomingHooksTable>): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await scope.updateTable("incoming_hooks").set(columns).where("id", "=", id).execute();
}

/** False if there is none. What it reported stays. */
export async function removeHook(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("incoming_hooks").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function countTaken(
  db: Db,
  id: string,
  { now, received, repeated }: { readonly now: number; readonly received: number; readonly repeated: number },
): Promise<void> {
  await db
    .updateTable("incoming_hooks")
    .set((column) => ({
      last_received_at: now,
      received: column("received", "+", received),
      repeated: column("repeated", "+", repeated),
    }))
    .where("id", "=", id)
    .execute();
}

export async function countRefused(
  db: Db,
  id: string,
  { now, problem }: { readonly now: number; readonly problem: string },
): Promise<void> {
  await db
    .updateTable("incoming_hooks")
    .set((column) => ({ refused: column("refused", "+", 1), last_problem: problem, last_problem_at: now }))
    .where("id", "=", id)
    .execute();
}

// What was taken lately. The row is written in the transaction that takes it.

/** The keys that were not taken before. Those are remembered. */
export async function rememberEvents(
  db: Db,
  hookId: string,
  keys: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .insertInto("hook_events")
    .values([...new Set(keys)].map((event_key) => ({ hook_id: hookId, event_key, seen_at: now })))
    .onConflict((conflict) => conflict.columns(["hook_id", "event_key"]).doNothing())
    .returning("event_key")
    .execute();
  return new Set(rows.map(({ event_key }) => event_key));
}

export async function isRemembered(db: Db, hookId: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom("hook_events")
    .select("seen_at")
    .where("hook_id", "=", hookId)
    .where("event_key", "=", key)
    .executeTakeFirst();
  return row !== undefined;
}

/** At most `limit` of them. Returns how many. */
export async function forgetEvents(db: Db, seenBefore: number, limit: number): Promise<number> {
  const old = await db
    .selectFrom("hook_events")
    .select(["hook_id", "event_key"])
    .where("seen_at", "<", seenBefore)
    .orderBy("seen_at")
    .limit(limit)
    .execute();
  for (const [hookId, rows] of Map.groupBy(old, ({ hook_id }) => hook_id))
    await db
      .deleteFrom("hook_events")
      .where("hook_id", "=", hookId)
      .where(
        "event_key",
        "in",
        rows.map(({ event_key }) => event_key),
      )
      .execute();
  return old.length;
}
