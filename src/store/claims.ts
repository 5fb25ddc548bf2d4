// Work that must be done once is claimed in the database: a lease that its holder extends or ends, and that anybody
// may take when it has run out. The attempt is counted with the claim, before the work begins, so that a row that
// kills its process is known by its number. A claimed row is its own ticket: who lost the lease changes nothing.

import type { Kysely, Updateable } from "kysely";
import { isPostgres } from "./engine/prepared.ts";
import type { ClaimColumns, Db, Schema } from "./schema/schema.ts";

const claimTables = ["tests", "chores", "domains", "deliveries", "integrations"] as const;
type ClaimTable = (typeof claimTables)[number];
export type Ticket = { readonly id: string } & Pick<ClaimColumns, "claimed_by" | "attempts">;

export type Lease = {
  readonly now: number;
  /** One name a process that lives: two that share a name could end each other's claims. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only these rows: a process may not know every chore of a newer one. */
  readonly only?: readonly string[];
  /** Only rows that were handed out so often at most. */
  readonly triedAtMost?: number;
  /** Only rows that were handed out so often already. */
  readonly triedAtLeast?: number;
};

/** `marks`: what is written of each row with its claim. */
export async function claimDue<T extends ClaimTable>(
  db: Db,
  table: T,
  lease: Lease,
  marks: Updateable<Schema[T]> = {},
): Promise<Schema[T][]> {
  const { now, owner, leaseMs, limit, only, triedAtMost, triedAtLeast } = lease;
  const rows = await asClaims(db)
    .with(
      (name) => name("due").materialized(), // else PostgreSQL may run it again, and lock more than the limit
      (cte) =>
        cte
          .selectFrom(table as "claims")
          .select("id")
          .where("due_at", "<=", now)
          .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
          .$if(only !== undefined, (query) => query.where("id", "in", only ?? []))
          .$if(triedAtMost !== undefined, (query) => query.where("attempts", "<=", triedAtMost ?? 0))
          .$if(triedAtLeast !== undefined, (query) => query.where("attempts", ">=", triedAtLeast ?? 0))
          .orderBy("due_at")
          .orderBy("id")
          .limit(limit)
          // SQLite has one writer, so that a claim needs no lock there, and knows no word for one.
          .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
    )
    .updateTable(table as "claims")
    .set((column) => ({
      ...marks,
      claimed_by: owner,
      claimed_until: now + leaseMs,
      attempts: column("attempts", "+", 1),
    }))
    .where("id", "in", (query) => query.selectFrom("due").select("due.id"))
    .returningAll()
    .execute();
  rows.sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1));
  return rows as unknown as Schema[T][];
}

/** Ends the claim, and writes what came of the work. `dueAt` null: nothing is left to do. False when it is no longer ours. */
export async function finishClaim<T extends ClaimTable>(
  db: Db,
  table: T,
  ticket: Ticket,
  dueAt: number | null,
  outcome: Updateable<Schema[T]> = {},
): Promise<boolean> {
  return await change(db, table, ticket, {
    ...outcome,
    ...unclaimed,
    due_at: dueAt,
    ...(dueAt !== null && { attempts: 0 }),
  });
}

/** Hands it out again at `dueAt`; `unmarked` takes the attempt back, for a row that is not to blame. */
export async function releaseClaim(
  db: Db,
  table: ClaimTable,
  ticket: Ticket,
  options: { readonly dueAt: number; readonly unmarked?: boolean },
): Promise<boolean> {
  const attempts = ticket.attempts - (options.unmarked ? 1 : 0);
  return await change(db, table, ticket, { ...unclaimed, due_at: options.dueAt, attempts });
}

export async function extendClaim(
  db: Db,
  table: ClaimTable,
  ticket: Ticket,
  until: number,
): Promise<boolean> {
  return await change(db, table, ticket, { claimed_until: until });
}

/** For a process that knows that it is alone, as at the start of the one server on a data directory. Attempts stay counted. */
export async function dropAllClaims(db: Db): Promise<void> {
  for (const table of claimTables) {
    await asClaims(db)
      .updateTable(table as "claims")
      .set(unclaimed)
      // What is claimed is due: there is an index of that, and none of claims.
      .where("due_at", "is not", null)
      .where("claimed_by", "is not", null)
      .execute();
  }
}

export const unclaimed = { claimed_by: null, claimed_until: null };

async function change(
  db: Db,
  table: ClaimTable,
  ticket: Ticket,
  columns: Partial<ClaimColumns>,
): Promise<boolean> {
  const { numUpdatedRows } = await asClaims(db)
    .updateTable(table as "claims")
    .set(columns)
    .where("id", "=", ticket.id)
    .where("claimed_by", "=", ticket.claimed_by)
    .where("attempts", "=", ticket.attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Every claimable table has these columns; the types need one of them to look at. */
function asClaims(db: Db): Kysely<{ claims: ClaimColumns & { id: string } }> {
  return db as unknown as Kysely<{ claims: ClaimColumns & { id: string } }>;
}
