// Connects the parts behind the HTTP routes, for the server and its tests.

import { version } from "../analyzer/version.ts";
import { createAlertAddresses } from "../features/alerts/work/addresses.ts";
import { createAlerts } from "../features/alerts/work/alerts.ts";
import type { AlertMailer } from "../features/alerts/work/mailer.ts";
import { createFailureCount } from "../features/audit-log/work/failures.ts";
import { createComparer } from "../features/compare/work/comparer.ts";
import { readDashboard } from "../features/dashboard/work/dashboard.ts";
import { learnOfDomain } from "../features/domains/work/domains.ts";
import { domainDeadlineMs } from "../features/domains/work/sweep-context.ts";
import { createDomainWatcher, type DomainWatcher } from "../features/domains/work/watcher.ts";
import { createHooks } from "../features/hooks/work/hooks.ts";
import { createHookReceiver } from "../features/hooks/work/receive.ts";
import { createLoopback } from "../features/intake/work/loopback.ts";
import { createUploadReceiver } from "../features/intake/work/receive-upload.ts";
import { createIntegrations } from "../features/mailboxes/connections/integrations.ts";
import { createMailboxes, type Mailboxes } from "../features/mailboxes/work/mailboxes.ts";
import type { MailboxWatcher } from "../features/mailboxes/work/watcher.ts";
import { createCanaries } from "../features/monitors/work/canaries.ts";
import { type CanarySender, createCanarySender } from "../features/monitors/work/canary-sender.ts";
import { createRelays } from "../features/monitors/work/relays.ts";
import { isVerifiedBy, verifyToken } from "../features/people/rules/verification.ts";
import type { PasswordHasher } from "../features/people/work/password-hasher.ts";
import { createLaboratory } from "../features/samples/work.ts";
import { createAlertMailer } from "../features/sending/work/alert-mailer.ts";
import { createSampleSender } from "../features/sending/work/send-test.ts";
import { createSigningKeys, createSignOutgoing } from "../features/sending/work/signing-keys.ts";
import type { MailTransport } from "../features/sending/work/transports.ts";
import { createDoctorOnCall, type OpenProbes } from "../features/server/doctor/on-call.ts";
import {
  addBackupGauges,
  addGauges,
  addMailboxGauges,
  addServiceGauges,
  addWatcherGauges,
} from "../features/server/metrics/metrics.ts";
import { addObjectMetrics } from "../features/server/metrics/object-metrics.ts";
import { addCertificateGauge } from "../features/server/metrics/outcome-metrics.ts";
import type { JobThread } from "../features/tests/analysis/job-thread.ts";
import type { Examiner } from "../features/tests/work/examiner.ts";
import { createExporter, type ExportBounds } from "../features/tests/work/export-tests.ts";
import { createTestFinder } from "../features/tests/work/find-tests.ts";
import { createReanalyzer } from "../features/tests/work/reanalyze.ts";
import { createRemovals, type Removals } from "../features/tests/work/undoable.ts";
import { createViewer } from "../features/tests/work/viewer.ts";
import { createUnsubscriber } from "../features/unsubscribe/work/unsubscribe.ts";
import { createDomainWhatIf } from "../features/what-if/work/imagine-domains.ts";
import { createWhatIf } from "../features/what-if/work/imagine-tests.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import { readFreeBytes } from "../platform/system/data-directory.ts";
import type { Dependencies } from "./dependencies.ts";
import { createLogIns } from "./login-wiring.ts";
import { patience, type Running, toAnalysisTimes } from "./running.ts";

/** Parts that tests replace. */
export type HttpParts = Pick<Dependencies, "payments" | "webFiles" | "baseUrl" | "readiness" | "readListeners"> & {
  /** Runs jobs that a user is waiting for. */
  readonly askedThread: JobThread;
  /** Splits changes of scores. */
  readonly splitThread: JobThread;
  readonly domainThread: JobThread;
  readonly examiner: Pick<Examiner, "demand" | "kickSoon">;
  readonly mailboxWatcher: Pick<MailboxWatcher, "tryOut" | "kick">;
  readonly sampleTransport: MailTransport;
  readonly laboratoryTransport: MailTransport;
  readonly hasher: PasswordHasher;
  /** Delays failed logins. */
  readonly pause: (ms: number) => Promise<void>;
  readonly openProbes: OpenProbes;
  readonly exportBounds: Partial<ExportBounds>;
  /** Starts the analysis of an upload. */
  readonly onReceived: () => void;
};

