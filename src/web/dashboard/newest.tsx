// The newest tests, as they come. What is under the pointer or has the focus stays where it is: new ones wait for a click.

import { useCallback, useRef, useState } from "preact/hooks";
import type { DashboardSummary } from "../../api/dashboard.ts";
import type { WorkspaceEvent } from "../../api/events.ts";
import { useEvents } from "../client/events.ts";
import { toPlural } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { Score } from "../parts/score.tsx";

type Test = DashboardSummary["recentTests"][number];

const shownAtMost = 6;

export function NewestCard({ recentTests }: Pick<DashboardSummary, "recentTests">) {
  const [isHeld, setHeld] = useState(false);
  const news = useArrivals();
  const newest = recentTests.slice(0, shownAtMost);
  const held = useRef<readonly Test[]>(newest);
  const shown = isHeld ? renewed(held.current, recentTests) : newest;
  held.current = shown;
  const shownIds = new Set(shown.map(({ id }) => id));
  const waiting = newest.filter(({ id }) => !shownIds.has(id)).length;
  return (
    <section class="card" aria-labelledby="newest-h">
      <div class="row between">
        <h2 id="newest-h">Newest tests</h2>
        {waiting === 0 ? (
          <span class="live">Live</span>
        ) : (
          <button class="btn small" type="button" onClick={() => setHeld(false)}>
            Show {toPlural(waiting, "new test", "new tests")}
          </button>
        )}
      </div>
      <ul
        class="list"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocusIn={() => setHeld(true)}
        onFocusOut={() => setHeld(false)}
      >
        {shown.map((test) => (
          <TestLine key={test.id} test={test} isNew={news.has(test.id)} />
        ))}
      </ul>
      <p class="mt-3">
        <a href="/tests">All tests</a>
      </p>
    </section>
  );
}

/** The same tests, as they are now. One that is gone stays until the list is let go. */
function renewed(held: readonly Test[], recent: readonly Test[]): readonly Test[] {
  return held.map((test) => recent.find(({ id }) => id === test.id) ?? test);
}

function useArrivals(): ReadonlySet<string> {
  const [news, setNews] = useState<ReadonlySet<string>>(new Set());
  useEvents(
    useCallback((event: WorkspaceEvent) => {
      if (event.type === "test.received") setNews((known) => new Set([...known, event.id].slice(-100)));
    }, []),
  );
  return news;
}

function TestLine({ test, isNew }: { readonly test: Test; readonly isNew: boolean }) {
  const { id, subject, from, received_at, status, composite, coverage } = test;
  const isUnfinished = status === "received" || status === "analyzing";
  return (
    <li class={isNew ? "arriving" : undefined}>
      <span>
        <a class="clip" href={`/tests/${id}`}>
          {subject?.trim() || (isUnfinished ? "A new message" : "No subject")}
        </a>
        <span class="label clip">
          <Moment time={received_at} />
          {!isUnfinished && `, ${toDomain(from)}`}
        </span>
      </span>
      {isUnfinished ? (
        <span class="live">{status === "received" ? "Waiting" : "Being analysed"}</span>
      ) : (
        <Score score={composite} coverage={coverage} />
      )}
    </li>
  );
}

/** What stands behind the last @, without the bracket behind it; it is a stranger's text. */
function toDomain(from: string | null): string {
  const [domain] = from?.split("@").at(-1)?.split(/[>\s]/, 1) ?? [];
  return domain || "no sender";
}
