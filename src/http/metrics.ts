// Figures for Prometheus, in a registry of this server's own: two servers in one process (tests) must not share counts.
// Requests are counted by the route's template, never by the path as sent, which strangers could fill memory with.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Became } from "../store/schema.ts";

export type AnsweredRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
};

export type PrunedTests = { readonly why: string; readonly tests: number; readonly bytes: number };

export type Metrics = {
  readonly registry: Registry;
  /** A figure of another room, read when the metrics are asked for. */
  readonly addGauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /** The same by the values of one label. */
  readonly addGaugeBy: (
    label: string,
    name: string,
    help: string,
    read: () => Promise<ReadonlyMap<string, number>>,
  ) => void;
  readonly noteRequest: (request: AnsweredRequest) => void;
  /** Tests were removed because they were too old, or too many. */
  readonly notePruned: (pruned: PrunedTests) => void;
  /** A message was analysed. */
  readonly noteMessage: (became: Became) => void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "assay_http_requests_total",
    help: "HTTP requests answered, by method, route and status.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Seconds from a request's header to its answer, by method and route.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  });
  const messages = new Counter({
    name: "assay_messages_total",
    help: "Messages analysed, by what they turned out to be.",
    labelNames: ["kind"],
    registers: [registry],
  });
  const prunedTests = new Counter({
    name: "assay_pruned_tests_total",
    help: "Tests removed by retention, by why: age or size.",
    labelNames: ["why"],
    registers: [registry],
  });
  const prunedBytes = new Counter({
    name: "assay_pruned_bytes_total",
    help: "Bytes of the messages and reports removed by retention, by why: age or size.",
    labelNames: ["why"],
    registers: [registry],
  });
  return {
    registry,
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect: async function () {
          this.set(await read());
        },
      });
    },
    addGaugeBy: (label, name, help, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect: async function () {
          this.reset();
          for (const [value, figure] of await read()) this.set({ [label]: value }, figure);
        },
      });
    },
    notePruned: ({ why, tests, bytes }) => {
      prunedTests.inc({ why }, tests);
      prunedBytes.inc({ why }, bytes);
    },
    noteMessage: (became) => messages.inc({ kind: became }),
    noteRequest: ({ method, route, status, durationMs }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
  };
}
