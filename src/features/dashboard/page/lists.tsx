// The lists of Home: latest tests and top issues.

// The latest tests update live. While the pointer or focus is on the list, it doesn't move: new tests wait for a click.

import { useRef, useState } from "preact/hooks";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { toPercentage } from "../../../web/parts/charts.tsx";
import { Score } from "../../../web/parts/score.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment, Words } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { toAnchor } from "../../../web/report/findings.ts";
import { useArrivals } from "../../tests/page/list.tsx";
import type { DashboardSummary } from "../contract.ts";
import { isUpload } from "./needs.ts";

type Test = DashboardSummary["recentTests"][number];

const shownAtMost = 6;

export function NewestCard({ recentTests }: Pick<DashboardSummary, "recentTests">) {
  const [isHeld, setHeld] = useState(false);
  const arrived = useArrivals();
  const newest = recentTests.slice(0, shownAtMost);
  const held = useRef<readonly Test[]>(newest);
  const shown = isHeld ? renewed(held.current, recentTests) : newest;
  held.current = shown;
  const shownIds = new Set(shown.map(({ id }) => id));
  const waiting = newest.filter(({ id }) => !shownIds.has(id)).length;
  return (
    <section class="card" aria-labelledby="newest-h">
      <div class="row between">
        <h2 id="newest-h">Latest tests</h2>
        {waiting === 0 ? (
          <span class="live">Live</span>
        ) : (
          <button class="btn small" type="button" onClick={() => setHeld(false)}>
            Show {toPlural(waiting, "new test", "new tests")}
          </button>
        )}
      </div>
      <ul
        class="list tests"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocusIn={() => setHeld(true)}
        onFocusOut={() => setHeld(false)}
      >
        {shown.map((test) => (
          <TestLine key={test.id} test={test} isNew={arrived.has(test.id)} />
        ))}
      </ul>
      <p class="mt-3">
        <a href="/tests">All tests</a>
      </p>
    </section>
  );
}

/** The same tests, updated. A deleted test stays until the list moves again. */
function renewed(held: readonly Test[], recent: readonly Test[]): readonly Test[] {
  return held.map((test) => recent.find(({ id }) => id === test.id) ?? test);
}

function TestLine({ test, isNew }: { readonly test: Test; readonly isNew: boolean }) {
  const { id, subject, from, received_at, status, composite, grade } = test;
  const isUnfinished = status === "received" || status === "analyzing";
  return (
    <li class={isNew ? "arriving" : undefined}>
      <span>
        <a class="clip" href={`/tests/${id}`}>
          <bdi>{subject?.trim() || (isUnfinished ? "New message" : "No subject")}</bdi>
        </a>
        <span class="label clip">
          <Moment time={received_at} />
          {!isUnfinished && `, ${toDomain(from)}`}
          {isUpload(test) && ", uploaded"}
        </span>
      </span>
      {isUnfinished ? (
        <span class="live">{status === "received" ? "Waiting" : "Analyzing"}</span>
      ) : (
        <Score score={composite} grade={grade} />
      )}
    </li>
  );
}

/** The text after the last @, without a closing bracket. The sender can put anything here. */
function toDomain(from: string | null): string {
  const [domain] = from?.split("@").at(-1)?.split(/[>\s]/, 1) ?? [];
  return domain || "no sender";
}

// The issues that cost this week's tests the most points, each with an example test.

type Issue = DashboardSummary["topIssues"][number];

export function IssuesCard({ topIssues, testCount }: Pick<DashboardSummary, "topIssues" | "testCount">) {
  if (topIssues.length === 0)
    return (
      <section class="card">
        <h2>Top issues, 7 days</h2>
        <p class="muted">No issues. No test lost points this week.</p>
      </section>
    );
  return (
    <section class="card flush" aria-labelledby="issues-h">
      <h2 class="pad" id="issues-h">
        Top issues, 7 days
      </h2>
      <Table
        look="fold"
        label="Issues this week, by total points lost"
        columns={["Severity", "Issue", "Affected tests"]}
      >
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
      </Table>
    </section>
  );
}

function IssueTitle({ issue: { id, title, summary, example } }: { readonly issue: Issue }) {
  return (
    <>
      {example === null ? title : <a href={`/tests/${example}#${toAnchor(id)}`}>{title}</a>}
      {summary !== null && !isRepeated(summary, title) && (
        <span class="under small muted">
          For example: <Words text={summary} />
        </span>
      )}
    </>
  );
}

function isRepeated(summary: string, title: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return new Set(wordsOf(summary)).isSubsetOf(new Set(wordsOf(title)));
}
