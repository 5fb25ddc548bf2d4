// One stream: its scores over time, where they changed, and what changed there.

import { useState } from "preact/hooks";
import { toWholeScore as toScore } from "../../../analyzer/reports/grade-words.ts";
import { toWholePoints } from "../../../analyzer/words/grade-words.ts";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { toCount, toDay, toMoment, toPercent, toPlural, toShortDay } from "../../../web/client/words.ts";
import { centreOf, DayChart, toPercentage } from "../../../web/parts/charts.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, LoadNote } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { addressOfComparison } from "../../compare/page/comparison.ts";
import { Difference } from "../../compare/page/findings.tsx";
import { type Move, toMoveWords, toSplitWords } from "../../tests/page/stream-words.ts";
import type { StreamDetail } from "../contract.ts";

type Step = StreamDetail["steps"][number];

export function StreamPage({ id }: { readonly id: string }) {
  const { loaded, reload } = useLoaded(id, (signal) => call("GET /api/streams/:id", { params: { id }, signal }));
  const stream = loaded.value;
  useTitle(stream?.name ?? "Stream");
  useLiveReload(reload, ({ type }) => type === "test.analyzed");
  useArrival(stream !== null);
  if (loaded.state === "failed" && loaded.trouble.code === "not_found")
    return (
      <EmptyState icon="search" title="Stream not found" isPage>
        <p>All of its tests were deleted or have expired, or it belongs to another workspace.</p>
        <a class="btn" href="/streams">
          See all streams
        </a>
      </EmptyState>
    );
  return (
    <>
      <LoadNote loaded={loaded} onRetry={reload} lines={10} what="the stream" />
      {stream && <Loaded stream={stream} />}
    </>
  );
}

function Loaded({ stream }: { readonly stream: StreamDetail }) {
  const { name, steps, lastMove } = stream;
  return (
    <>
      <PageHeading title={name} label="Stream" lead={toLead(stream)}>
        <a class="btn" href="/streams">
          All streams
        </a>
      </PageHeading>
      {lastMove !== null && <MoveCard move={lastMove} steps={steps} />}
      {steps.length > 0 && <ScoreCard steps={steps} />}
      <ChangesSection steps={steps} />
      <TestsSection steps={steps} />
    </>
  );
}

function toLead({ usualScore, usualSince, spread, steps }: StreamDetail): string {
  if (steps.length === 0) return "All tests of this stream were deleted.";
  const count = toPlural(steps.length, "test", "tests");
  if (usualScore === null) return `${count}. The usual score is known after three tests.`;
  const around = spread ? `, give or take ${toCount(Math.round(spread))}` : "";
  if (usualSince === null) return `${count}. The usual score is ${toScore(usualScore)}${around}.`;
  const { at, before } = usualSince;
  return `${count}. The usual score has been ${toScore(usualScore)} since ${toDay(at)}${around}. Before that, it was ${toScore(before)}.`;
}

function MoveCard({ move, steps }: { readonly move: Move; readonly steps: readonly Step[] }) {
  const { testId, comparedWith, score, usualScore, at, changes } = move;
  const isComparable = steps.some((step) => step.testId === comparedWith);
  const split = toSplitWords(move);
  return (
    <section class="card mb-4" aria-labelledby="move-h">
      <h2 id="move-h">
        Last unusual score: {toScore(score)}, when {toScore(usualScore)} was usual
      </h2>
      <p>
        <a href={`/tests/${testId}`}>This test</a> scored {toMoveWords(move)}
        {split !== null && `, ${split}`} (<Moment time={at} words={toMoment(at)} />
        ).
      </p>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ says }) => (
            <li key={says}>{says}</li>
          ))}
        </ul>
      )}
      {isComparable && (
        <p class="mt-3">
          <a href={addressOfComparison({ id: testId, other: comparedWith, report: null })}>
            Compare it with the last usual test
          </a>
        </p>
      )}
    </section>
  );
}

const scoreMarks = [0, 25, 50, 75, 100].map((score) => ({ height: score / 100, word: toCount(score) }));

