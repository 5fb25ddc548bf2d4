// A monitor of either kind: its state, uptime, delays, and newest runs.

import { useCallback, useState } from "preact/hooks";
import type { MonitorDetail } from "../../api/canaries.ts";
import type { WorkspaceEvent } from "../../api/events.ts";
import { kindWords, outcomeWords, toStateWord } from "../../api/monitor-words.ts";
import { call } from "../client/call.ts";
import { useLiveReload } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, useArrival, useTitle } from "../client/router.tsx";
import { useDoing } from "../client/use-action.ts";
import { toCount, toDuration, toFinePercent, toMoment } from "../client/words.ts";
import { Dialog } from "../parts/dialog.tsx";
import { PageHeading } from "../parts/heading.tsx";
import { EmptyState, ErrorNote, Skeleton, sayDone } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity, type Tone } from "../parts/tone.tsx";
import { ConfirmDoing, Reading } from "../settings/parts.tsx";
import { CanaryForm, useRelays } from "./canary-form.tsx";
import { DelayCard, type SpanName } from "./delays.tsx";
import { RunsSection } from "./runs.tsx";

export function MonitorPage({ id }: { readonly id: string }) {
  const [spans, setSpans] = useState<SpanName>("hours");
  const { loaded, reload, put } = useLoaded(`${id} ${spans}`, (signal) =>
    call("GET /api/monitors/:id", { params: { id }, query: { spans }, signal }),
  );
  const isOurs = useCallback(
    (event: WorkspaceEvent) => event.type === "monitor.changed" && event.id === id,
    [id],
  );
  useLiveReload(reload, isOurs);
  const monitor = loaded.value;
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
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the monitor." message={loaded.trouble.message} onRetry={reload} />
      )}
      {monitor === null && loaded.state === "loading" && <Skeleton lines={10} what="the monitor" />}
      {monitor && (
        <>
          <Heading monitor={monitor} put={put} />
          <StateCard monitor={monitor} />
          <FigureTable monitor={monitor} />
          <DelayCard monitor={monitor} spans={spans} onSpans={setSpans} />
          <RunsSection runs={monitor.runs} />
        </>
      )}
    </>
  );
}

type PartProps = { readonly monitor: MonitorDetail };
type ChangeProps = PartProps & { readonly put: (monitor: MonitorDetail) => void };

function Heading({ monitor, put }: ChangeProps) {
  const { id, kind, name, enabled } = monitor;
  const { isBusy, trouble, run } = useDoing();
  const [asking, setAsking] = useState<"nothing" | "edit" | "delete">("nothing");
  const close = () => setAsking("nothing");
  const params = { id };
  const change = (body: { readonly enabled: boolean }, done: string) =>
    run(async () => {
      put(await call("PATCH /api/monitors/canaries/:id", { params, body }));
      sayDone(done);
    });
  const sendNow = () =>
    run(async () => {
      put(await call("POST /api/monitors/canaries/:id/run", { params }));
      sayDone("A canary is on its way.");
    });
  return (
    <>
      <PageHeading title={name} label={kindWords[kind]} lead={toLead(monitor)}>
        {kind === "canary" && (
          <>
            {enabled && (
              <button class="btn" type="button" disabled={isBusy} onClick={() => void sendNow()}>
                Send now
              </button>
            )}
            <button
              class="btn"
              type="button"
              disabled={isBusy}
              onClick={() => void change({ enabled: !enabled }, enabled ? "Paused." : "Resumed.")}
            >
              {enabled ? "Pause" : "Resume"}
            </button>
            <button class="btn" type="button" onClick={() => setAsking("edit")}>
              Edit
            </button>
          </>
        )}
        <button class="btn danger" type="button" onClick={() => setAsking("delete")}>
          Delete
        </button>
      </PageHeading>
      {trouble && <ErrorNote title="That didn’t work." message={trouble.message} />}
      {asking === "edit" && <EditDialog monitor={monitor} put={put} onClose={close} />}
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

function toLead({ canary, nextAt, enabled }: MonitorDetail): string | undefined {
  if (canary === null) return undefined;
  const { schedule, relayName, to, objectiveSeconds } = canary;
  const often =
    "cron" in schedule
      ? `On the schedule ${schedule.cron} (${schedule.timeZone})`
      : schedule.everyMinutes === 1
        ? "Every minute"
        : `Every ${toCount(schedule.everyMinutes)} minutes`;
  const through = relayName === null ? "this server’s own relay" : `“${relayName}”`;
  const target = to === null ? "the active seed inbox" : to;
  const next = enabled && nextAt !== null ? ` Next: ${toMoment(nextAt)}.` : "";
  return `${often} through ${through} to ${target}, expected back within ${toDuration(objectiveSeconds * 1_000)}.${next}`;
}

function EditDialog({ monitor, put, onClose }: ChangeProps & { readonly onClose: () => void }) {
  const reading = useRelays();
  const doing = useDoing();
  const { id, name, canary } = monitor;
  const save = async (body: Parameters<Parameters<typeof CanaryForm>[0]["onSend"]>[0]) => {
    const isDone = await doing.run(async () =>
      put(await call("PATCH /api/monitors/canaries/:id", { params: { id }, body })),
    );
    if (!isDone) return;
    sayDone("Canary saved.");
    onClose();
  };
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
            doing={doing}
            onSend={(body) => void save(body)}
            onCancel={onClose}
          />
        )}
      </Reading>
    </Dialog>
  );
}

const stateTones = { new: "unknown", up: "good", down: "critical" } as const satisfies Record<string, Tone>;

function StateCard({ monitor }: PartProps) {
  const { state, enabled, since, lastOkAt, reason } = monitor;
  return (
    <section class="card mb-4" aria-labelledby="state-h">
      <h2 id="state-h">
        <Severity tone={enabled ? stateTones[state] : "info"}>{toStateWord(state, enabled)}</Severity>
      </h2>
      {state !== "new" && (
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

const figureRows = [
  { name: "day", label: "24 hours" },
  { name: "week", label: "7 days" },
  { name: "month", label: "30 days" },
] as const;

function FigureTable({ monitor: { figures } }: PartProps) {
  return (
    <div class="card flush mb-4">
      <table class="table fold">
        <caption>Uptime and delay</caption>
        <thead>
          <tr>
            {["Last", "Uptime", "Runs", "Failed", "Median delay", "95% within", "99% within"].map(
              (word, index) => (
                <th key={word} scope="col" class={index === 0 ? undefined : "num"}>
                  {word}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {figureRows.map(({ name, label }) => {
            const { runs, failed, uptime, p50Ms, p95Ms, p99Ms } = figures[name];
            return (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td class="num" data-l="Uptime">
                  {uptime === null ? <span class="faint">no runs</span> : toFinePercent(uptime)}
                </td>
                <td class="num" data-l="Runs">
                  {toCount(runs)}
                </td>
                <td class="num" data-l="Failed">
                  {toCount(failed)}
                </td>
                <Delay label="Median delay" ms={p50Ms} />
                <Delay label="95% within" ms={p95Ms} />
                <Delay label="99% within" ms={p99Ms} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Delay({ label, ms }: { readonly label: string; readonly ms: number | null }) {
  return (
    <td class="num" data-l={label}>
      {ms === null ? <span class="faint">unknown</span> : toDuration(ms)}
    </td>
  );
}
