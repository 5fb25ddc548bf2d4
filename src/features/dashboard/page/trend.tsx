// Score and placement, day by day for up to thirty days. Both charts highlight the same day, chosen by pointer or arrow keys.

import { useState } from "preact/hooks";
import { toCount, toDateWords, toPercent, toScore } from "../../../web/client/words.ts";
import { centreOf, DayChart, toPercentage } from "../../../web/parts/charts.tsx";
import { placementLooks, toOpenShare, toPlacementShares } from "../../../web/parts/placement-shares.ts";
import { Table } from "../../../web/parts/table.tsx";
import type { DashboardSummary } from "../contract.ts";
import { toPlacementSentence, toReading, toScoreSentence } from "./words.ts";

type Day = DashboardSummary["trend"][number];

/** A new installation would otherwise see a nearly empty month. */
const fewestDays = 7;

export function TrendCard({ trend: month }: { readonly trend: readonly Day[] }) {
  const first = month.findIndex(({ tests }) => tests > 0);
  const trend = month.slice(Math.max(Math.min(first, month.length - fewestDays), 0));
  const [chosen, setChosen] = useState<number | null>(null);
  const lastKnown = trend.findLastIndex(({ tests }) => tests > 0);
  const at = chosen ?? Math.max(lastKnown, 0);
  const shown = { trend, at, isChosen: chosen !== null, onRead: setChosen };
  return (
    <section class="card" aria-labelledby="trend-h">
      <div class="grid g2">
        <ScoreChart {...shown} />
        <PlacementChart {...shown} />
      </div>
      <Numbers trend={trend} />
    </section>
  );
}

type ChartProps = {
  readonly trend: readonly Day[];
  readonly at: number;
  readonly isChosen: boolean;
  readonly onRead: (at: number | null) => void;
};

/** Scores of 50 and more get a larger scale. A lower score needs the whole scale. */
function toScale(trend: readonly Day[]): { readonly foot: number; readonly step: number } {
  return trend.some(({ score }) => score !== null && score < 50) ? { foot: 0, step: 20 } : { foot: 50, step: 10 };
}

function ScoreChart({ trend, at, isChosen, onRead }: ChartProps) {
  const { foot, step } = toScale(trend);
  const steps = Array.from({ length: (100 - foot) / step + 1 }, (_, index) => foot + index * step);
  const heightOf = (score: number) => (score - foot) / (100 - foot);
  const reading = toReading(trend[at], "score");
  return (
    <div>
      <div class="mb-3 row between">
        <h2 id="trend-h">Score, {trend.length} days</h2>
        <p class="key">
          <span>
            <svg aria-hidden="true">
              <line class="ln" x2="14" y1="6" y2="6" />
            </svg>
            Daily average
          </span>
          <EmptyKey />
        </p>
      </div>
      <DayChart
        label={toScoreSentence(trend)}
        days={trend.map(({ date, score }) => ({ date, isEmpty: score === null }))}
        marks={steps.map((score) => ({ height: heightOf(score), word: toCount(score) }))}
        at={at}
        isChosen={isChosen}
        onRead={onRead}
        reading={reading}
      >
        <ScoreLine trend={trend} at={isChosen ? at : null} heightOf={heightOf} />
      </DayChart>
      <p class="reading">{reading}</p>
    </div>
  );
}

type ScoreLineProps = {
  readonly trend: readonly Day[];
  readonly at: number | null;
  readonly heightOf: (score: number) => number;
};

/** The line breaks on days without a score. */
function ScoreLine({ trend, at, heightOf }: ScoreLineProps) {
  const x = (index: number) => centreOf(index, trend.length);
  const y = (score: number) => toPercentage(1 - heightOf(score));
  return (
    <>
      {trend.map(({ date, score }, index) => {
        const next = trend[index + 1]?.score ?? null;
        if (score === null || next === null) return null;
        return <line key={date} class="ln" x1={x(index)} y1={y(score)} x2={x(index + 1)} y2={y(next)} />;
      })}
      {trend.map(({ date, score }, index) =>
        score === null ? null : (
          <circle key={date} class="dot" cx={x(index)} cy={y(score)} r={index === at ? 5 : 2.5} />
        ),
      )}
    </>
  );
}

const halves = [0, 0.5, 1].map((height) => ({ height, word: toPercent(height) }));

function PlacementChart({ trend, at, isChosen, onRead }: ChartProps) {
  const reading = toReading(trend[at], "placement");
  return (
    <div>
      <div class="mb-3 row between">
        <h2>Placement, {trend.length} days</h2>
        <PlacementKey />
      </div>
      <DayChart
        label={toPlacementSentence(trend)}
        days={trend.map(({ date, inboxRate }) => ({ date, isEmpty: inboxRate === null }))}
        marks={halves}
        at={at}
        isChosen={isChosen}
        onRead={onRead}
        reading={reading}
      >
        {trend.map((day, index) => (
          <DayStack key={day.date} day={day} index={index} count={trend.length} />
        ))}
      </DayChart>
      <p class="reading">{reading}</p>
    </div>
  );
}

/** Share of a day's width. The rest is a gap. */
const stackWidth = 0.86;

function DayStack({ day, index, count }: { readonly day: Day; readonly index: number; readonly count: number }) {
  if (day.inboxRate === null) return null;
  const { shares } = toPlacementShares({ inbox: day.inboxRate, promotions: day.promoRate, spam: day.spamRate });
  const x = toPercentage((index + (1 - stackWidth) / 2) / count);
  return (
    <>
      {shares.map(({ name, share, left, fill, className }) => (
        <rect
          key={name}
          x={x}
          y={toPercentage(Math.max(0, 1 - left - share))}
          width={toPercentage(stackWidth / count)}
          height={toPercentage(share)}
          class={className}
          fill={fill ?? undefined}
        />
      ))}
    </>
  );
}

function Numbers({ trend }: { readonly trend: readonly Day[] }) {
  const share = (rate: number | null) => (rate === null ? "–" : toPercent(rate));
  return (
    <details class="numbers">
      <summary>Show as table</summary>
      <Table
        look="bare"
        label="Score and placement by day, newest first"
        columns={["Day", ...["Tests", "Score", "Inbox", "Promotions", "Spam", "Either"].map((num) => ({ num }))]}
      >
        {trend.toReversed().map(({ date, tests, score, inboxRate, promoRate, spamRate }) => (
          <tr key={date}>
            <th scope="row">{toDateWords(date)}</th>
            <td class="num">{toCount(tests)}</td>
            <td class="num">{score === null ? "–" : toScore(score)}</td>
            <td class="num">{share(inboxRate)}</td>
            <td class="num">{share(promoRate)}</td>
            <td class="num">{share(spamRate)}</td>
            <td class="num">
              {share(
                inboxRate === null ? null : toOpenShare({ inbox: inboxRate, promotions: promoRate, spam: spamRate }),
              )}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

export function PlacementKey() {
  return (
    <p class="key">
      {placementLooks.map(({ name, word, fill, className }) => (
        <span key={name}>
          <svg aria-hidden="true">
            <rect width="14" height="12" class={className} fill={fill ?? undefined} />
          </svg>
          {word}
        </span>
      ))}
    </p>
  );
}

function EmptyKey() {
  return (
    <span>
      <svg aria-hidden="true">
        <rect class="empty" width="14" height="12" />
      </svg>
      No tests
    </span>
  );
}
