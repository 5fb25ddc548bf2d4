// What a webhook is, and what can be done with it: change it, give it a new secret, delete it.

import { useState } from "preact/hooks";
import type { Alert } from "../../api/alerts.ts";
import { call } from "../client/call.ts";
import { goTo } from "../client/router.tsx";
import { useDoing } from "../client/use-action.ts";
import { toDay, toScore } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";
import { AlertForm, type AlertInput, holdSecret } from "./form.tsx";
import { eventWords, kindWords, toState } from "./words.ts";

type AlertFactsProps = {
  readonly alert: Alert;
  readonly put: (alert: Alert) => void;
  readonly onSecret: (secret: string) => void;
};

type OpenDialog = "nothing" | "change" | "rotate" | "delete";

export function AlertFacts({ alert, put, onSecret }: AlertFactsProps) {
  const [asking, setAsking] = useState<OpenDialog>("nothing");
  const close = () => setAsking("nothing");
  return (
    <section class="card stack" aria-labelledby="facts-title">
      <h2 id="facts-title" class="t4">
        This alert
      </h2>
      <FactList alert={alert} />
      <div class="row">
        <button class="btn small" type="button" onClick={() => setAsking("change")}>
          Change it
        </button>
        {alert.kind === "json" && (
          <button class="btn small" type="button" onClick={() => setAsking("rotate")}>
            Renew the secret
          </button>
        )}
        <button class="btn small danger" type="button" onClick={() => setAsking("delete")}>
          Delete it
        </button>
      </div>
      {asking === "change" && <ChangeDialog alert={alert} put={put} onClose={close} />}
      {asking === "rotate" && <RotateDialog alert={alert} onSecret={onSecret} onClose={close} />}
      {asking === "delete" && <DeleteDialog alert={alert} onClose={close} />}
    </section>
  );
}

function FactList({ alert }: { readonly alert: Alert }) {
  const { kind, url, events, thresholdScore, createdAt } = alert;
  const { tone, word } = toState(alert);
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <Severity tone={tone}>{word}</Severity>
      </dd>
      <dt>Kind</dt>
      <dd>{kindWords[kind].label}</dd>
      <dt>Address</dt>
      <dd>
        <code>{url}</code>
      </dd>
      <dt>Is told of</dt>
      <dd>
        <ul>
          {events.map((event) => (
            <li key={event}>
              {eventWords[event].label}
              {event === "test.low_score" && thresholdScore !== null && `: below ${toScore(thresholdScore)}`}
            </li>
          ))}
        </ul>
      </dd>
      <dt>Added</dt>
      <dd>{toDay(createdAt)}</dd>
    </dl>
  );
}

type DialogProps = { readonly alert: Alert; readonly onClose: () => void };

function ChangeDialog({ alert, put, onClose }: DialogProps & Pick<AlertFactsProps, "put">) {
  const doing = useDoing();
  const change = async ({ kind: _stays, ...body }: AlertInput) => {
    const isDone = await doing.run(async () =>
      put(await call("PATCH /api/alerts/:id", { params: { id: alert.id }, body })),
    );
    if (!isDone) return;
    sayDone(`“${body.label}” is changed.`);
    onClose();
  };
  return (
    <AlertForm
      title={`Change “${alert.label}”`}
      action="Keep the change"
      alert={alert}
      doing={doing}
      onSend={(wanted) => void change(wanted)}
      onClose={onClose}
    />
  );
}

function RotateDialog({ alert, onSecret, onClose }: DialogProps & Pick<AlertFactsProps, "onSecret">) {
  const doing = useDoing();
  const rotate = async () => {
    const isDone = await doing.run(async () => {
      const { secret } = await call("POST /api/alerts/:id/rotate-secret", { params: { id: alert.id } });
      if (secret === null) return;
      holdSecret(alert.id, secret);
      onSecret(secret);
    });
    if (isDone) onClose();
  };
  return (
    <Confirm
      title={`Renew the secret of “${alert.label}”?`}
      action="Renew the secret"
      isBusy={doing.isBusy}
      onConfirm={() => void rotate()}
      onClose={onClose}
    >
      <p>
        All messages from then on are signed with the new one. A program that knows the old one alone refuses
        them until you give it the new one.
      </p>
      {doing.trouble !== null && (
        <ErrorNote title="The secret is as it was." message={doing.trouble.message} />
      )}
    </Confirm>
  );
}

function DeleteDialog({ alert, onClose }: DialogProps) {
  const doing = useDoing();
  const remove = async () => {
    if (!(await doing.run(() => call("DELETE /api/alerts/:id", { params: { id: alert.id } })))) return;
    sayDone(`“${alert.label}” is deleted.`);
    goTo("/alerts", { replace: true });
  };
  return (
    <Confirm
      title={`Delete “${alert.label}”?`}
      action="Delete it"
      isBusy={doing.isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>
        Its log goes with it, and what still waits to be sent to it. To be told nothing for a while, pause it.
      </p>
      {doing.trouble !== null && <ErrorNote title="It was not deleted." message={doing.trouble.message} />}
    </Confirm>
  );
}
