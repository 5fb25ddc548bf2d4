// The form for a new or existing alert. The type of an existing alert can't change.

import { useState } from "preact/hooks";
import type { Alert } from "../../api/alerts.ts";
import type { BodyOf } from "../client/endpoints.ts";
import { type Action, troubleAt } from "../client/use-action.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Choice, Field, FormActs } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Away } from "../parts/text.tsx";
import { type AlertEvent, type AlertKind, eventWords, kindWords } from "./words.ts";

/** Without `url`, an existing alert keeps its URL. */
export type AlertInput = Omit<NewAlert, "url"> & Partial<Pick<NewAlert, "url">>;
type NewAlert = BodyOf<"POST /api/alerts">;

type AlertFormProps = {
  readonly title: string;
  /** A verb and its object. */
  readonly action: string;
  /** Null: a new alert. */
  readonly alert: Alert | null;
  readonly doing: Action;
  readonly onSend: (wanted: AlertInput) => void;
  readonly onClose: () => void;
};

const kinds = Object.entries(kindWords).map(([value, { label }]) => ({ value: value as AlertKind, label }));
const allEvents = Object.keys(eventWords) as readonly AlertEvent[];
const defaultThreshold = 70;
const shownHere = ["label", "url", "thresholdScore"];

export function AlertForm({ title, action, alert, doing, onSend, onClose }: AlertFormProps) {
  const [kind, setKind] = useState<AlertKind>(alert?.kind ?? "slack");
  const [events, setEvents] = useState<readonly AlertEvent[]>(alert?.events ?? allEvents);
  const { trouble } = doing;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    onSend(toWanted(typed, kind, events));
  };
  const toggle = (event: AlertEvent) =>
    setEvents(allEvents.filter((one) => (one === event) !== events.includes(one)));
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        {alert === null && (
          <div class="field">
            <span class="group-name">Type</span>
            <div>
              <Choice legend="Type" options={kinds} value={kind} onChoose={setKind} />
            </div>
            <span class="hint">{kindWords[kind].gives}</span>
          </div>
        )}
        <Field
          label="Name"
          name="label"
          required
          value={alert?.label ?? ""}
          hint="A name to recognize it by, such as the channel or team."
          error={troubleAt(trouble, "label")}
        />
        <AddressField kind={kind} alert={alert} error={troubleAt(trouble, "url")} />
        <EventChoice
          events={events}
          onToggle={toggle}
          threshold={alert?.thresholdScore ?? defaultThreshold}
          error={troubleAt(trouble, "thresholdScore")}
        />
        {trouble !== null && !shownHere.includes(trouble.field ?? "") && (
          <ErrorNote title="Couldn’t save the alert." message={trouble.message} />
        )}
        <FormActs action={action} isBusy={doing.isBusy} isWaiting={events.length === 0} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type AddressFieldProps = {
  readonly kind: AlertKind;
  readonly alert: Alert | null;
  readonly error: string | null;
};

/** The URL of a chat service is a secret, so the server masks it. */
function AddressField({ kind, alert, error }: AddressFieldProps) {
  const isMasked = alert !== null && kind !== "json";
  return (
    <Field
      label={isMasked ? "New URL" : "URL"}
      name="url"
      required={!isMasked}
      value={isMasked || alert === null ? "" : alert.url}
      autoComplete="off"
      hint={isMasked ? `Leave it empty to keep ${alert.url}.` : kindWords[kind].address}
      error={error}
    />
  );
}

type EventChoiceProps = {
  readonly events: readonly AlertEvent[];
  readonly onToggle: (event: AlertEvent) => void;
  readonly threshold: number;
  readonly error: string | null;
};

function EventChoice({ events, onToggle, threshold, error }: EventChoiceProps) {
  return (
    <fieldset class="field ticks">
      <legend class="group-name">Notify when</legend>
      {allEvents.map((event) => (
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

function toWanted(typed: FormData, kind: AlertKind, events: readonly AlertEvent[]): AlertInput {
  const text = (name: string) => String(typed.get(name) ?? "").trim();
  const url = text("url");
  return {
    label: text("label"),
    kind,
    events,
    ...(url === "" ? {} : { url }),
    thresholdScore: events.includes("test.low_score") ? Number(text("thresholdScore")) : undefined,
  };
}

// The secret of a JSON webhook. The server sends it only once, so the page keeps it until the reader has copied it.

const fresh = new Map<string, string>();

/** The page of the alert shows it. */
export function holdSecret(alertId: string, secret: string): void {
  fresh.set(alertId, secret);
}

export function readSecret(alertId: string): string | null {
  return fresh.get(alertId) ?? null;
}

const example = `import { Webhook } from "standardwebhooks";

// body: the raw request body. verify() throws if the signature is invalid.
const event = new Webhook(process.env.ASSAY_SECRET).verify(body, headers);`;

type SecretCardProps = { readonly alertId: string; readonly secret: string; readonly onKept: () => void };

export function SecretCard({ alertId, secret, onKept }: SecretCardProps) {
  const keep = () => {
    fresh.delete(alertId);
    onKept();
  };
  return (
    <section class="seen-now card good stack mb-4" aria-labelledby="secret-title">
      <h2 id="secret-title" class="t4">
        <span class="tone">
          <Icon name="good" />
        </span>{" "}
        Copy the webhook’s secret now
      </h2>
      <p class="muted">
        It won’t be shown again. Your receiver needs it to verify that messages come from Assay.
      </p>
      <Copyable text={secret} what="the secret" />
      <details>
        <summary>How to verify a message</summary>
        <div class="stack mt-3">
          <p class="muted">
            Each message has the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
            <code>webhook-signature</code>, as defined by{" "}
            <Away url="https://www.standardwebhooks.com/">Standard Webhooks</Away>. Libraries exist for most
            languages. In JavaScript:
          </p>
          <Copyable text={example} what="the example" />
          <p class="muted">
            If a response is lost, Assay sends the same <code>webhook-id</code> again. Process each ID only
            once.
          </p>
        </div>
      </details>
      <p>
        <button class="btn" type="button" onClick={keep}>
          I’ve copied it
        </button>
      </p>
    </section>
  );
}
