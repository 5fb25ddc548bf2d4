// Two tests side by side, or two reports of one test: what differs, and how that changes the results.

import { useCallback, useState } from "preact/hooks";
import { toWholeScore } from "../../../analyzer/reports/grade-words.ts";
import { call } from "../../../web/client/call.ts";
import { useEvents } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { toMoment } from "../../../web/client/words.ts";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Score } from "../../../web/parts/score.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import type { TestReport } from "../../tests/contract/tests.ts";
import { ChangeGroups, VerdictChanges } from "./changes.tsx";
import {
  addressOfComparison,
  askComparison,
  type Comparison,
  type ComparisonQuery,
  namesOfReports,
  namesOfTests,
  type ScoreSplit,
  toHeadline,
} from "./comparison.ts";
import { FindingsCompared, ScoresCompared } from "./findings.tsx";
import { SplitCard } from "./split.tsx";

type ComparisonParts = { readonly comparison: Comparison; readonly test: TestReport; readonly other: TestReport };

async function readCompared(asked: ComparisonQuery, signal: AbortSignal): Promise<ComparisonParts> {
  const readTest = (id: string) => call("GET /api/tests/:id", { params: { id }, signal });
  const [comparison, test, other] = await Promise.all([
    askComparison(asked, signal),
    readTest(asked.id),
    asked.id === asked.other ? null : readTest(asked.other),
  ]);
  return { comparison, test, other: other ?? test };
}

export function ComparePage({ id, other }: { readonly id: string; readonly other: string }) {
  const { query } = usePlace();
  const asked = { id, other, report: query.get("report") };
  const { loaded, reload } = useLoaded(addressOfComparison(asked), (signal) => readCompared(asked, signal));
  useTitle("Compare");
  useArrival(loaded.value !== null);
  useEvents(
    useCallback(
      (event) => {
        if (event.type === "reset" || ("id" in event && (event.id === id || event.id === other))) reload();
      },
      [id, other, reload],
    ),
  );
  const compared = loaded.value;
  if (loaded.state === "failed" && loaded.trouble.code === "not_found") return <NothingToCompare id={id} />;
  return (
    <>
      {compared === null && <h1 class="vh">Compare</h1>}
      <p class="noprint">
        <a href={`/tests/${id}`}>Back to the report</a>
      </p>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the comparison." message={loaded.trouble.message} onRetry={() => reload()} />
      )}
      {compared === null && loaded.state === "loading" && <Skeleton lines={10} what="both reports" />}
      {compared && <ComparedView compared={compared} asked={asked} />}
    </>
  );
}

function NothingToCompare({ id }: { readonly id: string }) {
  return (
    <EmptyState icon="search" title="Nothing to compare" isPage>
      <p>
        One of the two tests was deleted, or the report is no longer stored. Assay keeps the last 20 reports for each
        test.
      </p>
      <span class="row">
        <a class="btn" href={`/tests/${id}?open=compare`}>
          Choose another test
        </a>
        <a class="btn" href="/tests">
          {" "}
          See all tests{" "}
        </a>
      </span>
    </EmptyState>
  );
}

function ComparedView({ compared, asked }: { readonly compared: ComparisonParts; readonly asked: ComparisonQuery }) {
  const { comparison, test, other } = compared;
  const address = addressOfComparison(asked);
  const [split, setSplit] = useState<{ readonly of: string; readonly causes: ScoreSplit["causes"] } | null>(null);
  const keepSplit = useCallback((causes: ScoreSplit["causes"]) => setSplit({ of: address, causes }), [address]);
  const isOneTest = asked.id === asked.other;
  const names = isOneTest ? namesOfReports : namesOfTests;
  const addresses = { before: isOneTest ? null : `/tests/${asked.other}`, after: `/tests/${asked.id}` };
  const titles = isOneTest
    ? { gone: "No longer found", added: "New" }
    : { gone: "Only in the other test", added: "Only in this test" };
  return (
    <>
      <PageHeading
        title={toHeadline(comparison, isOneTest, split?.of === address ? split.causes : null)}
        label={isOneTest ? "Two reports of the same test" : "Two tests"}
      >
        {!isOneTest && (
          <>
            <a class="btn" href={addressOfComparison({ id: asked.other, other: asked.id, report: null })}>
              Swap sides
            </a>
            <a class="btn" href={`/tests/${asked.id}?open=compare`}>
              Choose another test
            </a>
          </>
        )}
      </PageHeading>
      <div class="grid g2 sides">
        <SideCard name={names.before} test={other} comparison={comparison} side="before" isLinked={!isOneTest} />
        <SideCard name={names.after} test={test} comparison={comparison} side="after" isLinked />
      </div>
      {hasDifferentScores(comparison) && <SplitCard asked={asked} onLoaded={keepSplit} />}
      <section class="sec" aria-labelledby="differs-h">
        <div class="sec-h">
          <h2 id="differs-h">Differences</h2>
          <p>
            Strikethrough: {names.before.toLowerCase()}. Underline: {names.after.toLowerCase()}.
          </p>
        </div>
        <ChangeGroups comparison={comparison} names={names} />
      </section>
      <section class="sec" aria-labelledby="follows-h">
        <div class="sec-h">
          <h2 id="follows-h">Effect on the report</h2>
        </div>
        <div class="card mb-4">
          <h3>Authentication, type, and grade</h3>
          <VerdictChanges comparison={comparison} names={names} />
        </div>
        <FindingsCompared
          findings={comparison.findings}
          all={test.findings ?? []}
          titles={titles}
          addresses={addresses}
        />
      </section>
      <section class="sec" aria-labelledby="scores-h">
        <div class="sec-h">
          <h2 id="scores-h">Scores by area</h2>
        </div>
        <ScoresCompared scores={comparison.scores} names={names} />
      </section>
    </>
  );
}

function hasDifferentScores({ scores: [composite] }: Comparison): boolean {
  if (!composite || composite.before === null || composite.after === null) return false;
  return toWholeScore(composite.before) !== toWholeScore(composite.after);
}

type SideProps = {
  readonly name: string;
  readonly test: TestReport;
  readonly comparison: Comparison;
  readonly side: "before" | "after";
  readonly isLinked: boolean;
};

function SideCard({ name, test, comparison, side, isLinked }: SideProps) {
  const { subject, from, received_at, label } = test;
  const title = subject?.trim() || "No subject";
  const { analyzed_at } = comparison[side];
  const [composite] = comparison.scores;
  return (
    <section class="card side" aria-label={name}>
      <div>
        <p class="label">{name}</p>
        <h2 class="t4">{isLinked ? <a href={`/tests/${test.id}`}>{title}</a> : title}</h2>
        <p class="small muted">
          {from?.trim() || "No sender"}
          {label !== null && (
            <>
              {" "}
              <span class="tag">{label}</span>
            </>
          )}
        </p>
        <p class="small muted">
          Received <Moment time={received_at} words={toMoment(received_at)} />, analyzed{" "}
          <Moment time={analyzed_at} words={toMoment(analyzed_at)} />
        </p>
      </div>
      <p class="big-score">
        <Score score={composite?.[side] ?? null} grade={comparison.grade[side]} />
      </p>
    </section>
  );
}
