// What the week's tests lost most points by, each with one of the tests that have it.

import type { DashboardSummary } from "../../api/dashboard.ts";
import { toCount } from "../client/words.ts";
import { toPercentage } from "../parts/day-chart.tsx";
import { Severity } from "../parts/tone.tsx";
import { Words } from "../parts/words.tsx";
import { toAnchor } from "../report/findings.ts";

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
