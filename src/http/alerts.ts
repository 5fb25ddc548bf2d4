import type { AlertEventType } from "../alerts/alert-event.ts";
import type { Alert, Delivery } from "../api/alerts.ts";
import * as endpoints from "../api/alerts.ts";
import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import { listAlerts } from "../store/alerts/alerts.ts";
import {
  type ListedDelivery,
  listDeliveries,
  readLastDelivery,
  retryDelivery,
} from "../store/alerts/deliveries.ts";
import type { AlertsTable } from "../store/schema/watch.ts";
import type { Scope } from "../store/scope.ts";
import { type Alerts, requireAlert } from "../tasks/alerts/alerts.ts";
import { type Route, route } from "./route.ts";

const listedDeliveries = 100;

export const alertRoutes: readonly Route[] = [
  route(endpoints.listAlerts, async ({ store: { read } }, { alerts }) => {
    const rows = await listAlerts(read);
    return { items: await toAlerts(rows, read, alerts) };
  }),

  route(endpoints.createAlert, async ({ store, body }, { alerts }) => {
    const { row, secret } = await alerts.create(store, body);
    return { ...toAlert(row, undefined, alerts), secret };
  }),

  route(endpoints.readAlert, async ({ store: { read }, params: { id } }, { alerts }) =>
    showAlert(await requireAlert(read, id), read, alerts),
  ),

  route(endpoints.changeAlert, async ({ store, params: { id }, body }, { alerts }) => {
    const { row, secret } = await alerts.change(store, id, body);
    return { ...(await showAlert(row, store.read, alerts)), ...(secret !== null && { secret }) };
  }),

  route(endpoints.deleteAlert, async ({ store, params: { id } }, { alerts }) => {
    await alerts.remove(store, id);
    return undefined;
  }),

  route(endpoints.rotateAlertSecret, async ({ store, params: { id } }, { alerts }) => {
    const { row, secret } = await alerts.rotateSecret(store, id);
    return { ...(await showAlert(row, store.read, alerts)), secret };
  }),

  route(endpoints.pingAlert, ({ store, params: { id } }, { alerts }) => alerts.ping(store, id)),

  route(endpoints.listDeliveries, async ({ store: { read }, params: { id } }) => {
    await requireAlert(read, id);
    return { items: (await listDeliveries(read, id, listedDeliveries)).map(toDelivery) };
  }),

  route(endpoints.retryDelivery, async ({ store, params: { id, deliveryId } }, { system }) => {
    const now = system.now();
    const row = await store.write(async (scope) => {
      const { enabled } = await requireAlert(scope, id);
      const retried = enabled === 1 ? await retryDelivery(scope, id, deliveryId, now) : null;
      if (retried === undefined) throw new Refusal("not_found", "Delivery not found.");
      return retried;
    });
    if (row === null)
      throw new Refusal("conflict", "The webhook is disabled. Enable it before retrying deliveries.");
    return toDelivery(row);
  }),
];

async function toAlerts(rows: readonly AlertsTable[], scope: Scope, alerts: Alerts): Promise<Alert[]> {
  const lastOf = await readLastDelivery(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toAlert(row, lastOf.get(row.id), alerts));
}

async function showAlert(row: AlertsTable, scope: Scope, alerts: Alerts): Promise<Alert> {
  const lastOf = await readLastDelivery(scope, [row.id]);
  return toAlert(row, lastOf.get(row.id), alerts);
}

function toAlert(row: AlertsTable, last: ListedDelivery | undefined, alerts: Alerts): Alert {
  return {
    id: row.id,
    label: row.label,
    url: alerts.shownUrl(row),
    kind: row.kind,
    events: JSON.parse(row.events) as AlertEventType[],
    thresholdScore: row.threshold_score,
    enabled: row.enabled === 1,
    disabledBecause: row.disabled_because,
    createdAt: toTimestamp(row.created_at),
    lastDelivery: last ? toLastDelivery(last) : null,
  };
}

function toLastDelivery(row: ListedDelivery): Alert["lastDelivery"] {
  const at = toTimestamp(row.delivered_at ?? row.last_tried_at ?? row.created_at);
  return { id: row.id, at, status: row.status, httpStatus: row.http_status };
}

function toDelivery(row: ListedDelivery): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    tries: row.tries,
    httpStatus: row.http_status,
    problem: row.problem,
    createdAt: toTimestamp(row.created_at),
    lastTriedAt: toTimestampOrNull(row.last_tried_at),
    deliveredAt: toTimestampOrNull(row.delivered_at),
    nextTryAt: toTimestampOrNull(row.due_at),
    durationMs: row.duration_ms,
    toldWith: row.told_with,
  };
}
