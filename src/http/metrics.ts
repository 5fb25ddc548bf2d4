// Prometheus metrics in a registry per server, because two servers in one process (tests) must not share counts.
// Requests are counted by route template, never by path, because strangers could fill memory with paths.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { integrationStatuses } from "../integrations/integration.ts";
import type { ExaminationKind } from "../reports/examination.ts";
import { outcomeOf, type SecondReading } from "../reports/second-reading.ts";
import { countDueDomains } from "../store/domains/domain-checks.ts";
import { countMailboxes } from "../store/mailboxes/mailboxes.ts";
import type { Became } from "../store/schema/schema.ts";
import type { Store } from "../store/store.ts";
import { countBacklog } from "../store/tests/tests.ts";
import type { System } from "../system/system.ts";
import type { DomainWatcher } from "../tasks/domains/watcher.ts";

type AnsweredRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
};

type PrunedTests = { readonly why: string; readonly tests: number; readonly bytes: number };

export type Metrics = {
  readonly registry: Registry;
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
  /** A later examination ended. `result` is its JSON; null if it failed. */
  readonly noteExamined: (kind: ExaminationKind, result: string | null) => void;
  /** A message was analyzed. */
  readonly noteMessage: (became: Became) => void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
    noteExamined: countExaminations(registry),
    noteMessage: (became) => messages.inc({ kind: became }),
    noteRequest: ({ method, route, status, durationMs }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
  };
}

/** An unknown cause of a difference may be our bug. */
function countExaminations(registry: Registry): Metrics["noteExamined"] {
  const examinations = new Counter({
    name: "assay_examinations_total",
    help: "Examinations of tests after their report, by kind and outcome.",
    labelNames: ["kind", "state"],
    registers: [registry],
  });
  const readings = new Counter({
    name: "assay_second_reader_total",
    help: "Messages read by a second reader, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const differences = new Counter({
    name: "assay_second_reader_differences_total",
    help: "Differences between Assay and the second reader, by what differs and why.",
    labelNames: ["thing", "cause"],
    registers: [registry],
  });
  return (kind, result) => {
    examinations.inc({ kind, state: result === null ? "failed" : "done" });
    if (kind !== "second-reader" || result === null) return;
    const reading = JSON.parse(result) as SecondReading;
    readings.inc({ outcome: outcomeOf(reading) });
    for (const { thing, cause } of reading.differences) differences.inc({ thing, cause });
  };
}

/** Metrics of the store. */
export function addGauges({ addGauge }: Metrics, { read, readTakenBytes, sqlite }: Store): void {
  addGauge("assay_backlog_messages", "Messages waiting for analysis or being analyzed.", () =>
    countBacklog(read),
  );
  addGauge("assay_database_bytes", "Disk space used by the database in bytes.", readTakenBytes);
  if (sqlite)
    addGauge(
      "assay_database_synchronous",
      "PRAGMA synchronous setting of the live writer (2 means FULL).",
      sqlite.readSynchronous,
    );
}

type Watched = { readonly store: Pick<Store, "read">; readonly system: Pick<System, "now"> };

export function addWatcherGauges(
  { addGauge }: Metrics,
  { store, system }: Watched,
  { lastSweep }: Pick<DomainWatcher, "lastSweep">,
): void {
  addGauge("assay_domains_due", "Monitored domains waiting for a check or being checked.", () =>
    countDueDomains(store.read, system.now()),
  );
  addGauge(
    "assay_domain_sweep_seconds",
    "Duration of this process's last domain sweep in seconds.",
    () => (lastSweep()?.durationMs ?? 0) / 1_000,
  );
  addGauge(
    "assay_domain_sweep_domains",
    "Domains that this process checked in its last sweep.",
    () => lastSweep()?.domains ?? 0,
  );
}

export function addMailboxGauges({ addGaugeBy }: Metrics, { read }: Pick<Store, "read">): void {
  const count = (which: "all" | "inboxes") => async () => {
    const counts = await countMailboxes(read, which);
    return new Map(integrationStatuses.map((status) => [status, counts.get(status) ?? 0]));
  };
  addGaugeBy("status", "assay_mailboxes", "Seed mailboxes and IMAP seed inboxes, by status.", count("all"));
  addGaugeBy(
    "status",
    "assay_inbox_mailboxes",
    "IMAP seed inboxes, by status. Also in assay_mailboxes.",
    count("inboxes"),
  );
}
