// Builds and connects all parts of the server.

import { toLink } from "./accounts/links.ts";
import type { Config } from "./config.ts";
import { takesSetUpCode } from "./http/client-address.ts";
import { createMetrics } from "./http/metrics.ts";
import { openInstallation, prepareDataDirectory } from "./installation.ts";
import { type Bound, startListeners } from "./listeners.ts";
import { createRunning, patience, type Running, type RunningTerms, toAnalysisTimes } from "./running.ts";
import { dropAllClaims } from "./store/claims.ts";
import { readMeta } from "./store/engine/meta.ts";
import { lockDataDirectory } from "./store/open.ts";
import { spawnThread } from "./system/assets.ts";
import { createConfiguredDns } from "./system/real.ts";
import { readKeyText } from "./system/secret-key.ts";
import { createSyslogSender } from "./system/syslog.ts";
import type { System } from "./system/system.ts";
import { createSetUpLink } from "./tasks/accounts/operator-links.ts";
import { findCatchAll } from "./tasks/accounts/workspaces.ts";
import { createAlertDeliverer } from "./tasks/alerts/deliver.ts";
import { toAnalysisContextOptions } from "./tasks/analysis/context.ts";
import {
  analysisThreadLimits,
  type BusyWatch,
  createBusyWatch,
  createJobThread,
  endingWhenIdle,
  examinationThreadLimits,
  type RenewableThread,
  renewingAfterFlood,
} from "./tasks/analysis/job-thread.ts";
import { domainDeadlineMs, toSweepOptions } from "./tasks/analysis/sweep-context.ts";
import { createSyslogFeed } from "./tasks/audit/syslog-feed.ts";
import { createBackupSchedule } from "./tasks/backups/schedule.ts";
import { createChoreRunner } from "./tasks/chores.ts";
import { createEvents } from "./tasks/events/relay.ts";
import { createLoopback } from "./tasks/intake/loopback.ts";
import { createMessageKeeper } from "./tasks/mailboxes/keep-messages.ts";
import { createSightingRecorder } from "./tasks/mailboxes/record-sightings.ts";
import { createMailboxThread, mailboxThreadLimits, toMailboxThreadSetup } from "./tasks/mailboxes/threads.ts";
import { createMailboxWatcher, type MailboxWatcher } from "./tasks/mailboxes/watcher.ts";
import { createCanaryMatcher } from "./tasks/monitors/canary-sightings.ts";
import { createExpectedWatcher } from "./tasks/monitors/expected.ts";
import { createAccessTokens } from "./tasks/oauth/access-tokens.ts";
import { loadIssuers } from "./tasks/oidc/load-issuers.ts";
import { openService } from "./tasks/readiness/open.ts";
import { endUnfinishedSends } from "./tasks/sending/send-test.ts";
import { followSavedSettings } from "./tasks/server-settings.ts";
import { createDnsRetries } from "./tasks/tests/dns-retries.ts";
import { createExaminer, type Examiner } from "./tasks/tests/examiner.ts";
import {
  type AnalysisPace,
  type AnalysisQueue,
  createAnalysisPace,
  createAnalysisQueue,
} from "./tasks/tests/queue.ts";
import { createReanalyzer } from "./tasks/tests/reanalyze.ts";
import { startFolding } from "./tasks/tests/rollups.ts";
import { createMoveWatcher } from "./tasks/tests/stream-moves.ts";
import { recurringChores } from "./tasks/upkeep/recurring.ts";
import { createUpgradeWatch } from "./tasks/upkeep/upgrade-watch.ts";

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
  await startChores(running, examiner.kickSoon);
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
  const deliverer = createAlertDeliverer({ ...running, mailer, baseUrl: () => bound.http });
  parts.defer(() => deliverer.stop(patience.deliveriesMs));
  deliverer.start();
  const setUp = await createSetUpLink(store, system, isAlone);
  const setUpLink = setUp && toLink("setUp", bound.http, setUp.secret);
  const setUpCode = setUp && takesSetUpCode(config) ? running.firstOwner.code : null;
  return { ...bound, seedAddress, setUpLink, setUpCode };
}

type Opened = Pick<
  RunningTerms,
  "config" | "system" | "given" | "store" | "plans" | "issuers" | "secretKey" | "parts"
>;

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
    ...{ ...opened, store, metrics, service },
    owner,
    events,
    uncachedDns,
    catchAll: await findCatchAll(store.read, config.catchAll),
    hasRoom: room.hasRoom,
  });
}

/** Messages over IMAP. Four of them are in memory at once, in each of two threads. */
const maxMailboxMessageBytes = 10_485_760;

/** A page of a report asks for several views in a row. */
const quietMs = 1_000;

