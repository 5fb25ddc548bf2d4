// What arrived in the last hour, also before the page opened. A message that arrives while someone waits here opens; it
// never takes the page away from someone who types, selects or reads something else.

import { useCallback, useRef, useState } from "preact/hooks";
import { call } from "../../../../web/client/call.ts";
import { useEvents, useLiveReload } from "../../../../web/client/events.ts";
import { type LoadState, useLoaded, useRepeat } from "../../../../web/client/loading.ts";
import { goTo } from "../../../../web/client/router.tsx";
import { toPreciseMoment, toShortTime } from "../../../../web/client/words.ts";
import { Icon } from "../../../../web/parts/icon.tsx";
import { Score } from "../../../../web/parts/score.tsx";
import { LoadNote } from "../../../../web/parts/states.tsx";
import { Severity } from "../../../../web/parts/tone.tsx";
import type { TestList, TestRow } from "../list.tsx";

const hourMs = 3_600_000;
const shown = 8;

type Recent = {
  readonly loaded: LoadState<TestList>;
  readonly reload: () => void;
  /** The newest message since the page opened. */
  readonly arrival: Arrival | null;
  /** IDs of all of them. */
  readonly seen: ReadonlySet<string>;
};

export function useRecent(): Recent {
  const { loaded, reload } = useLoaded("recent", (signal) =>
    call("GET /api/tests", { query: { limit: shown }, signal }),
  );
  useLiveReload(reload, isAboutTests);
  return { loaded, reload, ...useArrivals() };
}

function isAboutTests({ type }: { readonly type: string }): boolean {
  return type.startsWith("test");
}

/** `became`: it isn't a test, but for example a bounce. */
type Arrival = { readonly id: string; readonly became: string | null };

export function ArrivalNote({ recent: { loaded, arrival } }: { readonly recent: Recent }) {
  if (arrival === null) return null;
  const { id, became } = arrival;
  const row = loaded.value?.items.find((item) => item.id === id);
  const isReady = row?.status === "analyzed";
  if (became !== null) return <NoTestNote became={became} />;
  return (
    <p class="note good arrival mb-4" role="status">
      <Icon name="good" />
      <span>
        <strong>Message received.</strong>{" "}
        {isReady
          ? "Your report is ready:"
          : row?.status === "failed"
            ? "The analysis failed."
            : "Assay is analyzing it."}{" "}
        {isReady && (
          <>
            {toTitle(row)} <Score score={row.composite} grade={row.grade} />
          </>
        )}
      </span>
      <a class="btn small primary" href={`/tests/${id}`}>
        Open report
      </a>
    </p>
  );
}

export function NoTestNote({ became }: { readonly became: string | null }) {
  return (
    <p class="note arrival mb-4" role="status">
      <Icon name="info" />
      <span>
        <strong>Message received.</strong> It isn’t a test{became !== null && ": Assay recognized it as "}
        {became === "auto-reply" ? "an automatic reply" : became !== null && `a ${became}`}.
      </span>
      <a class="btn small" href={became === "report" ? "/feedback" : "/feedback/bounces"}>
        See feedback
      </a>
    </p>
  );
}

/** Tests whose pages opened when they arrived. */
export const arrived = new Set<string>();

/** Opens a message that arrives. */
function useArrivals(): Pick<Recent, "arrival" | "seen"> {
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const seen = useRef(new Set<string>());
  useEvents(
    useCallback((event) => {
      if (event.type === "test.received") {
        setArrival({ id: event.id, became: null });
        seen.current.add(event.id);
        if (!isWaiting()) return;
        arrived.add(event.id);
        goTo(`/tests/${event.id}`);
      }
      if (event.type === "test.recognised")
        setArrival((known) => (known?.id === event.id ? { ...known, became: event.became } : known));
    }, []),
  );
  return { arrival, seen: seen.current };
}

/** Whether the person only waits: the part about sending is in view, and nothing else is going on. */
function isWaiting(): boolean {
  const others = "dialog[open], .popup[open], #paste[aria-busy=true], #paste .note";
  if (document.hidden || document.querySelector(others) !== null) return false;
  if (document.activeElement?.closest("input, textarea, select")) return false;
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("main textarea, main input")];
  if (fields.some(({ value, defaultValue, type }) => type !== "file" && value !== defaultValue)) return false;
  if (window.getSelection()?.isCollapsed === false) return false;
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  return (document.getElementById("send")?.getBoundingClientRect().bottom ?? 0) > bar;
}

export function LastHour({ recent: { loaded, reload, seen } }: { readonly recent: Recent }) {
  // What is older than an hour leaves the list.
  useRepeat(true, reload, 60_000);
  // This computer's clock may differ from the server's, so what arrived here counts in any case.
  const isRecent = ({ id, received_at }: TestRow) => seen.has(id) || Date.parse(received_at) > Date.now() - hourMs;
  const rows = loaded.value?.items.filter(isRecent) ?? [];
  return (
    <section class="card stack" aria-labelledby="recent-h">
      <h2 class="t4" id="recent-h">
        Last hour
      </h2>
      <LoadNote loaded={loaded} onRetry={reload} lines={3} what="your tests" />
      {loaded.value !== null && rows.length === 0 && (
        <p class="muted">Nothing arrived yet. Your next message appears here.</p>
      )}
      {rows.length > 0 && (
        <ul class="recent">
          {rows.map((test) => (
            <RecentRow key={test.id} test={test} />
          ))}
        </ul>
      )}
      {loaded.value !== null && loaded.value.total > rows.length && <a href="/tests">See all tests</a>}
    </section>
  );
}

function RecentRow({ test }: { readonly test: TestRow }) {
  const { id, received_at, status, composite, grade, sample } = test;
  return (
    <li>
      <a class="clip" href={`/tests/${id}`}>
        <bdi>{toTitle(test)}</bdi>
      </a>
      {sample && <span class="tag">Sample</span>}
      <time class="label nowrap" dateTime={received_at} title={toPreciseMoment(received_at)}>
        {toShortTime(received_at)}
      </time>
      {status === "analyzed" ? (
        <Score score={composite} grade={grade} />
      ) : status === "failed" ? (
        <Severity tone="critical">Failed</Severity>
      ) : (
        <span class="live">Analyzing</span>
      )}
    </li>
  );
}

function toTitle({ subject }: Pick<TestRow, "subject">): string {
  return subject?.trim() || "No subject";
}
