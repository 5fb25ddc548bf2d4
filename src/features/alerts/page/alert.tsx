// An alert: its status, settings and deliveries.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { type Action, useDoing } from "../../../web/client/use-action.ts";
import { toDuration } from "../../../web/client/words.ts";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { EmptyState, ErrorNote, LoadNote, Note, sayDone } from "../../../web/parts/states.tsx";
import type { Alert, pingAlert } from "../contract/alerts.ts";
import { AlertDeliveries } from "./deliveries.tsx";
import { EmailState } from "./email-state.tsx";
import { AlertFacts } from "./facts.tsx";
import { readSecret, SecretCard } from "./secret.tsx";
import { toState } from "./words.ts";

export function AlertPage({ id }: { readonly id: string }) {
  const { loaded, reload, put } = useLoaded(id, (signal) => call("GET /api/alerts/:id", { params: { id }, signal }));
  useLiveReload(reload, (event) => event.type === "alert.delivery" && event.alertId === id);
  useTitle(loaded.value?.label ?? "Alert");
  useArrival(loaded.state !== "loading");
  const alert = loaded.value;
  if (loaded.state === "failed" && loaded.trouble.code === "not_found") return <NoSuchAlert />;
  return (
    <>
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="the alert" />
      {alert !== null && <ShownAlert alert={alert} put={put} reload={reload} />}
    </>
  );
}

function NoSuchAlert() {
  return (
    <EmptyState icon="bell" title="Alert not found" isPage>
      <p>It was deleted or belongs to another workspace.</p>
      <a class="btn" href="/alerts">
        All alerts
      </a>
    </EmptyState>
  );
}

type ShownAlertProps = { readonly alert: Alert; readonly put: (alert: Alert) => void; readonly reload: () => void };

function ShownAlert({ alert, put, reload }: ShownAlertProps) {
  const [secret, setSecret] = useState(() => readSecret(alert.id));
  const ping = usePing(alert.id);
  const switching = useDoing();
  const turn = (enabled: boolean) =>
    void switching.run(async () => {
      put(await call("PATCH /api/alerts/:id", { params: { id: alert.id }, body: { enabled } }));
      sayDone(enabled ? `“${alert.label}” is active.` : `“${alert.label}” is paused.`);
    });
  return (
    <>
      <PageHeading title={alert.label} label={<a href="/alerts">Alerts</a>} lead={toState(alert).sentence}>
        {alert.enabled && (
          <button class="btn" type="button" disabled={switching.isBusy} onClick={() => turn(false)}>
            Pause
          </button>
        )}
        <button class="btn primary" type="button" disabled={ping.isBusy || !mayPing(alert)} onClick={ping.send}>
          <Icon name="send" />
          {ping.isBusy ? "Sending…" : "Send test"}
        </button>
      </PageHeading>
      <EmailState alert={alert} put={put} />
      {!alert.enabled && !isEnded(alert) && (
        <OffNote alert={alert} isBusy={switching.isBusy} onEnable={() => turn(true)} />
      )}
      {switching.trouble !== null && (
        <ErrorNote title="Couldn’t change the alert." message={switching.trouble.message} />
      )}
      <PingNote ping={ping} />
      {secret !== null && <SecretCard alertId={alert.id} secret={secret} onKept={() => setSecret(null)} />}
      <div class="alert-one">
        <AlertFacts alert={alert} put={put} onSecret={setSecret} />
        <AlertDeliveries alert={alert} onRetried={reload} />
      </div>
    </>
  );
}

/** Only the recipient can turn it on again. */
function isEnded({ email }: Alert): boolean {
  return email?.state === "unsubscribed" || email?.state === "bounced";
}

type OffNoteProps = { readonly alert: Alert; readonly isBusy: boolean; readonly onEnable: () => void };

function OffNote({ alert: { disabledBecause }, isBusy, onEnable }: OffNoteProps) {
  const button = (
    <button class="btn small" type="button" disabled={isBusy} onClick={onEnable}>
      Turn on
    </button>
  );
  if (disabledBecause === null)
    return (
      <div class="mb-4">
        <Note>
          Events that occur while the alert is paused won’t be sent later. <span class="row mt-2">{button}</span>
        </Note>
      </div>
    );
  return (
    <div class="note critical mb-4">
      <Icon name="critical" />
      <span>
        <strong>Assay turned this alert off.</strong> {disabledBecause} Fix the problem, then turn it on again.
      </span>
      {button}
    </div>
  );
}

// A test message, sent now. The result appears below the heading.

type PingResult = AnswerOf<typeof pingAlert>;

function mayPing({ email }: Alert): boolean {
  return email === null || email.state === "confirmed";
}

type PingAction = Pick<Action, "isBusy" | "trouble"> & {
  readonly outcome: PingResult | null;
  readonly send: () => void;
};

function usePing(alertId: string): PingAction {
  const [outcome, setOutcome] = useState<PingResult | null>(null);
  const { run, isBusy, trouble } = useDoing();
  const send = () =>
    void run(async () => {
      setOutcome(null);
      setOutcome(await call("POST /api/alerts/:id/test", { params: { id: alertId } }));
    });
  return { outcome, isBusy, trouble, send };
}

function PingNote({ ping: { outcome, trouble } }: { readonly ping: PingAction }) {
  if (trouble !== null) return <NotSent title="Couldn’t send the test." message={trouble.message} />;
  if (outcome === null) return null;
  const { delivered, status, smtpReply, durationMs, error } = outcome;
  const answer = smtpReply === null ? `The receiver answered ${status}` : `The mail server answered “${smtpReply}”`;
  if (!delivered) return <NotSent title="The test failed." message={error ?? "Unknown reason."} />;
  return (
    <div class="note good mb-4" role="status">
      <Icon name="good" />
      <span>
        <strong>Test delivered.</strong> {answer} in {toDuration(durationMs)}. Check that the message arrived.
      </span>
    </div>
  );
}

function NotSent(words: { readonly title: string; readonly message: string }) {
  return (
    <div class="mb-4">
      <ErrorNote {...words} />
    </div>
  );
}
