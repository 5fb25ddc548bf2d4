// Builds and connects all parts of the server.

import { type AlertDelivererOptions, createAlertDeliverer } from "../features/alerts/work/deliver.ts";
import { domainDeadlineMs, toSweepOptions } from "../features/domains/work/sweep-context.ts";
import { createEvents } from "../features/events/work/relay.ts";
import { createExpectedWatcher } from "../features/monitors/work/expected.ts";
import { loadIssuers } from "../features/oidc/work/load-issuers.ts";
import { toLink } from "../features/people/rules/links.ts";
import { createSetUpLink } from "../features/people/work/operator-links.ts";
import { findCatchAll } from "../features/people/work/workspaces.ts";
import { endUnfinishedSends } from "../features/sending/work/send-test.ts";
import { openInstallation, prepareDataDirectory } from "../features/server/installation.ts";
import { createMetrics } from "../features/server/metrics/metrics.ts";
import { openService } from "../features/server/readiness/open.ts";
import { createUpgradeWatch } from "../features/server/upkeep/upgrade-watch.ts";
import { followSavedSettings } from "../features/server/work/server-settings.ts";
import { createMoveWatcher } from "../features/streams/work/stream-moves.ts";
import { toAnalysisContextOptions } from "../features/tests/analysis/context.ts";
import {
  analysisThreadLimits,
  type BusyWatch,
  createBusyWatch,
  createJobThread,
  endingWhenIdle,
  examinationThreadLimits,
  type RenewableThread,
  renewingAfterFlood,
} from "../features/tests/analysis/job-thread.ts";
import { createExaminer, type Examiner } from "../features/tests/work/examiner.ts";
import {
  type AnalysisPace,
  type AnalysisQueue,
  createAnalysisPace,
  createAnalysisQueue,
} from "../features/tests/work/queue.ts";
import { lockDataDirectory } from "../platform/database/open.ts";
import { messageOf } from "../platform/errors.ts";
import { takesSetUpCode } from "../platform/http/client-address.ts";
import type { Config } from "../platform/settings/config.ts";
import { spawnThread } from "../platform/system/assets.ts";
import { giveBackMemory } from "../platform/system/give-back-memory.ts";
import { createConfiguredDns } from "../platform/system/real.ts";
import type { System } from "../platform/system/system.ts";
import { dropAllClaims } from "../platform/work/claims.ts";
import { createMailboxWatch, startBackups, startChores, startSyslogFeed } from "./background.ts";
import { type Bound, startListeners } from "./listeners.ts";
import { createRunning, patience, type Running, type RunningTerms, toAnalysisTimes } from "./running.ts";

export type Addresses = Bound & {
  /** Null: the first workspace has no address at a configured seed domain. */
  readonly seedAddress: string | null;
  /** Null: the server already has an owner. */
  readonly setUpLink: string | null;
  /** Works instead of the link, in a browser on this machine. Null: no such browser gets here. */
  readonly setUpCode: string | null;
};

export type App = {
  readonly start: () => Promise<Addresses>;
  /** Accepts nothing new and finishes work in progress within 10 s. */
  readonly stop: () => Promise<void>;
};

/** `given`: names of the settings that the environment or the settings file sets. */
export function createApp(config: Config, system: System, given: readonly string[] = []): App {
  const parts = new AsyncDisposableStack();
  return {
    start: async () => {
      try {
        return await start({ config, system, given }, parts);
      } catch (error) {
        await parts.disposeAsync();
        throw error;
      }
    },
    stop: () => parts.disposeAsync(),
  };
}

/** Each part is added to `parts` once it exists. They are stopped in reverse order. */
async function start(
  { config, system, given }: Pick<RunningTerms, "config" | "system" | "given">,
  parts: AsyncDisposableStack,
): Promise<Addresses> {
  const issuers = config.login === "password" ? [] : await loadIssuers(config.oidc);
  await prepareDataDirectory(config.dataDir);
  const isAlone = config.databaseUrl === null;
  if (isAlone) parts.defer(lockDataDirectory(config.dataDir).release);
  const watch = createUpgradeWatch(config, system);
  const { store, seedAddress, secretKey, plans } = await openInstallation(config, system, { watch });
  parts.defer(store.close);
  // Claims of a killed process do not have to wait for their lease to expire.
  if (isAlone) await store.write(dropAllClaims);
  await endUnfinishedSends(store, system.now(), isAlone);
  const pace = createAnalysisPace(() => performance.now());
  const opened = { config, system, given, store, plans, issuers, secretKey, parts };
  const running = await openRunning(opened, pace);
  await loadSavedSettings(running, isAlone);
  const busy = createBusyWatch(() => performance.now(), quietMs);
  const examiner = openExaminer(running, busy);
  const queue = createQueue(running, busy, pace, examiner.kickSoon);
  const mailboxWatcher = createMailboxWatch(running, queue.kick);
  // Not the queue's thread, so that incoming mail does not delay user requests.
  const askedThread = busy.over(createThread(running, toAnalysisTimes(config).deadlineMs));
  // Not the thread for user requests either, because a split analyzes two messages up to 16 times.
  const splitThread = endingWhenIdle(createThread(running, toAnalysisTimes(config).deadlineMs));
  const {
    bound,
    domainWatcher,
    removals,
    canarySender,
    alertMailer: mailer,
    endWaiting,
  } = await startListeners(running, {
    askedThread,
    splitThread,
    domainThread: createThread(running, domainDeadlineMs),
    examiner,
    mailboxWatcher,
    onReceived: queue.kick,
  });
  // Runs first at shutdown, because the web server waits for pending responses.
  parts.defer(endWaiting);
  // Last, so that a start that fails on a used port has changed nothing.
  queue.start();
  const againThread = createThread(running, toAnalysisTimes(config).deadlineMs, true);
  await startChores(running, endingWhenIdle(againThread), examiner.kickSoon);
  await startBackups(running);
  domainWatcher.start();
  removals.start();
  canarySender.start();
  examiner.start();
  mailboxWatcher.start();
  const moves = createMoveWatcher({ ...running, thread: splitThread });
  parts.defer(() => moves.stop(patience.choresMs));
  moves.start();
  const expected = createExpectedWatcher({ ...running, publish: running.events.publish });
  parts.defer(() => expected.stop(patience.choresMs));
  expected.start();
  startSyslogFeed(running);
  startDeliverer(running, { mailer, baseUrl: () => bound.http });
  const setUp = await createSetUpLink(store, system, isAlone);
  const setUpLink = setUp && toLink("setUp", bound.http, setUp.secret);
  const setUpCode = setUp && takesSetUpCode(config) ? running.firstOwner.code : null;
  return { ...bound, seedAddress, setUpLink, setUpCode };
}