export type HttpWiring = {
  readonly dependencies: Dependencies;
  readonly domainWatcher: DomainWatcher;
  /** Started by the server. */
  readonly removals: Removals;
  readonly canarySender: CanarySender;
  readonly alertMailer: AlertMailer;
  /** Ends long waits, so that the web server can stop. */
  readonly endWaiting: () => void;
};

export async function wireHttp(running: Running, parts: HttpParts): Promise<HttpWiring> {
  const { config, system, store, plans, catchAll, metrics, events, verificationKey, serverSettings } = running;
  const { baseUrl } = parts;
  const domainWatcher = await createWatcher(running, parts);
  const mailboxes = openMailboxes(running, parts);
  const { reanalyze, ...asked } = createAsked(running, parts);
  const mail = createAlertMail(running, parts);
  const { canarySender, ...monitors } = createMonitors(running, parts);
  const { alertMailer: mailer, alertAddresses: addresses } = mail;
  const alerts = createAlerts({ ...config, system, plans, sealer: running.alertSealer, baseUrl, mailer, addresses });
  addGauges(metrics, store);
  addServiceGauges(metrics, running.service, () => readFreeBytes(config.dataDir));
  if (config.backupTo !== null) addBackupGauges(metrics, store);
  addObjectMetrics(metrics, store);
  addCertificateGauge(metrics, config);
  metrics.addGauge("assay_event_streams", "Open event streams.", events.countFollowers);
  const removals = createRemovals({ store, system, publish: events.publish });
  running.parts.defer(() => removals.stop(patience.choresMs));
  const dependencies: Dependencies = {
    config,
    system,
    store,
    plans,
    catchAll,
    metrics,
    events,
    verificationKey,
    serverSettings,
    version,
    countFailedLogin: createFailureCount(store, system),
    firstOwner: running.firstOwner,
    reportSigning: running.reportSigning,
    payments: parts.payments,
    webFiles: parts.webFiles,
    readiness: parts.readiness,
    baseUrl,
    readListeners: parts.readListeners,
    ...(await createLogIns(running, parts, mailer)),
    alerts,
    ...mail,
    service: running.service,
    signingKeys: createSigningKeys(running.signing),
    integrations: createIntegrations({ ...running, sealer: running.integrationSealer, alerts, baseUrl }),
    receiveUpload: createUploadReceiver({ ...running, onReceived: parts.onReceived }),
    ...createIncomingHooks(running, parts),
    ...asked,
    removals,
    reanalyze: reanalyze.reanalyze,
    domainWatcher,
    mailboxes,
    ...createSenders(running, parts),
    ...monitors,
    doctor: createDoctorOnCall({ config, system, openProbes: parts.openProbes }),
    exportTests: createExporter({ store, system, bounds: parts.exportBounds, service: running.service }),
    // Loaded at the first message: most servers never get one.
    answerMcp: async (...given) => (await import("../features/mcp/tools/server.ts")).answerMcp(...given),
    readDashboard: (workspaceId, timeZone) => readDashboard({ store, system }, workspaceId, timeZone),
  };
  const endWaiting = () => {
    mailboxes.close();
    reanalyze.close();
    events.endAll();
  };
  return { dependencies, domainWatcher, removals, canarySender, alertMailer: mailer, endWaiting };
}

/** A provider may post one event at a time, in bursts. Refused requests are retried by the provider. */
const hookLimit = { requests: 1_200, windowMs: 60_000 };
/** A provider calls the webhooks of all workspaces from a few addresses. */
const hookAddressLimit = { requests: 3_000, windowMs: 60_000 };

function createIncomingHooks(running: Running, { baseUrl, onReceived }: HttpParts) {
  const { config, system, store, sendKey, alertMailKeys, integrationSealer: sealer, events } = running;
  const { now } = system;
  return {
    hooks: createHooks({ system, sealer, baseUrl }),
    receiveHook: createHookReceiver({
      ...running,
      sealer,
      onReceived,
      publish: events.publish,
      seedDomains: config.seedDomains,
      maxMessageBytes: config.smtpMaxMessageBytes,
      findOwn: createLoopback({ db: store.read, key: sendKey, alertMailKeys }).find,
      limitAddress: createRateLimit({ ...hookAddressLimit, now }),
      limitHook: createRateLimit({ ...hookLimit, now, whose: "to this webhook" }),
    }),
  };
}

