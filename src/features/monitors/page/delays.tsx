// Uptime, and how long messages took: in a table, and as a chart with a dot for the median of each span and a line up to
// the 95th percentile.

import { useState } from "preact/hooks";
import { toCount, toDuration, toFinePercent, toMoment, toPlural, toShortTime } from "../../../web/client/words.ts";
import { centreOf, DayChart, toPercentage } from "../../../web/parts/charts.tsx";
import { Choice } from "../../../web/parts/form.tsx";
import type { MonitorDetail } from "../contract/canaries.ts";
import { toShareBasis } from "../words/monitor-words.ts";

export type SpanName = "hours" | "days";
type Span = MonitorDetail["spans"][number];

type DelayProps = {
  readonly monitor: MonitorDetail;
  readonly spans: SpanName;
  readonly onSpans: (spans: SpanName) => void;
};

export function DelayCard({ monitor: { spans: all }, spans, onSpans }: DelayProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const count = all.length;
  const at = Math.min(chosen ?? count - 1, count - 1);
  const longestMs = Math.max(1_000, ...all.map(({ p95Ms }) => p95Ms ?? 0));
  const reading = toReading(all[at]);
  return (
    <section class="card mb-4" aria-labelledby="delay-h">
      <div class="settings-h">
        <h2 id="delay-h">Delay and failures</h2>
        <Choice
          legend="Period"
          value={spans}
          onChoose={onSpans}
          options={[
            { value: "hours", label: "24 hours" },
            { value: "days", label: "30 days" },
          ]}
        />
      </div>
      <DayChart
        label={spans === "hours" ? "Delay in each of the last 24 hours" : "Delay in each of the last 30 days"}
        days={all.map(({ from, runs }) => ({
          id: from,
          date: from.slice(0, 10),
          ...(spans === "hours" && { word: toShortTime(from, new Date(from)) }),
          isEmpty: runs === 0,
        }))}
        marks={[0, 0.5, 1].map((height) => ({ height, word: toDuration(height * longestMs) }))}
        at={at}
        isChosen={chosen !== null}
        onRead={setChosen}
        reading={reading}
      >
        {all.map((span, index) => (
          <Point key={span.from} span={span} x={centreOf(index, count)} longestMs={longestMs} />
        ))}
      </DayChart>
      <p class="reading">{reading}</p>
      <p class="muted small">
        Each dot is a median delay, with a line up to the delay of 95%. Dashed lines mark failed runs.
      </p>
    </section>
  );
}

type PointProps = { readonly span: Span; readonly x: string; readonly longestMs: number };

function Point({ span: { p50Ms, p95Ms, failed }, x, longestMs }: PointProps) {
  const toY = (ms: number) => toPercentage(1 - ms / longestMs);
  return (
    <>
      {failed > 0 && <line class="gl turn" x1={x} x2={x} y1="0" y2="100%" />}
      {p50Ms !== null && p95Ms !== null && <line class="gl" x1={x} x2={x} y1={toY(p95Ms)} y2={toY(p50Ms)} />}
      {p50Ms !== null && <circle class={`dot ${failed > 0 ? "worse" : ""}`} cx={x} cy={toY(p50Ms)} r={3} />}
    </>
  );
}

function toReading(span: Span | undefined): string {
  if (span === undefined) return "";
  const { from, runs, failed, p50Ms, p95Ms } = span;
  const since = `From ${toMoment(from)}`;
  if (runs === 0) return `${since}: no finished runs.`;
  const delays =
    p50Ms === null || p95Ms === null
      ? "delay unknown"
      : `median delay ${toDuration(p50Ms)}, 95% within ${toDuration(p95Ms)}`;
  return `${since}: ${toPlural(runs, "run", "runs")}, ${failed} failed, ${delays}.`;
}

const figureRows = [
  { name: "day", label: "24 hours" },
  { name: "week", label: "7 days" },
  { name: "month", label: "30 days" },
] as const;

const delayColumns = ["Median delay", "95% within", "99% within"];

/** The columns between the time span and the delays. */
const countColumns = {
  canary: ["Uptime", "Runs", "Failed"],
  expected: ["On time", "Due times", "Late or missing", "Wrong words"],
} as const;

const figureNotes = {
  canary: "Uptime is the share of the runs that didn’t fail.",
  expected:
    "The share of the times by which mail was due and had arrived. A message with wrong words takes the monitor down, but its due time counts as met if a right message still arrives in time.",
} as const;

/** How late expected mail was says little, because it mostly arrives before it must. */
export function FigureTable({ monitor: { figures, kind } }: Pick<DelayProps, "monitor">) {
  const isTimed = kind === "canary";
  const [share, all, failures, wrong] = countColumns[kind];
  return (
    <div class="mb-4">
      <div class="card flush">
        <table class="table fold">
          <caption>{isTimed ? "Uptime and delay" : "Arrived on time"}</caption>
          <thead>
            <tr>
              {["Last", ...countColumns[kind], ...(isTimed ? delayColumns : [])].map((word, index) => (
                <th key={word} scope="col" class={index === 0 ? undefined : "num"}>
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figureRows.map(({ name, label }) => {
              const { runs, failed, wrongWords, uptime, p50Ms, p95Ms, p99Ms } = figures[name];
              return (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td class="num" data-l={share}>
                    {uptime === null ? <span class="faint">{toShareBasis(kind, runs)}</span> : toFinePercent(uptime)}
                  </td>
                  <td class="num" data-l={all}>
                    {toCount(runs)}
                  </td>
                  <td class="num" data-l={failures}>
                    {toCount(failed)}
                  </td>
                  {wrong !== undefined && (
                    <td class="num" data-l={wrong}>
                      {toCount(wrongWords)}
                    </td>
                  )}
                  {isTimed &&
                    delayColumns.map((label, index) => (
                      <Delay key={label} label={label} ms={[p50Ms, p95Ms, p99Ms][index] ?? null} />
                    ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="muted small mt-2">{figureNotes[kind]}</p>
    </div>
  );
}

function Delay({ label, ms }: { readonly label: string; readonly ms: number | null }) {
  return (
    <td class="num" data-l={label}>
      {ms === null ? <span class="faint">unknown</span> : toDuration(ms)}
    </td>
  );
}