function startDeliverer(running: Running, reach: Pick<AlertDelivererOptions, "mailer" | "baseUrl">): void {
  const { metrics, parts } = running;
  const deliverer = createAlertDeliverer({ ...running, ...reach, onTried: metrics.noteDelivery });
  parts.defer(() => deliverer.stop(patience.deliveriesMs));
  deliverer.start();
}

type Opened = Pick<RunningTerms, "config" | "system" | "given" | "store" | "plans" | "issuers" | "secretKey" | "parts">;

async function openRunning(opened: Opened, pace: AnalysisPace): Promise<Running> {
  const { config, system, parts } = opened;
  const metrics = createMetrics();
  const count = metrics.noteDeferred;
  const { isResting } = pace;
  const { store, service, room, ...opening } = openService({ ...opened, count, isResting });
  parts.defer(opening.stop);
  opening.start();
  const owner = Buffer.from(system.random(16)).toString("hex");
  const events = createEvents({ system, notices: store.notices, owner });
  parts.defer(events.close);
  const uncachedDns = createConfiguredDns(config, { maxCachedAnswers: 0, now: system.now });
  parts.defer(uncachedDns.close);
  return createRunning({
    ...opened,
    store,
    service,
    metrics,
    owner,
    events,
    uncachedDns,
    catchAll: await findCatchAll(store.read, config.catchAll),
    hasRoom: room.hasRoom,
  });
}

/** A page of a report asks for several views in a row. */
const quietMs = 1_000;

function createQueue(running: Running, busy: BusyWatch, pace: AnalysisPace, onReport: () => void): AnalysisQueue {
  const { config, system, metrics, events, analysisWatch, parts } = running;
  const { deadlineMs, leaseMs } = toAnalysisTimes(config);
  const afterFlood = () =>
    void giveBackMemory().catch((error) => system.log.warn("memory not given back", { problem: messageOf(error) }));
  const queue = createAnalysisQueue({
    ...running,
    leaseMs,
    onAnalyzed: (became) => {
      metrics.noteMessage(became);
      onReport();
    },
    publish: (workspaceId, event) => {
      events.publish(workspaceId, event);
      if (event.type === "test.failed") metrics.noteFailure();
      if ("id" in event) analysisWatch.note(event.id);
    },
    noteDnsTimeouts: metrics.noteDnsTimeouts,
    pace,
    isHeld: running.service.isDiskFull,
    thread: busy.over(renewingAfterFlood(createThread(running, deadlineMs), afterFlood)),
  });
  parts.defer(() => queue.stop(patience.analysesMs));
  return queue;
}

function openExaminer(running: Running, { isQuiet }: BusyWatch): Examiner {
  const { config, metrics, events, parts } = running;
  const { deadlineMs, leaseMs } = toAnalysisTimes(config);
  const examiner = createExaminer({
    ...running,
    isQuiet,
    leaseMs,
    publish: events.publish,
    onExamined: metrics.noteExamined,
    // Not one of the other threads: a message that freezes a library must not end the analysis of another.
    thread: endingWhenIdle(createThread(running, deadlineMs, true)),
  });
  parts.defer(() => examiner.stop(patience.examinationsMs));
  return examiner;
}

async function loadSavedSettings({ serverSettings, system, parts }: Running, isAlone: boolean): Promise<void> {
  await serverSettings.load();
  if (!isAlone) parts.defer(followSavedSettings(serverSettings, system));
}

function createThread(running: Running, deadlineMs: number, isBackground = false): RenewableThread {
  const { config, host, serverSettings, parts } = running;
  const toOptions = () => ({
    ...toAnalysisContextOptions(config, host),
    sweep: toSweepOptions(config, host),
    isBackground,
  });
  const limits = isBackground ? examinationThreadLimits(config) : analysisThreadLimits(config);
  const thread = createJobThread({
    spawn: (phase) => spawnThread("worker", { ...toOptions(), phase }, limits),
    deadlineMs,
  });
  serverSettings.onChange(thread.renew);
  parts.defer(thread.close);
  return thread;
}
