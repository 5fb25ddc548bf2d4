// A monitor of either kind: its state, uptime, delays, and newest runs.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, useArrival, useTitle } from "../../../web/client/router.tsx";
import { useDoing } from "../../../web/client/use-action.ts";
import { toMoment } from "../../../web/client/words.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, ErrorNote, LoadNote, sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { ConfirmDoing, Reading } from "../../../web/settings/parts.tsx";
import type { MonitorDetail } from "../contract/canaries.ts";
import { toCanaryWords, toExpectedWords } from "../words/monitor-terms-words.ts";
import { kindWords, outcomeWords } from "../words/monitor-words.ts";
import { CanaryForm, useRelays } from "./canary-form.tsx";
import { DelayCard, FigureTable, type SpanName } from "./delays.tsx";
import { EditExpected } from "./expected-form.tsx";
import { RunsSection } from "./runs.tsx";
import { isArrival, toLook } from "./words.ts";

export function MonitorPage({ id }: { readonly id: string }) {
  const [spans, setSpans] = useState<SpanName>("hours");
  const { loaded, reload, put } = useLoaded(`${id} ${spans}`, (signal) =>
    call("GET /api/monitors/:id", { params: { id }, query: { spans }, signal }),
  );
  const monitor = loaded.value;
  const isExpected = monitor?.kind === "expected";
  useLiveReload(reload, (event) =>
    event.type === "monitor.changed" ? event.id === id : isExpected && isArrival(event),
  );
  useTitle(monitor?.name ?? "Monitor");
  useArrival(monitor !== null);
  if (loaded.state === "failed" && loaded.trouble.code === "not_found")
    return (
      <EmptyState icon="search" title="Monitor not found" isPage>
        <p>It was deleted or belongs to another workspace.</p>
        <a class="btn" href="/monitors">
          See all monitors
        </a>
      </EmptyState>
    );
  return (
    <>
      <p>
        <a href="/monitors">All monitors</a>
      </p>
      <LoadNote loaded={loaded} onRetry={reload} lines={10} what="the monitor" />
      {monitor && (
        <>
          <Heading monitor={monitor} put={put} reload={reload} />
          <StateCard monitor={monitor} />
          <FigureTable monitor={monitor} />
          {monitor.kind === "canary" && <DelayCard monitor={monitor} spans={spans} onSpans={setSpans} />}
          <RunsSection kind={monitor.kind} runs={monitor.runs} />
        </>
      )}
    </>
  );
}

type PartProps = { readonly monitor: MonitorDetail };
type ChangeProps = PartProps & { readonly put: (monitor: MonitorDetail) => void };

type HeadingProps = ChangeProps & { readonly reload: () => void };

function Heading({ monitor, put, reload }: HeadingProps) {
  const { id, kind, name, enabled, canary, expected } = monitor;
  const { isBusy, trouble, run } = useDoing();
  const [asking, setAsking] = useState<"nothing" | "edit" | "delete">("nothing");
  const close = () => setAsking("nothing");
  const params = { id };
  const turn = () =>
    run(async () => {
      const body = { enabled: !enabled };
      if (kind === "canary") put(await call("PATCH /api/monitors/canaries/:id", { params, body }));
      else {
        await call("PATCH /api/monitors/expected/:id", { params, body });
        reload();
      }
      sayDone(enabled ? "Paused." : "Resumed.");
    });
  const sendNow = () =>
    run(async () => {
      put(await call("POST /api/monitors/canaries/:id/run", { params }));
      sayDone("A canary is on its way.");
    });
  return (
    <>
      <PageHeading title={name} label={kindWords[kind]} lead={toLead(monitor)}>
        {kind === "canary" && enabled && (
          <button class="btn" type="button" disabled={isBusy} onClick={() => void sendNow()}>
            Send now
          </button>
        )}
        <button class="btn" type="button" disabled={isBusy} onClick={() => void turn()}>
          {enabled ? "Pause" : "Resume"}
        </button>
        {(canary ?? expected) !== null && (
          <button class="btn" type="button" onClick={() => setAsking("edit")}>
            Edit
          </button>
        )}
        <button class="btn danger" type="button" onClick={() => setAsking("delete")}>
          Delete
        </button>
      </PageHeading>
      {trouble && <ErrorNote title="That didn’t work." message={trouble.message} />}
      {asking === "edit" &&
        (expected === null ? (
          <EditDialog monitor={monitor} put={put} onClose={close} />
        ) : (
          <EditExpected item={{ id, name, ...expected }} onClose={close} onDone={reload} />
        ))}
      {asking === "delete" && (
        <ConfirmDoing
          title={`Delete “${name}”?`}
          action="Delete monitor"
          act={() => call("DELETE /api/monitors/:id", { params })}
          done="Monitor deleted."
          failed="Couldn’t delete the monitor."
          onDone={() => goTo("/monitors")}
          onClose={close}
        >
          <p>Its runs and figures are deleted too.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

function toLead({ canary, expected, nextAt, dueAt, enabled }: MonitorDetail): string | undefined {
  if (expected !== null)
    return `${toExpectedWords(expected)}${enabled && dueAt !== null ? ` Next check: ${toMoment(dueAt)}.` : ""}`;
  if (canary === null) return undefined;
  return `${toCanaryWords(canary)}${enabled && nextAt !== null ? ` Next: ${toMoment(nextAt)}.` : ""}`;
}

function EditDialog({ monitor, put, onClose }: ChangeProps & { readonly onClose: () => void }) {
  const reading = useRelays();
  const { id, name, canary } = monitor;
  return (
    <Dialog title={`Edit “${name}”`} onClose={onClose}>
      <Reading reading={reading} what="the relays">
        {({ items, hasServerRelay }) => (
          <CanaryForm
            relays={items}
            // One that is gone can still be seen.
            hasServerRelay={hasServerRelay || canary?.relayId === null}
            name={name}
            canary={canary}
            action="Save"
            onSend={async (body) => put(await call("PATCH /api/monitors/canaries/:id", { params: { id }, body }))}
            done="Canary saved."
            onCancel={onClose}
          />
        )}
      </Reading>
    </Dialog>
  );
}

function StateCard({ monitor }: PartProps) {
  const { state, enabled, since, lastOkAt, reason } = monitor;
  const { tone, word } = toLook(monitor);
  return (
    <section class="card mb-4" aria-labelledby="state-h">
      <h2 id="state-h">
        <Severity tone={tone}>{word}</Severity>
      </h2>
      {state === "new" && enabled && (
        <p>
          {monitor.kind === "canary"
            ? "The first canary isn’t back yet."
            : "No message has arrived in time or been missed yet."}
        </p>
      )}
      {state !== "new" && enabled && (
        <p>
          {state === "down" ? "Down" : "Up"} since <Moment time={since} words={toMoment(since)} />
          {lastOkAt !== null && (
            <>
              . Last OK: <Moment time={lastOkAt} words={toMoment(lastOkAt)} />
            </>
          )}
          .
        </p>
      )}
      {reason !== null && (
        <p>
          <strong>{outcomeWords[reason.code].word}.</strong> {reason.says}{" "}
          {reason.testId !== null && <a href={`/tests/${reason.testId}`}>Open the report</a>}
        </p>
      )}
    </section>
  );
}
