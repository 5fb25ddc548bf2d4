// The reports of this test, newest first, with the changes from one to the next.

import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { toneOfScore } from "../../analyzer/words/grade-words.ts";
import { addressOfComparison } from "../../features/compare/page/comparison.ts";
import type { KeptReport } from "../../features/tests/contract/reanalysis.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useOpened } from "../client/opened.ts";
import { toMoment, toWord } from "../client/words.ts";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";

export function HistorySection({ test }: { readonly test: TestReport }) {
  const { open } = useOpened();
  return (
    <section class="sec" id="history" aria-labelledby="history-h">
      <History test={test} />
      <p class="row mt-4 noprint">
        <button class="btn" type="button" onClick={() => open("again")}>
          Re-analyze{" "}
        </button>
        <button class="btn" type="button" onClick={() => open("compare")}>
          Compare with another test
        </button>
      </p>
    </section>
  );
}

function History({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(`${test.id} ${test.analyzed_at}`, (signal) =>
    call("GET /api/tests/:id/reports", { params: { id: test.id }, signal }),
  );
  const reports = loaded.value?.items ?? null;
  return (
    <>
      <div class="sec-h">
        <h2 id="history-h">{reports === null ? "History" : `History: analyzed ${toTimes(reports.length)}`}</h2>
        <p>
          {reports?.length === 1
            ? "Re-analyze after a fix to see what changed. This report is kept."
            : "Each report is compared with the one before it."}
        </p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load earlier reports." message={loaded.trouble.message} onRetry={reload} />
      )}
      {reports === null && loaded.state === "loading" && <Skeleton lines={3} what="the earlier reports" />}
      {reports !== null && reports.length > 1 && (
        <ol class="line">
          {reports.map((report, index) => (
            <HistoryEntry key={report.analyzed_at} id={test.id} report={report} isNewest={index === 0} />
          ))}
        </ol>
      )}
    </>
  );
}

function toTimes(count: number): string {
  return ["never", "once", "twice"][count] ?? `${toWord(count)} times`;
}

type EntryProps = { readonly id: string; readonly report: KeptReport; readonly isNewest: boolean };

function HistoryEntry({ id, report, isNewest }: EntryProps) {
  const { analyzed_at, composite, dns, version, changed } = report;
  return (
    <li class={isNewest ? "info" : undefined}>
      <p class="row">
        <strong class={`score tone ${toneOfScore(composite)}`}>
          {composite === null ? "No score" : toWholeScore(composite)}
        </strong>
        <Moment time={analyzed_at} words={toMoment(analyzed_at)} />
        <span class="small muted">
          {dns === "live" ? "Fresh DNS" : "Recorded DNS"}, Assay {version}
        </span>
        {isNewest ? (
          <span class="tag">this report</span>
        ) : (
          <a
            class="small"
            href={addressOfComparison({ id, other: id, report: analyzed_at })}
            aria-label={`See changes since ${toMoment(analyzed_at)}`}
          >
            See changes since{" "}
          </a>
        )}
      </p>
      {changed === null ? (
        <p class="small muted">Oldest stored report.</p>
      ) : (
        <ul class="small">
          {changed.says.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