function createQueue(
  running: Running,
  busy: BusyWatch,
  pace: AnalysisPace,
  onReport: () => void,
): AnalysisQueue {
  const { config, metrics, events, analysisWatch, parts } = running;
  const { deadlineMs, leaseMs } = toAnalysisTimes(config);
  const queue = createAnalysisQueue({
    ...running,
    leaseMs,
    onAnalyzed: (became) => {
      metrics.noteMessage(became);
      onReport();
    },
    publish: (workspaceId, event) => {
      events.publish(workspaceId, event);
      if ("id" in event) analysisWatch.note(event.id);
    },
    noteDnsTimeouts: metrics.noteDnsTimeouts,
    ...{ pace, isHeld: running.service.isDiskFull },
    thread: busy.over(renewingAfterFlood(createThread(running, deadlineMs))),
  });
  parts.defer(() => queue.stop(patience.analysesMs));
  return queue;
}

function openExaminer(running: Running, { isQuiet }: BusyWatch): Examiner {
  const { config, metrics, events, parts } = running;
  const { deadlineMs, leaseMs } = toAnalysisTimes(config);
  const examiner = createExaminer({
    ...{ ...running, isQuiet, leaseMs, publish: events.publish, onExamined: metrics.noteExamined },
    // Not one of the other threads: a message that freezes a library must not end the analysis of another.
    thread: endingWhenIdle(createThread(running, deadlineMs, true)),
  });
  parts.defer(() => examiner.stop(patience.examinationsMs));
  return examiner;
}

async function loadSavedSettings(
  { serverSettings, system, parts }: Running,
  isAlone: boolean,
): Promise<void> {
  await serverSettings.load();
  if (!isAlone) parts.defer(followSavedSettings(serverSettings, system));
}

function createThread(
  { config, host, serverSettings, parts }: Running,
  deadlineMs: number,
  isBackground = false,
): RenewableThread {
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

/** The key is read for each backup, because it can be changed while backups are made by another process. */
async function startBackups(running: Running): Promise<void> {
  const { config, store, parts } = running;
  if (config.backupTo === null) return;
  const schedule = createBackupSchedule({
    ...running,
    installationId: (await readMeta(store.read, "installation_id")) ?? "",
    readKey: () => readKeyText(config),
    spawn: (setup) => spawnThread("backup-thread", setup),
  });
  parts.defer(() => schedule.stop(patience.choresMs));
  await schedule.start();
}

function startSyslogFeed({ config, store, system, host, parts }: Running): void {
  const { auditSyslog: target } = config;
  if (target === null) return;
  const send = createSyslogSender(target);
  const feed = createSyslogFeed({ store, system, send, isFramed: target.protocol === "tcp", host });
  parts.defer(() => feed.stop(patience.choresMs));
  feed.start();
}

async function startChores(running: Running, onAnalyzed: () => void): Promise<void> {
  const { config, store, system, metrics, events, service, parts } = running;
  const folding = startFolding({ store, system });
  parts.defer(() => folding.stop(patience.choresMs));
  const { deadlineMs, leaseMs } = toAnalysisTimes(config);
  const { reanalyze } = createReanalyzer({
    ...{ ...running, leaseMs, onAnalyzed, publish: events.publish, noteDnsTimeouts: metrics.noteDnsTimeouts },
    thread: endingWhenIdle(createThread(running, deadlineMs, true)),
  });
  const isPostponed = () => service.isPostponed("exports");
  const chores = [
    ...recurringChores({ ...running, onPruned: metrics.notePruned }),
    createDnsRetries({ store, system, reanalyze, isPostponed }),
  ];
  const runner = createChoreRunner({ ...running, chores });
  parts.defer(() => runner.stop(patience.choresMs));
  await runner.start();
}

function createMailboxWatch(running: Running, onReceived: () => void): MailboxWatcher {
  const { config, system, events, integrationSealer: sealer, parts, store, sendKey, alertMailKeys } = running;
  const { publish } = events;
  const noteCanary = createCanaryMatcher(running);
  const recorder = createSightingRecorder({ ...running, publish, noteCanary });
  parts.defer(recorder.close);
  const watcher = createMailboxWatcher({
    ...{ ...running, sealer, publish, keepSightings: recorder.keepSightings },
    keepMessage: createMessageKeeper({
      ...{ ...running, onReceived },
      findOwn: createLoopback({ db: store.read, key: sendKey, alertMailKeys }).find,
    }),
    maxMessageBytes: Math.min(config.smtpMaxMessageBytes, maxMailboxMessageBytes),
    accessTokenOf: createAccessTokens({ ...running, sealer }),
    openThread: (onNews) =>
      createMailboxThread({
        spawn: () => spawnThread("mailbox-thread", toMailboxThreadSetup(config), mailboxThreadLimits),
        onNews,
        onDeath: (why) => system.log.error("mailbox thread died", { why }),
      }),
  });
  parts.defer(() => watcher.stop(patience.mailboxesMs));
  return watcher;
}
