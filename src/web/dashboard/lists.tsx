// The lists of the dashboard: newest tests, issues, domains.

// The newest tests, as they come. What is under the pointer or has the focus stays where it is: new ones wait for a click.

import { Fragment } from "preact";
import { useCallback, useRef, useState } from "preact/hooks";
import type { DashboardSummary } from "../../api/dashboard.ts";
import type { DomainSummary } from "../../api/domains.ts";
import type { WorkspaceEvent } from "../../api/events.ts";
import { useEvents } from "../client/events.ts";
import type { LoadState } from "../client/loading.ts";
import { toCount, toPlural } from "../client/words.ts";
import { toPercentage } from "../parts/charts.tsx";
import { Score } from "../parts/score.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Moment, Words } from "../parts/text.tsx";
import { Badge, Severity } from "../parts/tone.tsx";
import { toAnchor } from "../report/findings.ts";
import type { DomainWithState } from "./headline.ts";

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

// What the week's tests lost most points by, each with one of the tests that have it.

type Issue = DashboardSummary["topIssues"][number];

export function IssuesCard({ topIssues, testCount }: Pick<DashboardSummary, "topIssues" | "testCount">) {
  if (topIssues.length === 0)
    return (
      <section class="card" id="issues">
        <h2>What costs most this week</h2>
        <p class="muted">Nothing: no test of this week lost a point.</p>
      </section>
    );
  return (
    <section class="card flush" id="issues" aria-labelledby="issues-h">
      <h2 class="pad" id="issues-h">
        What costs most this week
      </h2>
      <table class="table fold">
        <caption class="vh">Faults of the week, by the points that they cost all tests together</caption>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Fault, with an example</th>
            <th scope="col">Tests that have it</th>
          </tr>
        </thead>
        <tbody>
          {topIssues.map((issue) => (
            <tr key={issue.id}>
              <td>
                <Severity tone={issue.severity} />
              </td>
              <th scope="row">
                <IssueTitle issue={issue} />
              </th>
              <td data-l="Tests">
                <span class="bar-s">
                  <svg aria-hidden="true">
                    <rect class="f-none" width="100%" height="100%" />
                    <rect class="f-score" width={toPercentage(issue.share)} height="100%" />
                  </svg>
                  <span class="nowrap">
                    {toCount(issue.tests)} of {toCount(testCount)}
                  </span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function IssueTitle({ issue: { id, title, summary, example } }: { readonly issue: Issue }) {
  return (
    <>
      {example === null ? title : <a href={`/tests/${example}#${toAnchor(id)}`}>{title}</a>}
      {summary !== null && (
        <span class="under small muted">
          <Words text={summary} />
        </span>
      )}
    </>
  );
}

const domainsShown = 5;

type DomainsCardProps = {
  readonly loaded: LoadState<{ readonly items: readonly DomainSummary[]; readonly total: number }>;
  readonly domains: readonly DomainWithState[];
  readonly onRetry: () => void;
};

export function DomainsCard({ loaded, domains, onRetry }: DomainsCardProps) {
  const total = loaded.value?.total ?? 0;
  return (
    <section class="card" aria-labelledby="domains-h">
      <h2 id="domains-h">Domains</h2>
      {loaded.state === "failed" && (
        <ErrorNote
          title="The domains could not be read."
          message={loaded.trouble.message}
          onRetry={onRetry}
        />
      )}
      {loaded.value !== null && total === 0 && (
        <p class="muted">
          No domain is monitored. Assay looks at the DNS records of each hourly and tells you what changes.
        </p>
      )}
      {domains.length > 0 && (
        <ul class="list">
          {domains.slice(0, domainsShown).map(({ domain: { id, domain }, state }) => (
            <li key={id}>
              <span>
                <a href={`/domains/${id}`}>
                  <DomainName domain={domain} />
                </a>
                <span class="label">{state.line}</span>
              </span>
              <Badge tone={state.tone}>{state.word}</Badge>
            </li>
          ))}
        </ul>
      )}
      <p class="mt-3">
        <a href="/domains">
          {total === 0
            ? "Monitor a domain"
            : total > domainsShown
              ? `All ${toPlural(total, "domain", "domains")}`
              : "Open the domains"}
        </a>
      </p>
    </section>
  );
}

/** Where it does not fit, it breaks behind a dot. */
function DomainName({ domain }: { readonly domain: string }) {
  const [first, ...others] = domain.split(".");
  return (
    <>
      {first}
      {others.map((label, index) => (
        <Fragment key={index}>
          .<wbr />
          {label}
        </Fragment>
      ))}
    </>
  );
}