/** Services that run in the thread for user requests. */
function createAsked(running: Running, { askedThread: thread, splitThread, examiner }: HttpParts) {
  const { config, system, store, events } = running;
  const { leaseMs } = toAnalysisTimes(config);
  const testFinder = createTestFinder({ store, system });
  return {
    // A re-analyzed message was counted when it arrived.
    reanalyze: createReanalyzer({
      ...running,
      thread,
      leaseMs,
      publish: events.publish,
      onAnalyzed: examiner.kickSoon,
    }),
    whatIf: createWhatIf({ store, thread, system }),
    testFinder,
    domainWhatIf: createDomainWhatIf({ store, thread, system, testFinder }),
    comparer: createComparer({ store, thread, splitThread, system }),
    viewer: createViewer({ store, thread, system }),
    examiner,
  };
}

/** Time to write a domain's row among many others. */
const domainGraceMs = 20_000;

async function createWatcher(running: Running, { domainThread: thread }: HttpParts): Promise<DomainWatcher> {
  const { store, system, metrics, events, verificationKey, parts } = running;
  const watcher = await createDomainWatcher({
    ...running,
    thread,
    leaseMs: domainDeadlineMs + domainGraceMs,
    isHeld: () => running.service.isPostponed("sweeps"),
    publish: events.publish,
    learn: (row) => learnOfDomain(store.read, row, system.now()),
    isMarked: ({ workspace_id, domain }, marks) =>
      isVerifiedBy(marks, verifyToken(verificationKey, workspace_id, domain)),
  });
  addWatcherGauges(metrics, running, watcher);
  parts.defer(() => watcher.stop(patience.domainsMs));
  return watcher;
}

function openMailboxes(running: Running, { mailboxWatcher: watcher }: HttpParts): Mailboxes {
  const { config, system, store, metrics, integrationSealer: sealer } = running;
  addMailboxGauges(metrics, store);
  return createMailboxes({ ...config, system, sealer, watcher });
}

function createAlertMail(
  { config, system, store, alertMailKeys: keys, signing }: Running,
  { baseUrl, sampleTransport: road }: HttpParts,
): Pick<Dependencies, "alertAddresses"> & { readonly alertMailer: AlertMailer } {
  const sign = createSignOutgoing(signing);
  const mailer = createAlertMailer({ config, system, keys, sign, road });
  const alertAddresses = createAlertAddresses({ store, system, mailer, baseUrl });
  return { alertMailer: mailer, alertAddresses };
}

function createSenders(
  running: Running,
  { baseUrl, sampleTransport, laboratoryTransport }: HttpParts,
): Pick<Dependencies, "sampleSender" | "laboratory" | "unsubscriber"> {
  const { config, signing, parts } = running;
  const { seedDomains, sendVerifiedDomains: verifiedDomains } = config;
  const sign = createSignOutgoing(signing);
  const sampleSender = createSampleSender({
    ...running,
    seedDomains,
    verifiedDomains,
    baseUrl,
    road: sampleTransport,
    sign,
  });
  const unsubscriber = createUnsubscriber({ system: running.system, sign, road: sampleTransport });
  parts.defer(() => sampleSender.stop(patience.sendsMs));
  const laboratory = createLaboratory({ ...running, seedDomains, road: laboratoryTransport });
  parts.defer(() => laboratory.stop(patience.sendsMs));
  return { sampleSender, laboratory, unsubscriber };
}

/** Canaries, and the relays that they are sent through. */
function createMonitors(
  running: Running,
  { sampleTransport: road }: HttpParts,
): Pick<Dependencies, "relays" | "canaries"> & { readonly canarySender: CanarySender } {
  const { config, events, signing, parts } = running;
  const { seedDomains, sendVerifiedDomains: verifiedDomains, allowPrivateTargets } = config;
  const relays = createRelays({
    ...running,
    sealer: running.relaySealer,
    allowPrivateTargets,
    listens: config.smtpListen,
  });
  const route = { seedDomains, verifiedDomains, road };
  const canarySender = createCanarySender({
    ...running,
    ...route,
    relays,
    publish: events.publish,
    sign: createSignOutgoing(signing),
  });
  parts.defer(() => canarySender.stop(patience.sendsMs));
  return { relays, canarySender, canaries: createCanaries({ ...running, ...route, kick: canarySender.kick }) };
}
