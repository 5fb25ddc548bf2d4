// Builds the SMTP listener and the web server of a running server.

import { setTimeout as pause } from "node:timers/promises";
import { createHttpApp } from "./http/app.ts";
import { toBaseUrl } from "./http/client-address.ts";
import type { Dependencies } from "./http/dependencies.ts";
import { addGauges } from "./http/metrics.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { patience, type Running } from "./running.ts";
import { type ListenAddress, toHostPort } from "./setting-kinds.ts";
import { createSmtpListener, type SmtpListener } from "./smtp/listener.ts";
import { readWebFiles } from "./system/assets.ts";
import { createProbes } from "./system/doctor-probes.ts";
import { createPasswordHasher } from "./system/password-hasher.ts";
import { ensureSelfSigned } from "./system/self-signed.ts";
import { followTls, loadTls } from "./system/tls-files.ts";
import { createAccounts } from "./tasks/accounts/accounts.ts";
import { createAlerts } from "./tasks/alerts/alerts.ts";
import { openPayments } from "./tasks/billing/payments.ts";
import { createIntegrations } from "./tasks/connections/integrations.ts";
import { createDoctorOnCall } from "./tasks/doctor/on-call.ts";
import { createLoopback, type Loopback } from "./tasks/intake/loopback.ts";
import { receiveMessage } from "./tasks/intake/receive-message.ts";
import { createUploadReceiver } from "./tasks/intake/receive-upload.ts";
import { createRouter } from "./tasks/intake/route-recipient.ts";
import { createLaboratory, type Laboratory } from "./tasks/sending/laboratory.ts";
import { createSampleSender, type SampleSender } from "./tasks/sending/send-test.ts";
import { createSigningKeys, createSignOutgoing } from "./tasks/sending/signing-keys.ts";
import {
  createLoopbackTransport,
  createRelayTransport,
  type MailTransport,
} from "./tasks/sending/transports.ts";
import { readDashboard } from "./tasks/tests/dashboard.ts";
import { createExporter } from "./tasks/tests/export-tests.ts";
import { version } from "./version.ts";

/** The addresses that they listen on. */
export type Bound = { readonly http: string; readonly smtp: readonly string[] };

/** Work for a waiting person, done in separate threads. */
export type AskedFor = Pick<
  Dependencies,
  "reanalyze" | "whatIf" | "comparer" | "viewer" | "testFinder" | "domainWhatIf" | "mailboxes"
>;

type Watched = Pick<Dependencies, "domainWatcher" | "verificationKey">;

/** Resolves when both accept connections. */
export async function startListeners(
  running: Running,
  onReceived: () => void,
  asked: AskedFor & Watched,
): Promise<Bound> {
  const { config, store, sendKey, parts } = running;
  const arrivals = createLoopback({ db: store.read, key: sendKey });
  const smtp = await createSmtp(running, onReceived, arrivals);
  let listens: readonly ListenAddress[] = [];
  let smtpIsBound = false;
  let { httpPort: port } = config;
  const baseUrl = () => toBaseUrl(config, port);
  const sampleSender = createSender(running, { arrivals, baseUrl, listens: () => listens });
  parts.defer(() => sampleSender.stop(patience.sendsMs));
  const laboratory = openLaboratory(running, { arrivals, listens: () => listens });
  parts.defer(() => laboratory.stop(patience.sendsMs));
  const more = { ...asked, baseUrl, sampleSender, laboratory };
  const http = await createHttp(running, onReceived, more, () => smtpIsBound);
  parts.defer(async () => {
    await Promise.all([smtp.stop(), http.stop(patience.requestsMs)]);
  });
  const bound = await smtp.start();
  listens = bound;
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
  arrivals: Loopback,
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
      findReturnPath: arrivals.findReturnPath,
    }),
    receive: async (message) => {
      const tests = await receiveMessage(message, intake, system, arrivals.find);
      onReceived();
      const { raw, session, recipients } = message;
      system.log.info("message received", {
        test: tests.join(" "),
        client: session.clientAddress,
        from: session.mailFrom,
        to: recipients.map(({ address }) => address).join(" "),
        bytes: raw.byteLength,
      });
    },
  });
  parts.defer(followTls(files, pair, listener.useTls, system));
  return listener;
}

function createSender(
  running: Running,
  { baseUrl, ...place }: SenderPlace & Pick<Dependencies, "baseUrl">,
): SampleSender {
  const { config, system, plans, host, sendKey, signing } = running;
  const { sendSmtpUrl, seedDomains, sendVerifiedDomains: verifiedDomains } = config;
  const road = sendSmtpUrl === null ? openLoopRoad(running, place) : createRelayTransport(sendSmtpUrl, host);
  return createSampleSender({
    system,
    plans,
    sendKey,
    seedDomains,
    verifiedDomains,
    sign: createSignOutgoing(signing),
    road,
    baseUrl,
  });
}

function openLaboratory(running: Running, place: SenderPlace): Laboratory {
  const { seedDomains } = running.config;
  return createLaboratory({ ...running, seedDomains, road: openLoopRoad(running, place) });
}

function openLoopRoad({ config, host }: Running, { arrivals, listens }: SenderPlace): MailTransport {
  return createLoopbackTransport({
    name: host,
    listens,
    proxyFrom: config.smtpProxyFrom,
    expect: arrivals.expect,
  });
}

type SenderPlace = {
  readonly arrivals: Loopback;
  readonly listens: () => readonly ListenAddress[];
};

async function createHttp(
  running: Running,
  onReceived: () => void,
  asked: AskedFor & Watched & Pick<Dependencies, "baseUrl" | "sampleSender" | "laboratory">,
  smtpIsBound: () => boolean,
): Promise<HttpServer> {
  const { config, system, store, plans, catchAll, metrics, events, intake, hasRoom, parts } = running;
  const { baseUrl } = asked;
  const alerts = createAlerts({ ...config, system, plans, sealer: running.alertSealer, baseUrl });
  const files =
    config.httpTlsCert !== null && config.httpTlsKey !== null
      ? { cert: config.httpTlsCert, key: config.httpTlsKey }
      : null;
  const pair = files && (await loadTls(files, system));
  addGauges(metrics, store);
  metrics.addGauge("assay_event_streams", "Open event streams.", events.countFollowers);
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
      // A waiting login does not keep the process alive.
      pause: (ms) => pause(ms, undefined, { ref: false }),
    }),
    alerts,
    signingKeys: createSigningKeys(running.signing),
    integrations: createIntegrations({ ...running, sealer: running.integrationSealer, alerts, baseUrl }),
    receiveUpload: createUploadReceiver({ intake, hasRoom, plans, system, onReceived }),
    ...asked,
    events,
    doctor: createDoctorOnCall({ config, system, openProbes: () => createProbes(config, system.now) }),
    exportTests: createExporter({ store, system }),
    readDashboard: (workspaceId, timeZone) => readDashboard({ store, system }, workspaceId, timeZone),
    webFiles: readWebFiles(),
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
