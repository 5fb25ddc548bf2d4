// Builds every part and joins them: the one place that wires.

import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { toLink } from "./accounts/links.ts";
import type { Plans } from "./accounts/plans.ts";
import type { Config } from "./config.ts";
import { createHttpApp } from "./http/app.ts";
import { toBaseUrl } from "./http/base-url.ts";
import type { Dependencies } from "./http/dependencies.ts";
import { addGauges } from "./http/gauges.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { openInstallation, prepareDataDirectory } from "./installation.ts";
import { toHostPort } from "./setting-kinds.ts";
import { createSmtpListener, type SmtpListener } from "./smtp/listener.ts";
import { dropAllClaims } from "./store/claims.ts";
import { createIntake, type Intake } from "./store/intake/intake.ts";
import { lockDataDirectory } from "./store/serve-lock.ts";
import type { Store } from "./store/store.ts";
import { countBacklog } from "./store/tests.ts";
import { spawnThread } from "./system/assets.ts";
import { readFreeBytes } from "./system/data-directory.ts";
import { createPasswordHasher } from "./system/password-hasher.ts";
import { ensureSelfSigned } from "./system/self-signed.ts";
import type { System } from "./system/system.ts";
import { followTls, loadTls } from "./system/tls-in-use.ts";
import { createAccounts } from "./tasks/accounts.ts";
import { toAnalystOptions } from "./tasks/analyst.ts";
import { type AnalysisQueue, createAnalysisQueue } from "./tasks/analyze-tests.ts";
import { createChoreRunner } from "./tasks/chores.ts";
import { createComparer } from "./tasks/comparer.ts";
import { readDashboard } from "./tasks/dashboard.ts";
import { createEvents, type Events, withEvents } from "./tasks/events.ts";
import { createExporter } from "./tasks/export-tests.ts";
import { createTestFinder } from "./tasks/find-tests.ts";
import { createIntakeRoom, type IntakeRoom } from "./tasks/intake-room.ts";
import { createJobThread, type JobThread } from "./tasks/job-thread.ts";
import { createSetUpLink } from "./tasks/operator-links.ts";
import { openPayments } from "./tasks/payments.ts";
import { createReanalyzer } from "./tasks/reanalyze.ts";
import { receiveMessage } from "./tasks/receive-message.ts";
import { createUploadReceiver } from "./tasks/receive-upload.ts";
import { recurringChores } from "./tasks/recurring.ts";
import { startFolding } from "./tasks/rollups.ts";
import { createRouter } from "./tasks/route-recipient.ts";
import { createViewer } from "./tasks/viewer.ts";
import { createWhatIf } from "./tasks/what-if.ts";
import { findCatchAll } from "./tasks/workspaces.ts";
import { version } from "./version.ts";

export type Addresses = {
  readonly http: string;
  readonly smtp: readonly string[];
  readonly seedAddress: string;
  /** Null: the server has an owner. */
  readonly setUpLink: string | null;
};

export type App = {
  readonly start: () => Promise<Addresses>;
  /** Takes nothing new, finishes what is in flight, within 10 s. */
  readonly stop: () => Promise<void>;
};

/** Together under the 10 s in which a stop ends. */
const patience = { requestsMs: 4_000, choresMs: 2_000, analysesMs: 3_000 };
/** A message that has not come back from the analyser this long after its look-ups' time is up never will. */
const analysisGraceMs = 5_000;
/** For what is done before and after the analysis itself. */
const leaseGraceMs = 5_000;

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
    parts,
  };
  const { queue, refuseWaiting, ...asked } = createAnalysis(running, secretKey.derive("send token"));
  const listeners = await startListeners(running, queue.kick, asked);
  // First of all: the web server ends when all that it answers is answered.
  parts.defer(events.endAll);
  parts.defer(refuseWaiting);
  // Only now: a start that finds a port taken has done nothing.
  queue.start();
  await startChores(running);
  const setUp = await createSetUpLink(store, system);
  return { ...listeners, seedAddress, setUpLink: setUp && toLink("setUp", listeners.http, setUp.secret) };
}

type Running = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly plans: Plans;
  /** The name that we greet with and sign our verdicts as. */
  readonly host: string;
  /** Names this process in claims. */
  readonly owner: string;
  readonly metrics: Metrics;
  readonly events: Events;
  /** The workspace that takes what no inbox does. */
  readonly catchAll: string | null;
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  readonly parts: AsyncDisposableStack;
};

type AskedFor = Pick<Dependencies, "reanalyze" | "whatIf" | "comparer" | "viewer">;

