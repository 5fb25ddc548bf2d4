import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route, sendsOnly } from "../../../platform/route.ts";
import type { AlertAddressesTable, AlertsTable } from "../../domains/tables.ts";
import { readAlertEmail } from "../contract/alert-options.ts";
import type { Alert, Delivery } from "../contract/alerts.ts";
import * as endpoints from "../contract/alerts.ts";
import { listAlertAddresses } from "../rows/addresses.ts";
import { listAlerts } from "../rows/alerts.ts";
import { type ListedDelivery, listDeliveries, readLastDelivery, retryDelivery } from "../rows/deliveries.ts";
import type { AlertEventType } from "../rules/alert-event.ts";
import type { Alerts } from "../work/alerts.ts";
import { requireAlert } from "../work/write-alert.ts";

const auditedAlert = auditedObject({
  kind: "alert",
  table: "alerts",
  columns: ["label", "kind", "preset", "events", "threshold_score", "enabled"],
  hosts: ["url_shown"],
  secrets: ["url", "secret", "credentials"],
  toName: ({ label }) => label,
});

const listedDeliveries = 100;

export const alertRoutes: readonly Route[] = [
  route(readAlertEmail, (_call, { alertMailer }) => {
    const missing = alertMailer.missing();
    return { ready: missing.length === 0, from: alertMailer.from(), missing };
  }),

  route(endpoints.listAlerts, async ({ store: { read } }, { alerts }) => {
    const rows = await listAlerts(read);
    return { items: await toAlerts(rows, read, alerts) };
  }),

  route(endpoints.createAlert, async ({ store, body }, { alerts }) => {
    const { row, secret } = await alerts.create(store, body);
    return { ...(await showAlert(row, store.read, alerts)), secret };
  }).recording({ action: "alert.create", object: auditedAlert }),

  route(endpoints.readAlert, async ({ store: { read }, params: { id } }, { alerts }) =>
    showAlert(await requireAlert(read, id), read, alerts),
  ),

  route(endpoints.changeAlert, async ({ store, params: { id }, body }, { alerts }) => {
    const { row, secret } = await alerts.change(store, id, body);
    return { ...(await showAlert(row, store.read, alerts)), ...(secret !== null && { secret }) };
  }).recording({ action: "alert.change", object: auditedAlert }),

  route(endpoints.deleteAlert, async ({ store, params: { id } }, { alerts }) => {
    await alerts.remove(store, id);
    return undefined;
  }).recording({ action: "alert.delete", object: auditedAlert }),

  route(endpoints.rotateAlertSecret, async ({ store, params: { id } }, { alerts }) => {
    const { row, secret } = await alerts.rotateSecret(store, id);
    return { ...(await showAlert(row, store.read, alerts)), secret };
  }).recording({ action: "alert.rotate-secret", object: auditedAlert }),

  route(endpoints.pingAlert, ({ store, params: { id } }, { alerts }) => alerts.ping(store, id)).recording(sendsOnly),

  route(endpoints.requestConfirmation, async ({ store, params: { id } }, { alerts }) =>
    showAlert(await alerts.askAgain(store, id), store.read, alerts),
  ).recording(sendsOnly),

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
    if (row === null) throw new Refusal("conflict", "The webhook is disabled. Enable it before retrying deliveries.");
    return toDelivery(row);
  }).recording(sendsOnly),
];

async function toAlerts(rows: readonly AlertsTable[], scope: Scope, alerts: Alerts): Promise<Alert[]> {
  const lastOf = await readLastDelivery(
    scope,
    rows.map(({ id }) => id),
  );
  const addressIds = rows.flatMap(({ address_id }) => address_id ?? []);
  const addresses = new Map((await listAlertAddresses(scope, addressIds)).map((row) => [row.id, row]));
  return rows.map((row) => toAlert(row, addresses.get(row.address_id ?? ""), lastOf.get(row.id), alerts));
}

async function showAlert(row: AlertsTable, scope: Scope, alerts: Alerts): Promise<Alert> {
  const [alert] = await toAlerts([row], scope, alerts);
  if (!alert) throw new Error("One row makes one alert.");
  return alert;
}

function toAlert(
  row: AlertsTable,
  address: AlertAddressesTable | undefined,
  last: ListedDelivery | undefined,
  alerts: Alerts,
): Alert {
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
    preset: row.preset,
    email: address ? toEmail(address) : null,
    lastDelivery: last ? toLastDelivery(last) : null,
  };
}

function toEmail(row: AlertAddressesTable): Alert["email"] {
  return {
    address: row.address,
    state: row.state,
    problem: row.problem,
    askedAt: toTimestampOrNull(row.asked_at),
    confirmedAt: toTimestampOrNull(row.confirmed_at),
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
    smtpReply: row.reply,
    problem: row.problem,
    createdAt: toTimestamp(row.created_at),
    lastTriedAt: toTimestampOrNull(row.last_tried_at),
    deliveredAt: toTimestampOrNull(row.delivered_at),
    nextTryAt: toTimestampOrNull(row.due_at),
    durationMs: row.duration_ms,
    toldWith: row.told_with,
  };
}
