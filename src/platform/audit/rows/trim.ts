// Removes what is too old from the beginning of a chain.

import type { Db } from "../../database/schema.ts";
import { serverChain } from "../rules/entry.ts";
import { appendEntry, bySystem } from "./append.ts";
import { type AuditChain, readOnwards } from "./log.ts";
import type { AuditHeadsTable } from "./tables.ts";

type Trim = { readonly before: number; readonly now: number };

const dayMs = 86_400_000;
const trimmedAtOnce = 1_000;

/**
 * Removes up to a thousand entries that are older, from the beginning of the chain. The entry about it has the hash of
 * the last one that was removed, from which the rest can be verified. Returns how many were removed.
 */
export async function trimChain(db: Db, chain: string, { before, now }: Trim): Promise<number> {
  const place = { db, chain };
  const head = await lockHead(place);
  if (head === undefined) return 0;
  const rows = await readOnwards(place, head.trimmed_seq, trimmedAtOnce);
  // A time in the future is of a wrong clock, and says nothing.
  const kept = rows.findIndex(({ at }) => at >= before && at <= now + dayMs);
  const beginning = kept < 0 ? rows : rows.slice(0, kept);
  const old = beginning.slice(0, beginning.findLastIndex(({ at }) => at < before) + 1);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await db.deleteFrom("audit_log").where("chain", "=", chain).where("seq", "<=", last.seq).execute();
  const isGone = chain !== serverChain && last.seq === head.seq && !(await isWorkspace(db, chain));
  const details = { removed: old.length, through: last.seq, hash: last.hash };
  if (isGone) await db.deleteFrom("audit_heads").where("chain", "=", chain).execute();
  else
    await db
      .updateTable("audit_heads")
      .set({ trimmed_seq: last.seq, trimmed_hash: last.hash })
      .where("chain", "=", chain)
      .execute();
  await appendEntry(db, [isGone ? serverChain : chain], {
    ...bySystem,
    at: now,
    action: "audit.trim",
    ...(isGone && { object_kind: "workspace", object_id: chain }),
    details: JSON.stringify(details),
  });
  return old.length;
}

async function lockHead({ db, chain }: AuditChain): Promise<AuditHeadsTable | undefined> {
  return await db
    .updateTable("audit_heads")
    .set((row) => ({ seq: row.ref("seq") }))
    .where("chain", "=", chain)
    .returningAll()
    .executeTakeFirst();
}

async function isWorkspace(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}
