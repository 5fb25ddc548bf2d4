// Traces and metrics by the OpenTelemetry SDK, with our own way to the network. This file loads the SDK, so only open.ts
// imports it, when a collector is configured.

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { version } from "../version.ts";
import { toHrTime, toMetrics } from "./figures.ts";
import type { Telemetry, TelemetryTerms } from "./open.ts";
import { createSender, type Send } from "./send.ts";
import { type NotedSpan, noSpans, type Spans, toFirstSpanId, toTraceId } from "./spans.ts";

type ExportTerms = TelemetryTerms & { readonly endpoint: string };

const usualIntervals = { spansMs: 5_000, metricsMs: 60_000 };
/** Some megabytes. More spans than the collector takes are dropped. */
const maxWaitingSpans = 8_192;
const spansAtOnce = 512;
/** Longer than a request and its retry. */
const exportTimeoutMs = 12_000;
/** At the stop. A dead collector must not hold it up. */
const closingMs = 1_000;

export function startExport(terms: ExportTerms): Telemetry {
  const { config, system, endpoint, owner, host } = terms;
  const end = new AbortController();
  const open = (what: "traces" | "metrics") =>
    createSender({
      ...{ url: `${endpoint}/v1/${what}`, headers: config.otlpHeaders ?? {}, system, what },
      ended: end.signal,
    });
  const resource = resourceFromAttributes({
    ...{ "service.name": config.otlpService, "service.version": version },
    ...{ "service.instance.id": owner, "host.name": host },
  });
  const meters = startMetrics(terms, resource, open("metrics"));
  const tracing = config.otlpTracePercent === 0 ? null : startTraces(terms, resource, open("traces"));
  return {
    spans: tracing?.spans ?? noSpans,
    close: async () => {
      const closed = Promise.allSettled([meters.shutdown(), tracing?.close()]);
      await Promise.race([closed, pause(closingMs, undefined, { ref: false })]);
      end.abort();
    },
  };
}

function startMetrics(
  { system, readFigures, intervals = usualIntervals }: ExportTerms,
  resource: Resource,
  send: Send,
): MeterProvider {
  const startedAt = system.now();
  const scope = { name: "assay", version };
  const producer: MetricProducer = {
    collect: async () => {
      const metrics = toMetrics(await readFigures(), startedAt, system.now());
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
  const exporter: PushMetricExporter = {
    export: (metrics, done) => {
      const count = metrics.scopeMetrics.reduce((sum, one) => sum + one.metrics.length, 0);
      void deliver(send, () => ProtobufMetricsSerializer.serializeRequest(metrics), count, done);
    },
    forceFlush: async () => {},
    shutdown: async () => {},
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  };
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervals.metricsMs,
    exportTimeoutMillis: Math.min(exportTimeoutMs, intervals.metricsMs),
    metricProducers: [producer],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function startTraces(
  { config, intervals = usualIntervals }: ExportTerms,
  resource: Resource,
  send: Send,
): { readonly spans: Spans; readonly close: () => Promise<void> } {
  const exporter: SpanExporter = {
    export: (spans, done) =>
      void deliver(send, () => ProtobufTraceSerializer.serializeRequest(spans), spans.length, done),
    shutdown: async () => {},
  };
  const ids = createIdGenerator();
  const provider = new TracerProvider({
    resource,
    // By the trace's ID alone, so that all processes decide alike.
    sampler: new TraceIdRatioBasedSampler(config.otlpTracePercent / 100),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaitingSpans,
        maxExportBatchSize: spansAtOnce,
        scheduledDelayMillis: intervals.spansMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer("assay", version);
  const note = (span: NotedSpan, above: Context) => {
    const { name, kind = "internal", startedAt, endedAt, attributes = {}, failed, parts = [] } = span;
    const startTime = toHrTime(startedAt);
    const begun = tracer.startSpan(name, { kind: kinds[kind], startTime, attributes }, above);
    if (failed) begun.setStatus({ code: SpanStatusCode.ERROR });
    const inside = trace.setSpan(ROOT_CONTEXT, begun);
    for (const part of parts) note(part, inside);
    begun.end(toHrTime(Math.max(startedAt, endedAt)));
  };
  return {
    spans: {
      isOn: true,
      note: (span) => {
        const { testId, isFirst } = span;
        if (testId === undefined) return note(span, ROOT_CONTEXT);
        const [traceId, spanId] = [toTraceId(testId), toFirstSpanId(testId)];
        if (isFirst) return ids.with({ traceId, spanId }, () => note(span, ROOT_CONTEXT));
        const first = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
        return note(span, trace.setSpanContext(ROOT_CONTEXT, first));
      },
    },
    close: () => provider.shutdown(),
  };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

type ChosenIds = { readonly traceId: string; readonly spanId: string };

/** Random IDs, except for the first span that is begun within `with`. */
function createIdGenerator() {
  let chosen: { traceId?: string; spanId?: string } = {};
  const random = (bytes: number) => randomBytes(bytes).toString("hex");
  return {
    generateTraceId: () => {
      const { traceId = random(16), ...rest } = chosen;
      chosen = rest;
      return traceId;
    },
    generateSpanId: () => {
      const { spanId = random(8), ...rest } = chosen;
      chosen = rest;
      return spanId;
    },
    with: (ids: ChosenIds, work: () => void) => {
      chosen = ids;
      work();
      chosen = {};
    },
  };
}

type Done = (result: { readonly code: 0 | 1 }) => void;

async function deliver(
  send: Send,
  serialize: () => Uint8Array | undefined,
  count: number,
  done: Done,
): Promise<void> {
  try {
    const body = serialize();
    done({ code: body !== undefined && (await send(body, count)) ? 0 : 1 });
  } catch {
    done({ code: 1 });
  }
}