/** Two threads read messages: one what comes in, the other what somebody asks for and waits for. */
function createAnalysis(
  running: Running,
  sendKey: Uint8Array,
): AskedFor & { readonly queue: AnalysisQueue; readonly refuseWaiting: () => void } {
  const { config, system, store, owner, metrics, events, parts } = running;
  const deadlineMs = config.analysisBudgetMs + analysisGraceMs;
  const leaseMs = deadlineMs + leaseGraceMs;
  const { publish } = events;
  const terms = { store, system, owner, leaseMs, sendKey, onAnalyzed: metrics.noteMessage, publish };
  const thread = createThread(running, deadlineMs);
  const { reanalyze, close: refuseWaiting } = createReanalyzer({ ...terms, thread, onAnalyzed() {} });
  const whatIf = createWhatIf({ store, thread, system });
  const comparer = createComparer({ store, thread, system });
  const viewer = createViewer({ store, thread, system });
  const queue = createAnalysisQueue({ ...terms, thread: createThread(running, deadlineMs) });
  parts.defer(() => queue.stop(patience.analysesMs));
  return { queue, refuseWaiting, reanalyze, whatIf, comparer, viewer };
}

function createThread({ config, host, parts }: Running, deadlineMs: number): JobThread {
  const options = toAnalystOptions(config, host);
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

async function startListeners(
  running: Running,
  onReceived: () => void,
  asked: AskedFor,
): Promise<Pick<Addresses, "http" | "smtp">> {
  const { config, parts } = running;
  const smtp = await createSmtp(running, onReceived);
  let smtpIsBound = false;
  let { httpPort: port } = config;
  const baseUrl = () => toBaseUrl(config, port);
  const http = await createHttp(running, onReceived, { ...asked, baseUrl }, () => smtpIsBound);
  parts.defer(async () => {
    await Promise.all([smtp.stop(), http.stop(patience.requestsMs)]);
  });
  const bound = await smtp.start();
  smtpIsBound = true;
  port = (await http.start()).port;
  return {
    http: baseUrl(),
    smtp: bound.map(toHostPort),
  };
}

async function createSmtp(
  { config, system, store, plans, host, catchAll, intake, hasRoom, parts }: Running,
  onReceived: () => void,
): Promise<SmtpListener> {
  const selfSigned = await ensureSelfSigned(config.dataDir, [host], system.now());
  const files = { cert: config.smtpTlsCert ?? selfSigned, key: config.smtpTlsKey ?? selfSigned };
  const pair = await loadTls(files, system);
  const listener = createSmtpListener({
    config,
    hostname: host,
    log: system.log,
    now: system.now,
    tls: pair,
    hasRoom,
    route: createRouter({
      db: store.read,
      seedDomains: config.seedDomains,
      catchAll,
      plans,
      now: system.now,
    }),
    receive: async (message) => {
      await receiveMessage(message, intake, system);
      onReceived();
    },
  });
  parts.defer(followTls(files, pair, listener.useTls, system));
  return listener;
}

async function createHttp(
  { config, system, store, plans, catchAll, metrics, events, intake, hasRoom, parts }: Running,
  onReceived: () => void,
  asked: AskedFor & Pick<Dependencies, "baseUrl">,
  smtpIsBound: () => boolean,
): Promise<HttpServer> {
  const files =
    config.httpTlsCert !== null && config.httpTlsKey !== null
      ? { cert: config.httpTlsCert, key: config.httpTlsKey }
      : null;
  const pair = files && (await loadTls(files, system));
  addGauges(metrics, store);
  metrics.addGauge("assay_event_streams", "Event streams that somebody follows.", events.countFollowers);
  const app = createHttpApp({
    config,
    system,
    store,
    plans,
    payments: openPayments(config, system),
    catchAll,
    metrics,
    accounts: createAccounts({
      store,
      system,
      hasher: createPasswordHasher(system.random),
      // Nobody who waits here keeps the process from ending.
      pause: (ms) => pause(ms, undefined, { ref: false }),
    }),
    testFinder: createTestFinder({ store, system }),
    receiveUpload: createUploadReceiver({ intake, hasRoom, plans, system, onReceived }),
    ...asked,
    events,
    exportTests: createExporter({ store, system }),
    readDashboard: (workspaceId, timeZone) => readDashboard({ store, system }, workspaceId, timeZone),
    version,
    readiness: [
      { trouble: "the database takes no writes", holds: () => store.write(async () => true) },
      { trouble: "the SMTP listener is not bound", holds: smtpIsBound },
    ],
  });
  const server = createHttpServer(app, { host: config.httpHost, port: config.httpPort, tls: pair }, system);
  if (files && pair) parts.defer(followTls(files, pair, server.useTls, system));
  return server;
}
