// The deliveries of a workspace's webhooks, as people see them. outbox.ts has the queue.

import type { Scope } from "../../../platform/database/scope.ts";
import type { DeliveriesTable } from "../../domains/tables.ts";
import type { AlertEventType } from "../rules/alert-event.ts";

export type ListedDelivery = DeliveriesTable & { readonly type: AlertEventType };

/** Newest first. */
export async function listDeliveries(scope: Scope, alertId: string, limit: number): Promise<ListedDelivery[]> {
  return await selectListed(scope)
    .where("deliveries.alert_id", "=", alertId)
    .orderBy("deliveries.id", "desc")
    .limit(limit)
    .execute();
}

/** The newest of each of these webhooks, if it has any. */
export async function readLastDelivery(
  scope: Scope,
  alertIds: readonly string[],
): Promise<Map<string, ListedDelivery>> {
  const lists = await Promise.all(alertIds.map((alertId) => listDeliveries(scope, alertId, 1)));
  return new Map(lists.flat().map((delivery) => [delivery.alert_id, delivery]));
}

/** Removes some deliveries of these webhooks, sent or waiting. Returns how many. */
export async function removeSomeDeliveries(scope: Scope, alertIds: readonly string[], limit: number): Promise<number> {
  if (alertIds.length === 0) return 0;
  const rows = await scope
    .selectFrom("deliveries")
    .select("id")
    .where("alert_id", "in", alertIds)
    .orderBy("alert_id")
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("deliveries").where("id", "in", ids).execute();
  return ids.length;
}

/**
 * Makes a delivery due again with all its tries, as the same event. One that waits for its next try is tried now; one
 * in progress stays as it is. Undefined if the webhook has no such delivery.
 */
export async function retryDelivery(
  scope: Scope,
  alertId: string,
  deliveryId: string,
  now: number,
): Promise<ListedDelivery | undefined> {
  await scope
    .updateTable("deliveries")
    .set({ status: "pending", tries: 0, attempts: 0, due_at: now, told_with: null, delivered_at: null })
    .where("id", "=", deliveryId)
    .where("alert_id", "=", alertId)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .execute();
  return await selectListed(scope)
    .where("deliveries.alert_id", "=", alertId)
    .where("deliveries.id", "=", deliveryId)
    .executeTakeFirst();
}

function selectListed(scope: Scope) {
  return scope
    .selectFrom("deliveries")
    .innerJoin("alert_events", "alert_events.id", "deliveries.event_id")
    .selectAll("deliveries")
    .select("alert_events.type");
}
