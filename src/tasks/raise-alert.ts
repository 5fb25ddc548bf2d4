// Something happened → the outbox: the event, and one delivery for each webhook that listens to it. In the transaction of
// what happened, so that neither is ever there without the other.

import type { AlertEvent } from "../alerts/alert-event.ts";
import { createId } from "../ids.ts";
import { insertAlertEvent, type ListeningAlert, listListening } from "../store/alert-events.ts";
import type { Scope } from "../store/scope.ts";
import type { System } from "../system/system.ts";

/** `concerns`: whether a webhook that listens to such events is to hear of this one. Answers how many do. */
export async function raiseAlert(
  scope: Scope,
  { type, data }: AlertEvent,
  system: Pick<System, "now" | "random">,
  concerns: (alert: ListeningAlert) => boolean = () => true,
): Promise<number> {
  const listening = (await listListening(scope, type)).filter(concerns);
  if (listening.length === 0) return 0;
  const now = system.now();
  const id = createId("event", now, system.random(16));
  const deliveries = listening.map((alert) => ({
    id: createId("delivery", now, system.random(16)),
    alertId: alert.id,
  }));
  await insertAlertEvent(scope, { id, type, created_at: now, payload: JSON.stringify(data) }, deliveries);
  return listening.length;
}
