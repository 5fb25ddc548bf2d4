// Prometheus metrics in a registry per server, because two servers in one process (tests) must not share counts.
// Requests are counted by route template, never by path, because strangers could fill memory with paths.

import { setTimeout as pause } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { deferralReasons, postponedWork, troubleCodes } from "../../../platform/contract/server-state-words.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { AnsweredRequest } from "../../../platform/server.ts";
import { countBacklog } from "../../tests/rows/tests.ts";
import type { Became } from "../../tests/tables.ts";
import type { DeferralReason } from "../readiness/deferrals.ts";
import type { ServiceState } from "../readiness/state.ts";
import { countOutcomes, type OutcomeMetrics } from "./outcome-metrics.ts";

type PrunedTests = { readonly why: string; readonly tests: number; readonly bytes: number };

export type Metrics = OutcomeMetrics & {
  readonly registry: Registry;
  /** The registry for reading. */
  readonly open: () => Registry;
  /** A value from another module, read when the metrics are requested. */
  readonly addGauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /** The same, for each value of a label. */
  readonly addGaugeBy: (
    label: string,
    name: string,
    help: string,
    read: () => Promise<ReadonlyMap<string, number>>,
  ) => void;
  readonly noteRequest: (request: AnsweredRequest) => void;
  /** Tests were removed because they were too old or too many. */
  readonly notePruned: (pruned: PrunedTests) => void;
  /** A message was analyzed. */
  readonly noteMessage: (became: Became) => void;
  /** A message or a client was asked to try again later. */
  readonly noteDeferred: (reason: DeferralReason) => void;
  /** DNS queries of an analysis that got no answer. */
  readonly noteDnsTimeouts: (count: number) => void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: "assay_http_requests_total",
    help: "HTTP requests served, by method, route, and status.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Seconds from receiving the request headers to sending the response, by method and route.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  });
  const messages = new Counter({
    name: "assay_messages_total",
    help: "Messages analyzed, by result.",
    labelNames: ["kind"],
    registers: [registry],
  });
  const prunedTests = new Counter({
    name: "assay_pruned_tests_total",
    help: "Tests removed by retention, by reason (age or size).",
    labelNames: ["why"],
    registers: [registry],
  });
  const prunedBytes = new Counter({
    name: "assay_pruned_bytes_total",
    help: "Bytes of messages and reports removed by retention, by reason (age or size).",
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
          // Unknown is no figure, and one that is missing must not hide the others.
          const figure = await readWithin(read);
          if (figure === null) this.remove();
          else this.set(figure);
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
          for (const [value, figure] of (await readWithin(read)) ?? []) this.set({ [label]: value }, figure);
        },
      });
    },
    notePruned: ({ why, tests, bytes }) => {
      prunedTests.inc({ why }, tests);
      prunedBytes.inc({ why }, bytes);
    },
    noteMessage: (became) => messages.inc({ kind: became }),
    open: createOpening(registry),
    ...countTrouble(registry),
    ...countOutcomes(registry),
    noteRequest: ({ method, route, status, durationMs }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
  };
}

/** What Node measures is collected from the first request on, because its timer wakes the process 100 times a second. */
function createOpening(registry: Registry): Metrics["open"] {
  let isCollecting = false;
  return () => {
    if (!isCollecting) collectDefaultMetrics({ register: registry });
    isCollecting = true;
    return registry;
  };
}

/** All reasons from the start, because a rate needs the zero before the first one. */
function countTrouble(registry: Registry): Pick<Metrics, "noteDeferred" | "noteDnsTimeouts"> {
  const deferred = new Counter({
    name: "assay_mail_deferred_total",
    help: "Messages and SMTP clients that were asked to try again later, by reason.",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const reason of deferralReasons) deferred.inc({ reason }, 0);
  const timeouts = new Counter({
    name: "assay_dns_timeouts_total",
    help: "DNS queries of analyses that no server answered in time.",
    registers: [registry],
  });
  return { noteDeferred: (reason) => deferred.inc({ reason }), noteDnsTimeouts: (count) => timeouts.inc(count) };
}

/** A scrape must not wait for a database that is away. */
const figureWithinMs = 2_000;

async function readWithin<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await Promise.race([read(), pause(figureWithinMs, null, { ref: false })]);
  } catch {
    return null;
  }
}

/** Metrics of the store. */
export function addGauges({ addGauge }: Metrics, { read, readTakenBytes, sqlite }: Store): void {
  addGauge("assay_backlog_messages", "Messages waiting for analysis or being analyzed.", () => countBacklog(read));
  addGauge("assay_database_bytes", "Disk space used by the database in bytes.", readTakenBytes);
  if (sqlite)
    addGauge(
      "assay_database_synchronous",
      "PRAGMA synchronous setting of the live writer (2 means FULL).",
      sqlite.readSynchronous,
    );
}

/** What keeps mail from being received, and what waits because of the load. */
export function addServiceGauges(
  { addGauge, addGaugeBy }: Metrics,
  service: Pick<ServiceState, "isDatabaseUp" | "isPostponed" | "episodes">,
  readFreeBytes: () => Promise<number>,
): void {
  const toFigure = (is: boolean) => (is ? 1 : 0);
  addGauge("assay_database_up", "Whether the database answers (1) or not (0).", async () =>
    toFigure(await service.isDatabaseUp()),
  );
  addGauge("assay_disk_free_bytes", "Free space on the disk of the data directory in bytes.", readFreeBytes);
  addGaugeBy("reason", "assay_mail_trouble", "What is in the way of mail now (1), by reason.", async () => {
    const now = new Set(service.episodes().map(({ code }) => code));
    return new Map(troubleCodes.map((code) => [code, toFigure(now.has(code))]));
  });
  addGaugeBy("work", "assay_postponed", "What waits because of the load (1), by kind of work.", async () => {
    return new Map(postponedWork.map((work) => [work, toFigure(service.isPostponed(work))]));
  });
}
