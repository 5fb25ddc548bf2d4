// The settings of an alert, and how to edit it, rotate its secret or delete it.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { goTo } from "../../../web/client/router.tsx";
import { useDoing } from "../../../web/client/use-action.ts";
import { toDay, toScore } from "../../../web/client/words.ts";
import { Confirm } from "../../../web/parts/dialog.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { ConfirmDoing } from "../../../web/settings/parts.tsx";
import type { Alert } from "../contract/alerts.ts";
import { eventWords } from "../rules/alert-event.ts";
import { serviceNames, toService } from "../words.ts";
import { AlertForm, type AlertInput } from "./form.tsx";
import { holdSecret } from "./secret.tsx";
import { toShownUrl, toState } from "./words.ts";

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
        Settings
      </h2>
      <FactList alert={alert} />
      <div class="row">
        <button class="btn small" type="button" onClick={() => setAsking("change")}>
          Edit
        </button>
        {toService(alert) === "json" && (
          <button class="btn small" type="button" onClick={() => setAsking("rotate")}>
            Rotate secret
          </button>
        )}
        <button class="btn small danger" type="button" onClick={() => setAsking("delete")}>
          Delete
        </button>
      </div>
      {asking === "change" && <ChangeDialog alert={alert} put={put} onClose={close} />}
      {asking === "rotate" && <RotateDialog alert={alert} onSecret={onSecret} onClose={close} />}
      {asking === "delete" && <DeleteDialog alert={alert} onClose={close} />}
    </section>
  );
}

function FactList({ alert }: { readonly alert: Alert }) {
  const { events, thresholdScore, createdAt, email } = alert;
  const { tone, word } = toState(alert);
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Severity tone={tone}>{word}</Severity>
      </dd>
      <dt>Type</dt>
      <dd>{serviceNames[toService(alert)]}</dd>
      <dt>{email === null ? "URL" : "Address"}</dt>
      <dd>
        <code>{toShownUrl(alert)}</code>
      </dd>
      <dt>Events</dt>
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
      <dt>Created</dt>
      <dd>{toDay(createdAt)}</dd>
    </dl>
  );
}

type DialogProps = { readonly alert: Alert; readonly onClose: () => void };

function ChangeDialog({ alert, put, onClose }: DialogProps & Pick<AlertFactsProps, "put">) {
  const doing = useDoing();
  const change = async ({ kind: _kind, preset: _preset, ...body }: AlertInput) => {
    const isDone = await doing.run(async () =>
      put(await call("PATCH /api/alerts/:id", { params: { id: alert.id }, body })),
    );
    if (!isDone) return;
    sayDone(`“${body.label}” saved.`);
    onClose();
  };
  return (
    <AlertForm
      title={`Edit “${alert.label}”`}
      action="Save"
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
      title={`Rotate the secret of “${alert.label}”?`}
      action="Rotate secret"
      isBusy={doing.isBusy}
      onConfirm={() => void rotate()}
      onClose={onClose}
    >
      <p>
        New messages will be signed with the new secret. Your receiver will reject them until you update the secret
        there.
      </p>
      {doing.trouble !== null && <ErrorNote title="Couldn’t rotate the secret." message={doing.trouble.message} />}
    </Confirm>
  );
}

function DeleteDialog({ alert: { id, label }, onClose }: DialogProps) {
  return (
    <ConfirmDoing
      title={`Delete “${label}”?`}
      action="Delete"
      act={() => call("DELETE /api/alerts/:id", { params: { id } })}
      done={`“${label}” deleted.`}
      failed="Couldn’t delete the alert."
      onDone={() => goTo("/alerts", { replace: true })}
      onClose={onClose}
    >
      <p>Its delivery log and pending messages will be deleted too. To stop alerts temporarily, pause it instead.</p>
    </ConfirmDoing>
  );
}
