// Recurring work of the server, done by one process at a time and resumed after a crash.

import type { ChoresTable, Db } from "../database/schema.ts";
import { claimDue, finishClaim, type Lease } from "./claims.ts";

/** Registers the chore. An existing one keeps its time. */
export async function ensureChore(db: Db, id: string, dueAt: number): Promise<void> {
  await db
    .insertInto("chores")
    .values({
      id,
      due_at: dueAt,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
      last_started_at: null,
      last_finished_at: null,
      last_error: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

export async function readChore(db: Db, id: string): Promise<ChoresTable | undefined> {
  return await db.selectFrom("chores").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function claimChores(db: Db, lease: Lease): Promise<ChoresTable[]> {
  const chores = await claimDue(db, "chores", lease);
  const ids = chores.map(({ id }) => id);
  if (ids.length > 0) {
    await db.updateTable("chores").set({ last_started_at: lease.now }).where("id", "in", ids).execute();
  }
  return chores.map((chore) => ({ ...chore, last_started_at: lease.now }));
}

/** False if another process took the chore over meanwhile. */
export async function finishChore(
  db: Db,
  chore: ChoresTable,
  outcome: { readonly now: number; readonly dueAt: number; readonly error: string | null },
): Promise<boolean> {
  const columns = { last_finished_at: outcome.now, last_error: outcome.error };
  return await finishClaim(db, "chores", chore, outcome.dueAt, columns);
}

/** It runs at the next poll. A chore in progress keeps its own time. */
export async function makeChoreDue(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable("chores").set({ due_at: now }).where("id", "=", id).where("claimed_by", "is", null).execute();
}
