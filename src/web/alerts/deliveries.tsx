// What was sent to a webhook: each with its tries, what the other side answered, and a way to send it again.

import { useEffect, useState } from "preact/hooks";
import type { Alert, Delivery } from "../../api/alerts.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useDoing } from "../client/use-action.ts";
import { toDuration, toPlural } from "../client/words.ts";
import { EmptyState, ErrorNote, Skeleton, sayDone } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity, type Tone } from "../parts/tone.tsx";
import { eventWords, toAnswer } from "./words.ts";

const shownAtOnce = 20;
/** More the server does not list. */
const mostListed = 100;

type AlertDeliveriesProps = {
  readonly alert: Alert;
  readonly happened: number;
  readonly onRetried: () => void;
};

export function AlertDeliveries({ alert, happened, onRetried }: AlertDeliveriesProps) {
  const { loaded, reload } = useLoaded(alert.id, (signal) =>
    call("GET /api/alerts/:id/deliveries", { params: { id: alert.id }, signal }),
  );
  useEffect(() => {
    if (happened > 0) reload();
  }, [happened, reload]);
  const retried = () => {
    reload();
    onRetried();
  };
  return (
    <section aria-labelledby="log-title">
      <div class="sec-h">
        <h2 id="log-title">{toHeading(loaded.value?.items ?? null)}</h2>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="The log could not be read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={5} what="the log" />}
      {loaded.value !== null && <Log alert={alert} deliveries={loaded.value.items} onRetried={retried} />}
    </section>
  );
}

function toHeading(deliveries: readonly Delivery[] | null): string {
  if (deliveries === null || deliveries.length === 0) return "What was sent";
  const dead = deliveries.filter(({ status }) => status === "dead").length;
  const waiting = deliveries.filter(({ status }) => status === "pending").length;
  if (dead > 0) return `What was sent: ${toPlural(dead, "message was", "messages were")} never taken`;
  if (waiting > 0) return `What was sent: ${toPlural(waiting, "message waits", "messages wait")}`;
  return "What was sent: all of it was taken";
}

type LogProps = {
  readonly alert: Alert;
  readonly deliveries: readonly Delivery[];
  readonly onRetried: () => void;
};

function Log({ alert, deliveries, onRetried }: LogProps) {
  const [isWhole, setWhole] = useState(false);
  if (deliveries.length === 0)
    return (
      <EmptyState icon="send" title="Nothing has been sent yet">
        <p>
          Here stands each message with its answer, once something happens. A test is not listed: its answer
          shows at once.
        </p>
      </EmptyState>
    );
  const shown = isWhole ? deliveries : deliveries.slice(0, shownAtOnce);
  const left = deliveries.length - shown.length;
  return (
    <>
      <div class="card flush">
        <table class="table fold log">
          <caption class="vh">Messages, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">What happened</th>
              <th scope="col">State</th>
              <th scope="col">Answer</th>
              <th scope="col">
                <span class="vh">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((delivery) => (
              <LogRow key={delivery.id} alert={alert} delivery={delivery} onRetried={onRetried} />
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <p class="mt-3">
          <button class="btn" type="button" onClick={() => setWhole(true)}>
            Show {toPlural(left, "older message", "older messages")}
          </button>
        </p>
      )}
      {deliveries.length === mostListed && (
        <p class="mt-3 small muted">These are the last {mostListed} messages.</p>
      )}
    </>
  );
}

type LogRowProps = { readonly alert: Alert; readonly delivery: Delivery; readonly onRetried: () => void };

function LogRow({ alert, delivery, onRetried }: LogRowProps) {
  const { id, type, createdAt, status, tries, toldWith, problem } = delivery;
  const doing = useDoing();
  const { tone, word } = toDeliveryState(delivery);
  const label = eventWords[type].label;
  const retry = () =>
    void doing.run(async () => {
      await call("POST /api/alerts/:id/deliveries/:deliveryId/retry", {
        params: { id: alert.id, deliveryId: id },
      });
      sayDone("It is sent again.");
      onRetried();
    });
  return (
    <tr>
      <th scope="row">
        {label}
        <span class="label under">
          <Moment time={createdAt} />
        </span>
      </th>
      <td data-l="State">
        <span>
          <Severity tone={tone}>{word}</Severity>
          {delivery.nextTryAt !== null && status === "pending" && tries > 0 && (
            <span class="label under">
              next try <Moment time={delivery.nextTryAt} />
            </span>
          )}
        </span>
      </td>
      <td data-l="Answer">
        <span>
          {toldWith === null ? toAnswerWords(delivery) : "Told together with an earlier message."}
          {problem !== null && isMore(delivery) && <span class="label under">{problem}</span>}
          {doing.trouble !== null && (
            <span class="err under" role="alert">
              {doing.trouble.message}
            </span>
          )}
        </span>
      </td>
      <td class="num">
        {alert.enabled && (status === "dead" || tries > 0) && (
          <button
            class={`btn small${status === "delivered" ? " quiet" : ""}`}
            type="button"
            disabled={doing.isBusy}
            onClick={retry}
          >
            Send again<span class="vh">: {label}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

/** Than the status that stands above it. */
function isMore({ problem, status, httpStatus }: Delivery): boolean {
  return status !== "delivered" && problem !== `The receiver answered ${httpStatus}.`;
}

function toDeliveryState({ status, tries }: Delivery): { readonly tone: Tone; readonly word: string } {
  if (status === "delivered") return { tone: "good", word: "Taken" };
  if (status === "dead") return { tone: "major", word: "Given up" };
  return tries === 0 ? { tone: "info", word: "On its way" } : { tone: "minor", word: "Waiting" };
}

function toAnswerWords({ tries, httpStatus, durationMs }: Delivery): string {
  if (tries === 0) return "Not tried yet.";
  const after = durationMs === null ? "" : ` after ${toDuration(durationMs)}`;
  const count = tries === 1 ? "" : ` (${toPlural(tries, "try", "tries")})`;
  const answer = toAnswer(httpStatus);
  return `${answer.charAt(0).toUpperCase()}${answer.slice(1)}${after}${count}`;
}
