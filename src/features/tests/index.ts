// Tests: the queue, the analysis, reports, lists, and shares.

import type { RememberedKind } from "../../analyzer/checks/kind-rules.ts";
import { nothingSeen, type SeenInMailboxes } from "../../analyzer/reports/observation.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { defineFeature, stopTimes } from "../../platform/server.ts";
import { readOldestDue } from "../../platform/work/claims.ts";
import { createSenderMemory, type SenderMemory } from "../domains/work/seen-senders.ts";
import type { JobThread } from "./analysis/job-thread.ts";
import { openThreads, type Threads, toAnalysisTimes } from "./analysis/threads.ts";
import { emlRoutes, exportRoutes } from "./routes/download.ts";
import { kindRuleRoutes } from "./routes/kind-rules.ts";
import { requireOwnLabel } from "./routes/own-label.ts";
import { reanalysisRoutes } from "./routes/reanalysis.ts";
import { reportFileRoute } from "./routes/report-file.ts";
import { reportFormatRoutes } from "./routes/report-formats.ts";
import { shareRoutes } from "./routes/share-link.ts";
import { testRoutes } from "./routes/tests.ts";
import { readRememberedKinds } from "./rows/kind-rules.ts";
import { listObservations } from "./rows/observations.ts";
import { isNothingAnalyzed } from "./rows/tests.ts";
import type { TestsTable } from "./tables.ts";
import { createDnsRetries } from "./work/dns-retries.ts";
import { createExaminer, type Examiner } from "./work/examiner.ts";
import { createExporter, type ExportBounds, type ExportTests } from "./work/export-tests.ts";
import { createDoorChore } from "./work/fill-doors.ts";
import { createTestFinder, type TestFinder } from "./work/find-tests.ts";
import { type AnalysisPace, type AnalysisQueue, createAnalysisQueue } from "./work/queue.ts";
import { createReanalyzer, type Reanalyze, type Reanalyzer } from "./work/reanalyze.ts";
import { createRemovals, type Removals } from "./work/undoable.ts";
import { createViewer, type Viewer } from "./work/viewer.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly senders: SenderMemory;
    readonly threads: Threads;
    /** Runs jobs that a user is waiting for. */
    readonly askedThread: JobThread;
    /** Splits changes of scores. */
    readonly splitThread: JobThread;
    readonly domainThread: JobThread;
    readonly examiner: Examiner;
    readonly testFinder: TestFinder;
    readonly removals: Removals;
    readonly reanalyzer: Reanalyzer;
    readonly reanalyze: Reanalyze;
    readonly viewer: Viewer;
    readonly exportTests: ExportTests;
    readonly exportBounds: Partial<ExportBounds>;
    readonly analysisPace: AnalysisPace;
    readonly queue: AnalysisQueue;
    /** What seed mailboxes show about a test, and which of them still may. */
    readonly readSeen: (scope: Scope, test: TestsTable, now: number) => Promise<SeenInMailboxes>;
    /** Every test whose analysis ended. */
    readonly onEnded: (testId: string) => void;
  }
  interface WorkspaceSettings {
    readonly kindRules: readonly RememberedKind[];
  }
}

export const tests = defineFeature({
  name: "tests",
  says: "Analyzes a message and shows its report.",
  paths: ["/start", "/tests", "/tests/:id"],
  routes: [
    ...exportRoutes,
    ...testRoutes,
    ...emlRoutes,
    ...reanalysisRoutes,
    ...shareRoutes,
    ...kindRuleRoutes,
    ...reportFormatRoutes,
    reportFileRoute,
  ],
  open: (server) => {
    const { config, system, store, events, metrics, parts, analysisPace: pace } = server;
    const threads = openThreads(server);
    const { leaseMs } = toAnalysisTimes(config);
    const { publish } = events;
    const senders = createSenderMemory(system.now);
    const terms = { ...server, senders, leaseMs, publish, noteDnsTimeouts: metrics.noteDnsTimeouts };
    const examiner = createExaminer({ ...terms, thread: threads.examination });
    parts.defer(() => examiner.stop(stopTimes.examinationsMs));
    const queue = createAnalysisQueue({
      ...terms,
      pace,
      thread: threads.analysis,
      isHeld: server.service.isDiskFull,
      onAnalyzed: metrics.noteMessage,
      publish: (workspaceId, event) => {
        publish(workspaceId, event);
        if (event.type === "test.failed") metrics.noteFailure();
        if ("id" in event) server.onEnded(event.id);
      },
    });
    parts.defer(() => queue.stop(stopTimes.analysesMs));
    const removals = createRemovals({ store, system, publish });
    parts.defer(() => removals.stop(stopTimes.choresMs));
    return {
      senders,
      threads,
      askedThread: threads.asked,
      splitThread: threads.split,
      domainThread: threads.domains,
      examiner,
      queue,
      removals,
      onReceived: queue.kick,
      exportBounds: {},
      requireOwnLabel,
      readSeen: async (scope, { id }) => ({ ...nothingSeen, observations: await listObservations(scope, id) }),
      testFinder: createTestFinder({ store, system }),
    };
  },
  readSettings: async (db, workspaceId) => ({ kindRules: await readRememberedKinds(db, workspaceId) }),
  duties: { analyses: { oldest: (db) => readOldestDue(db, "tests"), withinMs: 3_600_000, isStuck: isNothingAnalyzed } },
  start: ({ queue, removals, examiner }) => {
    queue.start();
    removals.start();
    examiner.start();
  },
  chores: (server) => {
    const { config, store, system, service, metrics, events, threads } = server;
    const { leaseMs } = toAnalysisTimes(config);
    // What DNS left open is analyzed again in its own thread. A re-analyzed message was counted when it arrived.
    const { reanalyze } = createReanalyzer({
      ...server,
      leaseMs,
      publish: events.publish,
      noteDnsTimeouts: metrics.noteDnsTimeouts,
      thread: threads.again,
    });
    const isPostponed = () => service.isPostponed("exports");
    return [createDoorChore(store), createDnsRetries({ store, system, reanalyze, isPostponed })];
  },
});

/** What members ask of tests. In a thread for them, so that incoming mail does not delay anybody. */
export const askedOfTests = defineFeature({
  name: "asked of tests",
  says: "Analyzes again, shows messages, and exports.",
  open: (server) => {
    const { config, store, system, askedThread: thread, events, exportBounds: bounds, service } = server;
    const { leaseMs } = toAnalysisTimes(config);
    const reanalyzer = createReanalyzer({ ...server, thread, leaseMs, publish: events.publish });
    return {
      reanalyzer,
      reanalyze: reanalyzer.reanalyze,
      viewer: createViewer({ store, thread, system }),
      exportTests: createExporter({ store, system, bounds, service }),
    };
  },
  endWaiting: ({ reanalyzer }) => reanalyzer.close(),
});
