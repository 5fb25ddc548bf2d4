// The sample gallery: ready-made messages to send with one click, healthy or with known issues.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import { useEvents } from "../../web/client/events.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { useArrival, useTitle } from "../../web/client/router.tsx";
import { useDoing } from "../../web/client/use-action.ts";
import { toCount, toPlural } from "../../web/client/words.ts";
import { Confirm } from "../../web/parts/dialog.tsx";
import { PageHeading } from "../../web/parts/heading.tsx";
import { Icon } from "../../web/parts/icon.tsx";
import { Score } from "../../web/parts/score.tsx";
import { ErrorNote, Skeleton, sayDone } from "../../web/parts/states.tsx";
import { Severity } from "../../web/parts/tone.tsx";
import type { PreparedMessage } from "./contract.ts";

export function LaboratoryPage() {
  useTitle("Sample gallery");
  const { loaded, reload } = useLoaded("laboratory", (signal) => call("GET /api/laboratory", { signal }));
  useArrival(loaded.value !== null);
  useReloadOnEvents(reload);
  const items = loaded.value?.items ?? null;
  return (
    <>
      <Heading items={items} onSent={reload} />
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the sample gallery." message={loaded.trouble.message} onRetry={reload} />
      )}
      {items === null && loaded.state === "loading" && <Skeleton lines={9} what="the samples" />}
      {items && (
        <>
          <Group title="No issues" items={items.filter(({ issues }) => issues === 0)} onSent={reload} />
          <Group title="One issue each" items={items.filter(({ issues }) => issues === 1)} onSent={reload} />
          <Group title="Several issues" items={items.filter(({ issues }) => issues > 1)} onSent={reload} />
        </>
      )}
    </>
  );
}

/** Each message causes three events. Events close together cause one reload. */
function useReloadOnEvents(reload: () => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useEvents(
    useCallback(() => {
      clearTimeout(waiting.current);
      waiting.current = setTimeout(reload, 120);
    }, [reload]),
  );
}

type PageProps = { readonly items: readonly PreparedMessage[] | null; readonly onSent: () => void };

function Heading({ items, onSent }: PageProps) {
  const [isRemoving, setRemoving] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const sendAll = () =>
    run(async () => {
      const { sent } = await call("POST /api/laboratory", { body: {} });
      sayDone(`${toPlural(sent, "message", "messages")} sent.`);
      onSent();
    });
  const samples = (items ?? []).filter(({ test }) => test !== null);
  return (
    <>
      <PageHeading title="Sample gallery" lead={<Lead items={items ?? []} />}>
        {samples.length > 0 && (
          <button class="btn" type="button" onClick={() => setRemoving(true)}>
            Delete all samples
          </button>
        )}
        <button class="btn primary" type="button" disabled={isBusy || items === null} onClick={() => void sendAll()}>
          <Icon name="flask" />
          {isBusy ? "Sending…" : `Send all${items === null ? "" : ` ${toCount(items.length)}`}`}
        </button>
      </PageHeading>
      {trouble !== null && <ErrorNote title="Couldn’t send some samples." message={trouble.message} />}
      {items && <Progress samples={samples} />}
      {isRemoving && <RemoveSamples onClose={() => setRemoving(false)} onRemoved={onSent} />}
    </>
  );
}

function Lead({ items }: { readonly items: readonly PreparedMessage[] }) {
  const count = (holds: (issues: number) => boolean) => toCount(items.filter(({ issues }) => holds(issues)).length);
  return (
    <>
      {items.length > 0 &&
        `${toPlural(items.length, "ready-made email", "ready-made emails")}: ${count((issues) => issues === 0)} without issues, ${count((issues) => issues === 1)} with one, ${count((issues) => issues > 1)} with several. `}
      Assay delivers them to your seed address over SMTP and checks them with their own DNS records. Nothing leaves this
      server. Samples don’t count toward statistics or your plan, and they don’t trigger alerts.
    </>
  );
}

function Progress({ samples }: { readonly samples: readonly PreparedMessage[] }) {
  const finished = samples.filter(({ test }) => test?.status === "analyzed" || test?.status === "failed");
  const isWaiting = finished.length < samples.length;
  const reports = `${toCount(finished.length)} of ${toPlural(samples.length, "report", "reports")} ready`;
  return (
    <p class="muted small" role="status">
      {samples.length === 0 ? "No samples sent yet." : null}
      {isWaiting ? <span class="live">{reports}</span> : null}
      {samples.length > 0 && !isWaiting ? `${toPlural(finished.length, "report", "reports")} ready.` : null}
    </p>
  );
}

type GroupProps = { readonly title: string; readonly items: readonly PreparedMessage[]; readonly onSent: () => void };

function Group({ title, items, onSent }: GroupProps) {
  return (
    <section class="mt-6" aria-label={title}>
      <h2 class="mb-3">{title}</h2>
      <ul class="grid labs">
        {items.map((prepared) => (
          <PreparedCard key={prepared.id} prepared={prepared} onSent={onSent} />
        ))}
      </ul>
    </section>
  );
}

type RemoveProps = { readonly onClose: () => void; readonly onRemoved: () => void };

function RemoveSamples({ onClose, onRemoved }: RemoveProps) {
  const { isBusy, trouble, run } = useDoing();
  const remove = () =>
    run(async () => {
      const { deleted } = await call("DELETE /api/laboratory");
      onClose();
      onRemoved();
      sayDone(`${toPlural(deleted, "sample", "samples")} deleted.`);
    });
  return (
    <Confirm
      title="Delete all samples?"
      action="Delete"
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>
        This deletes all messages sent from the sample gallery, with their reports and share links. Your own tests are
        kept. You can send the samples again at any time.
      </p>
      {trouble !== null && <ErrorNote title="Couldn’t delete some samples." message={trouble.message} />}
    </Confirm>
  );
}

type CardProps = { readonly prepared: PreparedMessage; readonly onSent: () => void };

function PreparedCard({ prepared, onSent }: CardProps) {
  const { id, title, says, severity, test } = prepared;
  const { isBusy, trouble, run } = useDoing();
  const send = () =>
    run(async () => {
      await call("POST /api/laboratory", { body: { ids: [id] } });
      onSent();
    });
  return (
    <li class="card lab">
      <div>
        <Severity tone={severity ?? "good"} />
        <h3>{title}</h3>
      </div>
      <p class="muted">{says}</p>
      {trouble !== null && <ErrorNote title="Couldn’t send the sample." message={trouble.message} />}
      <div class="lab-end">
        {test === null ? <span class="faint small">Not sent yet</span> : <Outcome test={test} />}
        <span class="row">
          <button
            class={`btn small${test === null ? "" : " quiet"}`}
            type="button"
            disabled={isBusy}
            onClick={() => void send()}
          >
            {isBusy ? "Sending…" : test === null ? "Send" : "Send again"}
            <span class="vh"> {title}</span>
          </button>
          {test !== null && !isUnfinished(test) && (
            <a class="btn small" href={`/tests/${test.id}`}>
              Open report<span class="vh"> for {title}</span>
            </a>
          )}
        </span>
      </div>
    </li>
  );
}

type Test = NonNullable<PreparedMessage["test"]>;

function isUnfinished({ status }: Test): boolean {
  return status === "received" || status === "analyzing";
}

function Outcome({ test }: { readonly test: Test }) {
  const { status, composite, grade } = test;
  if (isUnfinished(test)) return <span class="live">{status === "received" ? "Received" : "Analyzing"}</span>;
  if (status === "failed") return <Severity tone="critical">Analysis failed</Severity>;
  return <Score score={composite} grade={grade} />;
}
