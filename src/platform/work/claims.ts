// Work that must be done once is claimed in the database with a lease. Its holder extends or ends it, and anyone may
// take it once it has expired. The attempt is counted with the claim, before the work begins, so that a row that kills
// its process is recognized by its count. The claim is checked on every change: a process that lost the lease changes
// nothing.

import type { Kysely, Updateable } from "kysely";
import { isPostgres } from "../database/engine/prepared.ts";
import type { ClaimColumns, Db, Schema } from "../database/schema.ts";

/** Every table whose rows can be claimed. */
type ClaimTable = { [T in keyof Schema]: Schema[T] extends ClaimColumns ? T : never }[keyof Schema];

export type Ticket = { readonly id: string } & Pick<ClaimColumns, "claimed_by" | "attempts">;

export type Lease = {
  readonly now: number;
  /** Unique to each running process. Two with the same name could end each other's claims. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only these rows, because an older process may not know every chore of a newer one. */
  readonly only?: readonly string[];
  /** Only rows with at most this many attempts. */
  readonly triedAtMost?: number;
  /** Only rows with at least this many attempts. */
  readonly triedAtLeast?: number;
};

/** `marks` is written to each row with its claim. */
export async function claimDue<T extends ClaimTable>(
  db: Db,
  table: T,
  lease: Lease,
  marks: Updateable<Schema[T]> = {},
): Promise<Schema[T][]> {
  const { now, owner, leaseMs, limit, only, triedAtMost, triedAtLeast } = lease;
  const rows = await asClaims(db)
    .with(
      (name) => name("due").materialized(), // otherwise PostgreSQL may run it again and lock more than the limit
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
          // SQLite has a single writer, so a claim needs no lock there, and SQLite has no syntax for one.
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

/** Ends the claim and writes the result. `dueAt` is null if nothing is left to do. False if the claim was lost. */
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

/** Makes the row available again at `dueAt`. `unmarked` takes the attempt back if the row isn't to blame. */
export async function releaseClaim(
  db: Db,
  table: ClaimTable,
  ticket: Ticket,
  options: { readonly dueAt: number; readonly unmarked?: boolean },
): Promise<boolean> {
  const attempts = ticket.attempts - (options.unmarked ? 1 : 0);
  return await change(db, table, ticket, { ...unclaimed, due_at: options.dueAt, attempts });
}

export async function extendClaim(db: Db, table: ClaimTable, ticket: Ticket, until: number): Promise<boolean> {
  return await change(db, table, ticket, { claimed_until: until });
}

/**
 * For a process that knows that it is alone, such as the only server on a data directory when it starts. Attempts stay
 * counted.
 */
export async function dropAllClaims(db: Db): Promise<void> {
  const tables = await db.introspection.getTables();
  for (const { name, columns } of tables) {
    if (!columns.some((column) => column.name === "claimed_by")) continue;
    await asClaims(db)
      .updateTable(name as "claims")
      .set(unclaimed)
      // Claimed rows are due, and there is an index on that but not on claims.
      .where("due_at", "is not", null)
      .where("claimed_by", "is not", null)
      .execute();
  }
}

/** When the row that waits longest was due, or will be. */
export async function readOldestDue(db: Db, table: ClaimTable): Promise<number | undefined> {
  const rows = asClaims(db)
    .selectFrom(table as "claims")
    .select("due_at")
    .where("due_at", "is not", null);
  return (await rows.orderBy("due_at").limit(1).executeTakeFirst())?.due_at ?? undefined;
}

export const unclaimed = { claimed_by: null, claimed_until: null };

async function change(db: Db, table: ClaimTable, ticket: Ticket, columns: Partial<ClaimColumns>): Promise<boolean> {
  const { numUpdatedRows } = await asClaims(db)
    .updateTable(table as "claims")
    .set(columns)
    .where("id", "=", ticket.id)
    .where("claimed_by", "=", ticket.claimed_by)
    .where("attempts", "=", ticket.attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Every claimable table has these columns, but the types need one concrete table. */
function asClaims(db: Db): Kysely<{ claims: ClaimColumns & { id: string } }> {
  return db as unknown as Kysely<{ claims: ClaimColumns & { id: string } }>;
}
