// The deliveries of an alert: attempts, responses, and a button to send each again.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toDuration, toPlural, toSentence } from "../../../web/client/words.ts";
import { EmptyState, LoadNote, sayDone } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import type { Alert, Delivery } from "../contract/alerts.ts";
import { eventWords } from "../rules/alert-event.ts";
import { toAnswer } from "./words.ts";

const shownAtOnce = 20;
/** The server's limit. */
const mostListed = 100;

type AlertDeliveriesProps = { readonly alert: Alert; readonly onRetried: () => void };

export function AlertDeliveries({ alert, onRetried }: AlertDeliveriesProps) {
  const { loaded, reload } = useLoaded(alert.id, (signal) =>
    call("GET /api/alerts/:id/deliveries", { params: { id: alert.id }, signal }),
  );
  useLiveReload(reload, (event) => event.type === "alert.delivery" && event.alertId === alert.id);
  const retried = () => {
    reload();
    onRetried();
  };
  return (
    <section aria-labelledby="log-title">
      <div class="sec-h">
        <h2 id="log-title">{toHeading(loaded.value?.items ?? null)}</h2>
      </div>
      <LoadNote loaded={loaded} onRetry={reload} lines={5} what="the deliveries" />
      {loaded.value !== null && <Log alert={alert} deliveries={loaded.value.items} onRetried={retried} />}
    </section>
  );
}

function toHeading(deliveries: readonly Delivery[] | null): string {
  if (deliveries === null || deliveries.length === 0) return "Deliveries";
  const dead = deliveries.filter(({ status }) => status === "dead").length;
  const waiting = deliveries.filter(({ status }) => status === "pending").length;
  if (dead > 0) return `Deliveries: ${toCount(dead)} failed`;
  if (waiting > 0) return `Deliveries: ${toCount(waiting)} pending`;
  return "Deliveries: all succeeded";
}

type LogProps = { readonly alert: Alert; readonly deliveries: readonly Delivery[]; readonly onRetried: () => void };

function Log({ alert, deliveries, onRetried }: LogProps) {
  const [isWhole, setWhole] = useState(false);
  if (deliveries.length === 0)
    return (
      <EmptyState icon="send" title="No deliveries yet">
        <p>
          Deliveries and responses will appear here. Test messages aren’t listed because you see their result right
          away.
        </p>
      </EmptyState>
    );
  const shown = isWhole ? deliveries : deliveries.slice(0, shownAtOnce);
  const left = deliveries.length - shown.length;
  return (
    <>
      <div class="card flush">
        <Table
          look="fold log"
          label="Deliveries, newest first"
          columns={["Event", "Status", "Response", { vh: "Actions" }]}
        >
          {shown.map((delivery) => (
            <LogRow key={delivery.id} alert={alert} delivery={delivery} onRetried={onRetried} />
          ))}
        </Table>
      </div>
      {left > 0 && (
        <p class="mt-3">
          <button class="btn" type="button" onClick={() => setWhole(true)}>
            Show {toPlural(left, "older delivery", "older deliveries")}
          </button>
        </p>
      )}
      {deliveries.length === mostListed && (
        <p class="mt-3 small muted">Showing the last {toCount(mostListed)} deliveries.</p>
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
      await call("POST /api/alerts/:id/deliveries/:deliveryId/retry", { params: { id: alert.id, deliveryId: id } });
      sayDone("Sending again.");
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
      <td data-l="Status">
        <span>
          <Severity tone={tone}>{word}</Severity>
          {delivery.nextTryAt !== null && status === "pending" && tries > 0 && (
            <span class="label under">
              Next attempt <Moment time={delivery.nextTryAt} />
            </span>
          )}
        </span>
      </td>
      <td data-l="Response">
        <span>
          {toldWith === null
            ? toAnswerWords(delivery, alert.kind === "email")
            : "Sent together with an earlier message."}
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

/** Whether the problem says more than the HTTP status above it. */
function isMore({ problem, status, httpStatus }: Delivery): boolean {
  return status !== "delivered" && problem !== `The receiver answered ${httpStatus}.`;
}

function toDeliveryState({ status, tries }: Delivery): { readonly tone: Tone; readonly word: string } {
  if (status === "delivered") return { tone: "good", word: "Delivered" };
  if (status === "dead") return { tone: "major", word: "Failed" };
  return tries === 0 ? { tone: "info", word: "Sending" } : { tone: "minor", word: "Retrying" };
}

function toAnswerWords(
  { tries, httpStatus, smtpReply, durationMs, nextTryAt, status }: Delivery,
  isEmail: boolean,
): string {
  if (tries === 0 && isEmail && status === "pending" && nextTryAt !== null) return "Waiting for the next email";
  if (tries === 0) return "Not sent yet";
  const after = durationMs === null ? "" : ` in ${toDuration(durationMs)}`;
  const count = tries === 1 ? "" : ` (${toPlural(tries, "attempt", "attempts")})`;
  const answer = isEmail ? (smtpReply ?? "no reply") : toAnswer(httpStatus);
  return `${toSentence(answer)}${after}${count}`;
}
