// Builds every part and joins them: the one place that wires.

import { hostname } from "node:os";
import { toLink } from "./accounts/links.ts";
import { isVerifiedBy, verifyToken } from "./accounts/verification.ts";
import type { Config } from "./config.ts";
import { addMailboxGauges, addWatcherGauges, createMetrics } from "./http/metrics.ts";
import { openInstallation, prepareDataDirectory } from "./installation.ts";
import { type AskedFor, type Bound, startListeners } from "./listeners.ts";
import { patience, type Running } from "./running.ts";
import { dropAllClaims } from "./store/claims.ts";
import { createIntake } from "./store/intake/intake.ts";
import { lockDataDirectory } from "./store/open.ts";
import { countBacklog } from "./store/tests/tests.ts";
import { spawnThread } from "./system/assets.ts";
import { readFreeBytes } from "./system/data-directory.ts";
import { createDns } from "./system/dns-client.ts";
import { toDnsOptions } from "./system/real.ts";
import { createSealer, type SecretKey } from "./system/secret-key.ts";
import type { System } from "./system/system.ts";
import { createSetUpLink } from "./tasks/accounts/operator-links.ts";
import { findCatchAll } from "./tasks/accounts/workspaces.ts";
import { createAlertDeliverer } from "./tasks/alerts/deliver.ts";
import { alertSealing } from "./tasks/alerts/targets.ts";
import { toAnalysisContextOptions } from "./tasks/analysis/context.ts";
import { createJobThread, type JobThread } from "./tasks/analysis/job-thread.ts";
import { domainDeadlineMs, toSweepOptions } from "./tasks/analysis/sweep-context.ts";
import { createChoreRunner } from "./tasks/chores.ts";
import { learnOfDomain } from "./tasks/domains/domains.ts";
import { createDomainWatcher, type DomainWatcher } from "./tasks/domains/watcher.ts";
import { createDomainWhatIf } from "./tasks/domains/what-if.ts";
import { createEvents, withEvents } from "./tasks/events/relay.ts";
import { createIntakeRoom } from "./tasks/intake/receive-message.ts";
import { createMailboxes, type Mailboxes } from "./tasks/mailboxes/mailboxes.ts";
import { createSightingRecorder } from "./tasks/mailboxes/record-sightings.ts";
import { createMailboxThread, mailboxThreadLimits, toMailboxThreadSetup } from "./tasks/mailboxes/threads.ts";
import { createMailboxWatcher, type MailboxWatcher } from "./tasks/mailboxes/watcher.ts";
import { createAccessTokens, integrationSealing } from "./tasks/oauth/access-tokens.ts";
import { createOauthClient } from "./tasks/oauth/client.ts";
import { endUnfinishedSends } from "./tasks/sending/send-test.ts";
import { type SigningTerms, signingSealing } from "./tasks/sending/signing-keys.ts";
import { createComparer } from "./tasks/tests/comparer.ts";
import { createTestFinder } from "./tasks/tests/find-tests.ts";
import { type AnalysisQueue, createAnalysisPace, createAnalysisQueue } from "./tasks/tests/queue.ts";
import { createReanalyzer } from "./tasks/tests/reanalyze.ts";
import { startFolding } from "./tasks/tests/rollups.ts";
import { createSenderMemory } from "./tasks/tests/seen-senders.ts";
import { createViewer } from "./tasks/tests/viewer.ts";
import { createWhatIf } from "./tasks/tests/what-if.ts";
import { recurringChores } from "./tasks/upkeep/recurring.ts";

export type Addresses = Bound & {
  /** Null: the first workspace has none at a domain that is served. */
  readonly seedAddress: string | null;
  /** Null: the server has an owner. */
  readonly setUpLink: string | null;
};

export type App = {
  readonly start: () => Promise<Addresses>;
  /** Takes nothing new, finishes what is in flight, within 10 s. */
  readonly stop: () => Promise<void>;
};

