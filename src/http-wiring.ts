// Connects the parts behind the HTTP routes, for the server and its tests.

import { isVerifiedBy, verifyToken } from "./accounts/verification.ts";
import type { Dependencies } from "./http/dependencies.ts";
import {
  addBackupGauges,
  addGauges,
  addMailboxGauges,
  addServiceGauges,
  addWatcherGauges,
} from "./http/metrics.ts";
import { addObjectMetrics } from "./http/object-metrics.ts";
import { addCertificateGauge } from "./http/outcome-metrics.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { createLogIns } from "./login-wiring.ts";
import { patience, type Running, toAnalysisTimes } from "./running.ts";
import { readFreeBytes } from "./system/data-directory.ts";
import type { PasswordHasher } from "./system/password-hasher.ts";
import { createAlertAddresses } from "./tasks/alerts/addresses.ts";
import { createAlerts } from "./tasks/alerts/alerts.ts";
import type { AlertMailer } from "./tasks/alerts/mailer.ts";
import type { JobThread } from "./tasks/analysis/job-thread.ts";
import { domainDeadlineMs } from "./tasks/analysis/sweep-context.ts";
import { createFailureCount } from "./tasks/audit/failures.ts";
import { createIntegrations } from "./tasks/connections/integrations.ts";
import { createDoctorOnCall, type OpenProbes } from "./tasks/doctor/on-call.ts";
import { learnOfDomain } from "./tasks/domains/domains.ts";
import { createDomainWatcher, type DomainWatcher } from "./tasks/domains/watcher.ts";
import { createDomainWhatIf } from "./tasks/domains/what-if.ts";
import { createHooks } from "./tasks/hooks/hooks.ts";
import { createHookReceiver } from "./tasks/hooks/receive.ts";
import { createLoopback } from "./tasks/intake/loopback.ts";
import { createUploadReceiver } from "./tasks/intake/receive-upload.ts";
import { createMailboxes, type Mailboxes } from "./tasks/mailboxes/mailboxes.ts";
import type { MailboxWatcher } from "./tasks/mailboxes/watcher.ts";
import { createRemovals, type Removals } from "./tasks/removal/undoable.ts";
import { createAlertMailer } from "./tasks/sending/alert-mailer.ts";
import { createCanaries } from "./tasks/sending/canaries.ts";
import { type CanarySender, createCanarySender } from "./tasks/sending/canary-sender.ts";
import { createLaboratory } from "./tasks/sending/laboratory.ts";
import { createRelays } from "./tasks/sending/relays.ts";
import { createSampleSender } from "./tasks/sending/send-test.ts";
import { createSigningKeys, createSignOutgoing } from "./tasks/sending/signing-keys.ts";
import type { MailTransport } from "./tasks/sending/transports.ts";
import { createUnsubscriber } from "./tasks/sending/unsubscribe.ts";
import { createComparer } from "./tasks/tests/comparer.ts";
import { readDashboard } from "./tasks/tests/dashboard.ts";
import type { Examiner } from "./tasks/tests/examiner.ts";
import { createExporter, type ExportBounds } from "./tasks/tests/export-tests.ts";
import { createTestFinder } from "./tasks/tests/find-tests.ts";
import { createReanalyzer } from "./tasks/tests/reanalyze.ts";
import { createViewer } from "./tasks/tests/viewer.ts";
import { createWhatIf } from "./tasks/tests/what-if.ts";
import { version } from "./version.ts";

/** Parts that tests replace. */
export type HttpParts = Pick<
  Dependencies,
  "payments" | "webFiles" | "baseUrl" | "readiness" | "readListeners"
> & {
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
  const { config, system, store, plans, catchAll, metrics, events, verificationKey, serverSettings } =
    running;
  const { baseUrl } = parts;
  const domainWatcher = await createWatcher(running, parts);
  const mailboxes = openMailboxes(running, parts);
  const { reanalyze, ...asked } = createAsked(running, parts);
  const mail = createAlertMail(running, parts);
  const { canarySender, ...monitors } = createMonitors(running, parts);
  const { alertMailer: mailer, alertAddresses: addresses } = mail;
  const alerts = createAlerts({
    ...{ ...config, system, plans, sealer: running.alertSealer, baseUrl, mailer, addresses },
  });
  addGauges(metrics, store);
  addServiceGauges(metrics, running.service, () => readFreeBytes(config.dataDir));
  if (config.backupTo !== null) addBackupGauges(metrics, store);
  addObjectMetrics(metrics, store);
  addCertificateGauge(metrics, config);
  metrics.addGauge("assay_event_streams", "Open event streams.", events.countFollowers);
  const removals = createRemovals({ store, system, publish: events.publish });
  running.parts.defer(() => removals.stop(patience.choresMs));
  const dependencies: Dependencies = {
    ...{ config, system, store, plans, catchAll, metrics, events, verificationKey, serverSettings, version },
    countFailedLogin: createFailureCount(store, system),
    firstOwner: running.firstOwner,
    reportSigning: running.reportSigning,
    ...{ payments: parts.payments, webFiles: parts.webFiles, readiness: parts.readiness, baseUrl },
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
    answerMcp: async (...given) => (await import("./mcp/server.ts")).answerMcp(...given),
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
      ...{ ...running, sealer, onReceived, publish: events.publish },
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
      ...{ ...running, thread, leaseMs },
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
    ...{ ...running, seedDomains, verifiedDomains, baseUrl, road: sampleTransport },
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
    ...{ sealer: running.relaySealer, allowPrivateTargets, listens: config.smtpListen },
  });
  const route = { seedDomains, verifiedDomains, road };
  const canarySender = createCanarySender({
    ...{ ...running, ...route, relays, publish: events.publish },
    sign: createSignOutgoing(signing),
  });
  parts.defer(() => canarySender.stop(patience.sendsMs));
  return {
    relays,
    canarySender,
    canaries: createCanaries({ ...running, ...route, kick: canarySender.kick }),
  };
}
