// What the outbox need not keep, in steps that let others write.

import type { Db } from "../schema/schema.ts";

type Step = { readonly alertId: string; readonly kept: number; readonly limit: number };

/** Of either table, in their order. */
export async function listIds(
  db: Db,
  table: "alerts" | "alert_events",
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Of a webhook's deliveries that are over, those beyond the newest `kept`; answers how many went. */
export async function removeOldDeliveries(db: Db, { alertId, kept, limit }: Step): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("deliveries")
    .where("id", "in", (query) =>
      query
        .selectFrom("deliveries")
        .select("id")
        .where("alert_id", "=", alertId)
        .where("status", "<>", "pending")
        .orderBy("id", "desc")
        .limit(limit)
        .offset(kept),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Of a webhook's deliveries that wait, the oldest beyond the newest `kept` are dead; answers how many. */
export async function giveUpOldest(
  db: Db,
  { alertId, kept, limit, problem }: Step & { readonly problem: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set({ status: "dead", due_at: null, problem })
    .where("id", "in", (query) =>
      query
        .selectFrom("deliveries")
        .select("id")
        .where("alert_id", "=", alertId)
        .where("status", "=", "pending")
        .where("claimed_by", "is", null)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(kept),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Of these, those that no delivery tells of any more. */
export async function removeUntoldEvents(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom("alert_events")
    .where("id", "in", ids)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("deliveries.event_id", "=", "alert_events.id"),
        ),
      ),
    )
    .execute();
}
