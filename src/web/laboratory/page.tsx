// Prepared messages, sent on one click: what a report says of a message without a fault, and of each fault alone.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { PreparedMessage } from "../../api/laboratory.ts";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { useArrival, useTitle } from "../client/router.tsx";
import { useDoing } from "../client/use-action.ts";
import { toCount, toPlural } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { PageHeading } from "../parts/heading.tsx";
import { Icon } from "../parts/icon.tsx";
import { Score } from "../parts/score.tsx";
import { ErrorNote, Skeleton, sayDone } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";

export function LaboratoryPage() {
  useTitle("Laboratory");
  const { loaded, reload } = useLoaded("laboratory", (signal) => call("GET /api/laboratory", { signal }));
  useArrival(loaded.value !== null);
  useNews(reload);
  const items = loaded.value?.items ?? null;
  return (
    <>
      <Heading items={items} onSent={reload} />
      {loaded.state === "failed" && (
        <ErrorNote
          title="The laboratory could not be read."
          message={loaded.trouble.message}
          onRetry={reload}
        />
      )}
      {items === null && loaded.state === "loading" && <Skeleton lines={9} what="the prepared messages" />}
      {items && (
        <>
          <Group title="In order" items={items.filter(({ issues }) => issues === 0)} onSent={reload} />
          <Group
            title="Broken in one way each"
            items={items.filter(({ issues }) => issues === 1)}
            onSent={reload}
          />
          <Group
            title="With several issues"
            items={items.filter(({ issues }) => issues > 1)}
            onSent={reload}
          />
        </>
      )}
    </>
  );
}

/** Each message makes three events: what comes close together is read at once. */
function useNews(reload: () => void): void {
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
      sayDone(`${toPlural(sent, "message is", "messages are")} sent.`);
      onSent();
    });
  const samples = (items ?? []).filter(({ test }) => test !== null);
  return (
    <>
      <PageHeading title="Laboratory" lead={<Lead items={items ?? []} />}>
        {samples.length > 0 && (
          <button class="btn" type="button" onClick={() => setRemoving(true)}>
            Remove all samples
          </button>
        )}
        <button
          class="btn primary"
          type="button"
          disabled={isBusy || items === null}
          onClick={() => void sendAll()}
        >
          <Icon name="flask" />
          {isBusy ? "Sending …" : `Send all ${items === null ? "" : items.length}`}
        </button>
      </PageHeading>
      {trouble !== null && <ErrorNote title="Not all were sent." message={trouble.message} />}
      {items && <Progress samples={samples} />}
      {isRemoving && <RemoveSamples onClose={() => setRemoving(false)} onRemoved={onSent} />}
    </>
  );
}

function Lead({ items }: { readonly items: readonly PreparedMessage[] }) {
  const count = (holds: (issues: number) => boolean) =>
    toCount(items.filter(({ issues }) => holds(issues)).length);
  return (
    <>
      {items.length > 0 &&
        `${count((issues) => issues === 0)} prepared messages in order, ${count((issues) => issues === 1)} with one issue each, and ${count((issues) => issues > 1)} with several. `}
      Assay sends them to your seed address as mail comes in, and judges them by a DNS zone made for them.
      Nothing leaves this machine, and no figure, alert or plan counts them.
    </>
  );
}

function Progress({ samples }: { readonly samples: readonly PreparedMessage[] }) {
  const finished = samples.filter(({ test }) => test?.status === "analyzed" || test?.status === "failed");
  const isWaiting = finished.length < samples.length;
  const reports = `${toCount(finished.length)} of ${toPlural(samples.length, "report is", "reports are")} there`;
  return (
    <p class="muted small" role="status">
      {samples.length === 0 ? "None of them is sent yet." : null}
      {isWaiting ? <span class="live">{reports}</span> : null}
      {samples.length > 0 && !isWaiting
        ? `${toPlural(finished.length, "report is", "reports are")} there.`
        : null}
    </p>
  );
}

type GroupProps = {
  readonly title: string;
  readonly items: readonly PreparedMessage[];
  readonly onSent: () => void;
};

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
      sayDone(`${toPlural(deleted, "sample is", "samples are")} removed.`);
    });
  return (
    <Confirm
      title="Remove all samples?"
      action="Remove"
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>
        Every message that the laboratory ever sent here goes, with its report and with links that share it.
        Your own tests stay. You can send the samples again at any time.
      </p>
      {trouble !== null && <ErrorNote title="Not all were removed." message={trouble.message} />}
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
      {trouble !== null && <ErrorNote title="Nothing was sent." message={trouble.message} />}
      <div class="lab-end">
        {test === null ? <span class="faint small">Not sent yet</span> : <Outcome test={test} />}
        <span class="row">
          <button
            class={`btn small${test === null ? "" : " quiet"}`}
            type="button"
            disabled={isBusy}
            onClick={() => void send()}
          >
            {isBusy ? "Sending …" : test === null ? "Send" : "Send again"}
            <span class="vh"> {title}</span>
          </button>
          {test !== null && !isUnfinished(test) && (
            <a class="btn small" href={`/tests/${test.id}`}>
              Open the report<span class="vh"> of {title}</span>
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
  const { status, composite, coverage } = test;
  if (isUnfinished(test))
    return <span class="live">{status === "received" ? "Has arrived" : "Being analysed"}</span>;
  if (status === "failed") return <Severity tone="critical">The analysis failed</Severity>;
  return <Score score={composite} coverage={coverage} />;
}