function ScoreCard({ steps }: { readonly steps: readonly Step[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen ?? steps.length - 1;
  const reading = toReading(steps[at]);
  const count = steps.length;
  return (
    <section class="card mb-4" aria-labelledby="score-h">
      <h2 id="score-h">Score, {toPlural(count, "test", "tests")}</h2>
      <DayChart
        label={`Scores of ${toPlural(count, "test", "tests")}, oldest first`}
        days={steps.map(({ testId, receivedAt, score }) => ({
          id: testId,
          date: receivedAt.slice(0, 10),
          word: toShortDay(receivedAt),
          isEmpty: score === null,
        }))}
        marks={scoreMarks}
        at={at}
        isChosen={chosen !== null}
        onRead={setChosen}
        reading={reading}
      >
        {steps.map((step, index) => (
          <Point key={step.testId} step={step} index={index} count={count} />
        ))}
      </DayChart>
      <p class="reading">{reading}</p>
    </section>
  );
}

function Point({ step, index, count }: { readonly step: Step; readonly index: number; readonly count: number }) {
  const { score, points, changes } = step;
  const x = centreOf(index, count);
  return (
    <>
      {changes.length > 0 && <line class="gl turn" x1={x} x2={x} y1="0" y2="100%" />}
      {score !== null && (
        <circle
          class={`dot ${points === null ? "" : points < 0 ? "worse" : "better"}`}
          cx={x}
          cy={toPercentage(1 - score / 100)}
          r={count > 80 ? 2.5 : 4}
        />
      )}
    </>
  );
}

function toReading(step: Step | undefined): string {
  if (step === undefined) return "";
  const { receivedAt, score, changes } = step;
  const scored = score === null ? "no comparable score" : `score ${toScore(score)}`;
  const move = isUnusual(step) ? `, ${toMoveWords(step)}` : "";
  const said = changes.length === 0 ? "" : ` ${changes.map(({ says }) => says).join(" ")}`;
  return `${toMoment(receivedAt)}: ${scored}${move}.${said}`;
}

function ChangesSection({ steps }: { readonly steps: readonly Step[] }) {
  const turns = steps.filter(({ changes, isNew }) => changes.length > 0 || isNew).toReversed();
  return (
    <section class="sec" aria-labelledby="turns-h">
      <div class="sec-h">
        <h2 id="turns-h">Changes</h2>
        <p>Template, headers, links, sending host, DKIM selectors, the sender’s DNS records, and Assay’s own rules.</p>
      </div>
      {turns.length === 0 ? (
        <p class="muted">None of these changed in these tests.</p>
      ) : (
        <ul class="stack">
          {turns.map((step) => (
            <li key={step.testId}>
              <a href={`/tests/${step.testId}`}>
                <Moment time={step.receivedAt} words={toMoment(step.receivedAt)} />
              </a>
              {": "}
              {step.changes.map(({ says }) => says).join(" ") || "None of these changed."}{" "}
              {step.isNew && isUnusual(step) && <Difference points={toWholePoints(step.usualScore, step.score)} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function TestsSection({ steps }: { readonly steps: readonly Step[] }) {
  const share = (rate: number | null) => (rate === null ? "–" : toPercent(rate));
  return (
    <section class="sec" aria-labelledby="tests-h">
      <div class="sec-h">
        <h2 id="tests-h">Tests</h2>
        <p>Shares of mailbox providers, predicted or observed.</p>
      </div>
      <div class="card flush">
        <Table
          look="fold"
          label="Tests of this stream, newest first"
          columns={["Test", "Received", { num: "Score" }, { num: "Difference" }, { num: "Inbox" }, { num: "Spam" }]}
        >
          {steps.toReversed().map((step) => (
            <tr key={step.testId}>
              <th scope="row">
                <a href={`/tests/${step.testId}`}>
                  <bdi>{step.subject?.trim() || "No subject"}</bdi>
                </a>
              </th>
              <td data-l="Received">
                <Moment time={step.receivedAt} words={toMoment(step.receivedAt)} />
              </td>
              <td class="num" data-l="Score">
                {step.score === null ? "–" : toScore(step.score)}
              </td>
              <td class="num" data-l="Difference">
                <StepDifference step={step} />
              </td>
              <td class="num" data-l="Inbox">
                {share(step.inboxRate)}
              </td>
              <td class="num" data-l="Spam">
                {share(step.spamRate)}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}

type UnusualStep = Step & { readonly score: number; readonly usualScore: number };

function isUnusual(step: Step): step is UnusualStep {
  return step.points !== null && step.score !== null && step.usualScore !== null;
}

/** Without a score or a usual score, there is nothing to compare. */
function StepDifference({ step }: { readonly step: Step }) {
  const { score, usualScore } = step;
  if (isUnusual(step)) return <Difference points={toWholePoints(step.usualScore, step.score)} />;
  const word = score === null ? "no score" : usualScore === null ? "not known yet" : "as usual";
  return <span class="faint">{word}</span>;
}
