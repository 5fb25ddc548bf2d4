// The workspace's alerts and their status.

import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toPlural, toSentence } from "../../../web/client/words.ts";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, LoadNote, sayDone } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { Alert } from "../contract/alerts.ts";
import { type AlertService, serviceNames, toService } from "../words.ts";
import { AlertForm, type AlertInput } from "./form.tsx";
import { holdSecret } from "./secret.tsx";
import { serviceWords, toEventList, toLastAnswer, toShownUrl, toState } from "./words.ts";

const newAlert = "/alerts?new";

export function AlertsPage() {
  useTitle("Alerts");
  const { query } = usePlace();
  const { loaded, reload } = useLoaded("alerts", (signal) => call("GET /api/alerts", { signal }));
  useLiveReload(reload, ({ type }) => type === "alert.delivery");
  useArrival(loaded.state !== "loading");
  const alerts = loaded.value?.items ?? null;
  return (
    <>
      <RoomHeading lead={alerts === null ? undefined : toLead(alerts)}>
        {alerts !== null && alerts.length > 0 && (
          <a class="btn primary" href={newAlert}>
            Add alert
          </a>
        )}
      </RoomHeading>
      <LoadNote loaded={loaded} onRetry={reload} lines={5} what="the alerts" />
      {alerts !== null && (alerts.length === 0 ? <NoAlerts /> : <AlertsTable alerts={alerts} />)}
      {query.has("new") && <NewAlert asked={query.get("new")} />}
    </>
  );
}

function toLead(alerts: readonly Alert[]): string {
  if (alerts.length === 0) return "Get notified when something breaks.";
  const troubled = alerts.filter((alert) => ["critical", "major"].includes(toState(alert).tone));
  const paused = alerts.filter(({ enabled, disabledBecause }) => !enabled && disabledBecause === null);
  const parts = [
    toPlural(alerts.length, "alert", "alerts"),
    ...(paused.length > 0 ? [`${toCount(paused.length)} paused`] : []),
    ...(troubled.length > 0 ? [`${toCount(troubled.length)} not working`] : []),
  ];
  return `${parts.join(", ")}.`;
}

const services = Object.keys(serviceNames) as readonly AlertService[];

function NoAlerts() {
  return (
    <EmptyState icon="bell" title="No alerts yet">
      <p>
        An alert sends an email, or posts to Slack, Teams, or another service, when a domain’s DNS changes, a test
        scores low, the score of a stream changes, or a message bounces.
      </p>
      <a class="btn primary" href={newAlert}>
        Add alert
      </a>
      <dl class="kinds">
        {services.map((service) => (
          <div key={service}>
            <dt>
              <a href={`${newAlert}=${service}`}>{serviceNames[service]}</a>
            </dt>
            <dd>{serviceWords[service].gives}</dd>
          </div>
        ))}
      </dl>
      <p class="small">
        You can also connect Slack or Discord under <a href="/integrations">Mailboxes and integrations</a>, which adds
        the alert for you.
      </p>
    </EmptyState>
  );
}

function AlertsTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <div class="card flush">
      <Table look="fold mid" label="Alerts" columns={["Name", "Events", "Status", "Last delivery"]}>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </Table>
    </div>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { id, label, lastDelivery } = alert;
  const answer = toLastAnswer(alert);
  const { tone, word } = toState(alert);
  return (
    <tr>
      <th scope="row">
        <a href={`/alerts/${id}`}>{label}</a>
        <span class="label under">
          {serviceNames[toService(alert)]}, {toShownUrl(alert)}
        </span>
      </th>
      <td data-l="Events">
        <span>{toSentence(toEventList(alert))}</span>
      </td>
      <td data-l="Status">
        <Severity tone={tone}>{word}</Severity>
      </td>
      <td data-l="Last delivery">
        {lastDelivery === null ? (
          <span class="faint">None yet</span>
        ) : (
          <span>
            <Moment time={lastDelivery.at} />
            {answer !== null && <span class="label">, {answer}</span>}
          </span>
        )}
      </td>
    </tr>
  );
}

/** `asked`: the service in the address. */
function NewAlert({ asked }: { readonly asked: string | null }) {
  const doing = useDoing();
  const close = () => goTo("/alerts", { replace: true });
  const create = (wanted: AlertInput) =>
    void doing.run(async () => {
      const body = { ...wanted, refuseDuplicate: true };
      const { id, label, secret, email } = await call("POST /api/alerts", { body });
      if (secret !== null) holdSecret(id, secret);
      sayDone(
        email?.state === "pending"
          ? `“${label}” added. ${email.address} must confirm before alerts are sent.`
          : `“${label}” added. Send a test to check that it works.`,
      );
      goTo(`/alerts/${id}`, { replace: true });
    });
  return (
    <AlertForm
      title="New alert"
      action="Add alert"
      alert={null}
      asked={services.find((service) => service === asked)}
      doing={doing}
      onSend={create}
      onClose={close}
    />
  );
}
