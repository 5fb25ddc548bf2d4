// The metrics of /metrics in the form of OpenTelemetry, so that both have the same names and values.

import type { Attributes, HrTime } from "@opentelemetry/api";
import { ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";

type FigureValue = {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** In a histogram: its name with _bucket, _sum, or _count. */
  readonly metricName?: string;
};

/** One metric with its values, as the registry lists it. */
export type Figure = {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly FigureValue[];
};

type Span = { readonly startTime: HrTime; readonly endTime: HrTime };

export function toMetrics(figures: readonly Figure[], startedAt: number, now: number): MetricData[] {
  const span = { startTime: toHrTime(startedAt), endTime: toHrTime(now) };
  return figures.flatMap((figure) => toMetric(figure, span) ?? []);
}

function toMetric({ name, help, type, values }: Figure, span: Span): MetricData | undefined {
  // Without a unit: collectors would append it to the name, which already has it.
  const descriptor = { name, description: help, unit: "", valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const dataPoints = () =>
    values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ value, labels }) => ({ ...span, attributes: toAttributes(labels), value }));
  switch (type) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: dataPoints() };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: dataPoints() };
    case "histogram":
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: toHistograms(name, values, span),
      };
    default:
      return undefined;
  }
}

/** The registry counts a value in all buckets that it fits into, OpenTelemetry only in the first. */
function toHistograms(name: string, values: readonly FigureValue[], span: Span): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  return [...series.values()].map((rows) => {
    const buckets = rows.filter(({ metricName }) => metricName === `${name}_bucket`);
    const read = (part: string) =>
      rows.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
    const { le: _, ...labels } = rows[0]?.labels ?? {};
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const value = { buckets: { boundaries, counts }, sum: read("sum"), count: read("count") };
    return { ...span, attributes: toAttributes(labels), value };
  });
}

function toAttributes(labels: FigureValue["labels"]): Attributes {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

export function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}
