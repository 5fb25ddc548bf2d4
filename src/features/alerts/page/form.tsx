// The form for a new or existing alert. The type of an existing alert can't change.

import { useState } from "preact/hooks";
import type { BodyOf } from "../../../web/client/endpoints.ts";
import { type Action, troubleAt } from "../../../web/client/use-action.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Choice, Field, FormActs } from "../../../web/parts/form.tsx";
import { ErrorNote } from "../../../web/parts/states.tsx";
import type { Alert } from "../contract/alerts.ts";
import { type AlertEventType, alertEventTypes, eventWords, usualEventTypes } from "../rules/alert-event.ts";
import { type AlertService, serviceNames, toService } from "../words.ts";
import { MissingSettings, TargetFields, useEmailStatus } from "./target-fields.tsx";
import { serviceWords, toKind } from "./words.ts";

/** Without `url` or `credentials`, an existing alert keeps them. */
export type AlertInput = Omit<BodyOf<"POST /api/alerts">, "refuseDuplicate">;

type AlertFormProps = {
  readonly title: string;
  /** A verb and its object. */
  readonly action: string;
  /** Null: a new alert. */
  readonly alert: Alert | null;
  /** The type of a new alert. */
  readonly asked?: AlertService | undefined;
  readonly doing: Action;
  readonly onSend: (wanted: AlertInput) => void;
  readonly onClose: () => void;
};

const services = Object.entries(serviceNames).map(([value, label]) => ({ value: value as AlertService, label }));
const defaultThreshold = 70;

export function AlertForm({ title, action, alert, asked = "slack", doing, onSend, onClose }: AlertFormProps) {
  const [service, setService] = useState<AlertService>(alert === null ? asked : toService(alert));
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly AlertEventType[]>(alert?.events ?? usualEventTypes);
  const { trouble } = doing;
  const status = useEmailStatus();
  const shownHere = ["label", "thresholdScore", ...(serviceWords[service].address === null ? [] : ["url"])];
  const isStuck = alert === null && service === "email" && status !== null && !status.ready;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    onSend(toWanted(typed, service, events));
  };
  const toggle = (event: AlertEventType) =>
    setEvents(alertEventTypes.filter((one) => (one === event) !== events.includes(one)));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={send}
        onInput={(event) => setUrl(String(new FormData(event.currentTarget).get("url") ?? ""))}
      >
        {alert === null && (
          <div class="field">
            <span class="group-name">Type</span>
            <div>
              <Choice legend="Type" options={services} value={service} onChoose={setService} />
            </div>
            <span class="hint">{serviceWords[service].gives}</span>
          </div>
        )}
        {isStuck ? (
          <MissingSettings />
        ) : (
          <>
            <Field
              label="Name"
              name="label"
              required
              value={alert?.label ?? ""}
              hint="A name to recognize it by, such as the channel or team."
              error={troubleAt(trouble, "label")}
            />
            <TargetFields service={service} alert={alert} url={url} error={troubleAt(trouble, "url")} />
            <EventChoice
              events={events}
              onToggle={toggle}
              threshold={alert?.thresholdScore ?? defaultThreshold}
              error={troubleAt(trouble, "thresholdScore")}
            />
          </>
        )}
        {trouble !== null && !shownHere.includes(trouble.field ?? "") && (
          <ErrorNote title="Couldn’t save the alert." message={trouble.message} />
        )}
        <FormActs action={action} isBusy={doing.isBusy} isWaiting={events.length === 0 || isStuck} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type EventChoiceProps = {
  readonly events: readonly AlertEventType[];
  readonly onToggle: (event: AlertEventType) => void;
  readonly threshold: number;
  readonly error: string | null;
};

function EventChoice({ events, onToggle, threshold, error }: EventChoiceProps) {
  return (
    <fieldset class="field ticks">
      <legend class="group-name">Notify when</legend>
      {alertEventTypes.map((event) => (
        <div key={event}>
          <label class="tick-row">
            <input type="checkbox" checked={events.includes(event)} onChange={() => onToggle(event)} />
            <span>
              {eventWords[event].label}
              <span class="hint">{eventWords[event].when}</span>
            </span>
          </label>
          {event === "test.low_score" && events.includes(event) && (
            <div class="threshold">
              <Field
                label="Threshold"
                name="thresholdScore"
                type="number"
                min="0"
                max="100"
                step="any"
                required
                value={String(threshold)}
                error={error}
              />
            </div>
          )}
        </div>
      ))}
      {events.length === 0 && <span class="hint">Choose at least one.</span>}
    </fieldset>
  );
}

function toWanted(typed: FormData, service: AlertService, events: readonly AlertEventType[]): AlertInput {
  const text = (name: string) => String(typed.get(name) ?? "").trim();
  const { kind, preset } = toKind(service);
  const { credentials: wanted = [] } = serviceWords[service];
  const given = wanted.flatMap(({ name }) => (text(name) === "" ? [] : [[name, text(name)] as const]));
  const url = text("url");
  return {
    label: text("label"),
    kind,
    events,
    ...(preset !== null && { preset }),
    ...(url !== "" && { url: kind === "email" ? `mailto:${url}` : url }),
    ...(given.length > 0 && { credentials: Object.fromEntries(given) }),
    thresholdScore: events.includes("test.low_score") ? Number(text("thresholdScore")) : undefined,
  };
}