/** A message that has not come back from the analyser this long after its look-ups' time is up never will. */
const analysisGraceMs = 5_000;
/** For what is done before and after the analysis itself. */
const leaseGraceMs = 5_000;
/** For a domain's row to be written beside many others. */
const domainGraceMs = 20_000;

export function createApp(config: Config, system: System): App {
  const parts = new AsyncDisposableStack();
  return {
    start: async () => {
      try {
        return await start(config, system, parts);
      } catch (error) {
        await parts.disposeAsync();
        throw error;
      }
    },
    stop: () => parts.disposeAsync(),
  };
}

/** Each part is handed to `parts` as soon as it is there; they end in the opposite order. */
async function start(config: Config, system: System, parts: AsyncDisposableStack): Promise<Addresses> {
  await prepareDataDirectory(config.dataDir);
  const isAlone = config.databaseUrl === null;
  if (isAlone) parts.defer(lockDataDirectory(config.dataDir).release);
  const { store, seedAddress, secretKey, plans } = await openInstallation(config, system);
  parts.defer(store.close);
  // What a process that was killed had in hand need not wait until its lease is over.
  if (isAlone) await store.write(dropAllClaims);
  await endUnfinishedSends(store, system.now(), isAlone);
  const metrics = createMetrics();
  const owner = Buffer.from(system.random(16)).toString("hex");
  const events = createEvents({ system, notices: store.notices, owner });
  parts.defer(events.close);
  const running: Running = {
    config,
    system,
    store,
    plans,
    host: config.smtpHostname ?? hostname(),
    owner,
    metrics,
    events,
    catchAll: await findCatchAll(store.read, config.catchAll),
    intake: withEvents(createIntake(store), events.publish),
    hasRoom: createIntakeRoom({
      now: system.now,
      maxBacklog: config.maxBacklog,
      minFreeBytes: config.minFreeBytes,
      countBacklog: () => countBacklog(store.read),
      readFreeBytes: () => readFreeBytes(config.dataDir),
    }),
    sendKey: secretKey.derive("send token"),
    alertSealer: createSealer(secretKey.derive(alertSealing), system.random),
    signing: openSigning(config, system, secretKey, parts),
    integrationSealer: createSealer(secretKey.derive(integrationSealing), system.random),
    oauth: createOauthClient({ config, system }),
    parts,
  };
  const { queue, refuseWaiting, ...asked } = createAnalysis(running);
  const verificationKey = secretKey.derive("domain verification");
  const domainWatcher = await createWatcher(running, verificationKey);
  const { mailboxes, mailboxWatcher } = createMailboxWatch(running);
  const watched = { domainWatcher, verificationKey, mailboxes };
  const listeners = await startListeners(running, queue.kick, { ...asked, ...watched });
  // First of all: the web server ends when all that it answers is answered.
  parts.defer(events.endAll);
  parts.defer(refuseWaiting);
  parts.defer(mailboxes.close);
  // Only now: a start that finds a port taken has done nothing.
  queue.start();
  await startChores(running);
  domainWatcher.start();
  mailboxWatcher.start();
  const deliverer = createAlertDeliverer({ ...running, baseUrl: () => listeners.http });
  parts.defer(() => deliverer.stop(patience.deliveriesMs));
  deliverer.start();
  const setUp = await createSetUpLink(store, system);
  return { ...listeners, seedAddress, setUpLink: setUp && toLink("setUp", listeners.http, setUp.secret) };
}

function openSigning(
  config: Config,
  { now, random }: System,
  secretKey: SecretKey,
  parts: AsyncDisposableStack,
): SigningTerms {
  const dns = createDns({ ...toDnsOptions(config), maxCachedAnswers: 0, now });
  parts.defer(dns.close);
  return { system: { now, random }, sealer: createSealer(secretKey.derive(signingSealing), random), dns };
}

/** Two threads read messages: one what comes in, the other what somebody asks for and waits for. */
function createAnalysis(
  running: Running,
): Omit<AskedFor, "mailboxes"> & { readonly queue: AnalysisQueue; readonly refuseWaiting: () => void } {
  const { config, system, store, owner, metrics, events, sendKey, parts } = running;
  const deadlineMs = config.analysisBudgetMs + analysisGraceMs;
  const leaseMs = deadlineMs + leaseGraceMs;
  const { publish } = events;
  const senders = createSenderMemory(system.now);
  const onAnalyzed = metrics.noteMessage;
  const terms = { store, system, owner, leaseMs, sendKey, senders, onAnalyzed, publish };
  const thread = createThread(running, deadlineMs);
  const { reanalyze, close: refuseWaiting } = createReanalyzer({ ...terms, thread, onAnalyzed() {} });
  const whatIf = createWhatIf({ store, thread, system });
  const testFinder = createTestFinder({ store, system });
  const domainWhatIf = createDomainWhatIf({ store, thread, system, testFinder });
  const comparer = createComparer({ store, thread, system });
  const viewer = createViewer({ store, thread, system });
  const pace = createAnalysisPace(() => performance.now());
  const queue = createAnalysisQueue({ ...terms, pace, thread: createThread(running, deadlineMs) });
  parts.defer(() => queue.stop(patience.analysesMs));
  return { queue, refuseWaiting, reanalyze, whatIf, comparer, viewer, testFinder, domainWhatIf };
}

function createThread({ config, host, parts }: Running, deadlineMs: number): JobThread {
  const options = { ...toAnalysisContextOptions(config, host), sweep: toSweepOptions(config, host) };
  const thread = createJobThread({
    spawn: (phase) => spawnThread("worker", { ...options, phase }),
    deadlineMs,
  });
  parts.defer(thread.close);
  return thread;
}

async function startChores(running: Running): Promise<void> {
  const { store, system, metrics, parts } = running;
  const folding = startFolding({ store, system });
  parts.defer(() => folding.stop(patience.choresMs));
  const chores = recurringChores({ ...running, onPruned: metrics.notePruned });
  const runner = createChoreRunner({ ...running, chores });
  parts.defer(() => runner.stop(patience.choresMs));
  await runner.start();
}

async function createWatcher(running: Running, verificationKey: Uint8Array): Promise<DomainWatcher> {
  const { store, system, metrics, events, parts } = running;
  const watcher = await createDomainWatcher({
    ...running,
    thread: createThread(running, domainDeadlineMs),
    leaseMs: domainDeadlineMs + domainGraceMs,
    publish: events.publish,
    learn: (row) => learnOfDomain(store.read, row, system.now()),
    isMarked: ({ workspace_id, domain }, marks) =>
      isVerifiedBy(marks, verifyToken(verificationKey, workspace_id, domain)),
  });
  addWatcherGauges(metrics, running, watcher);
  parts.defer(() => watcher.stop(patience.domainsMs));
  return watcher;
}

function createMailboxWatch(running: Running): {
  readonly mailboxes: Mailboxes;
  readonly mailboxWatcher: MailboxWatcher;
} {
  const { config, system, store, metrics, events, integrationSealer: sealer, parts } = running;
  const { publish } = events;
  const recorder = createSightingRecorder({ ...running, publish });
  parts.defer(recorder.close);
  const watcher = createMailboxWatcher({
    ...{ ...running, sealer, publish, keepSightings: recorder.keepSightings },
    accessTokenOf: createAccessTokens({ ...running, sealer }),
    openThread: (onNews) =>
      createMailboxThread({
        spawn: () => spawnThread("mailbox-thread", toMailboxThreadSetup(config), mailboxThreadLimits),
        onNews,
        onDeath: (why) => system.log.error("the thread that watches mailboxes died", { why }),
      }),
  });
  addMailboxGauges(metrics, store);
  parts.defer(() => watcher.stop(patience.mailboxesMs));
  return { mailboxes: createMailboxes({ ...config, system, sealer, watcher }), mailboxWatcher: watcher };
}
