// The doors of a running server: the SMTP listener and the web server, made of its parts.

import { setTimeout as pause } from "node:timers/promises";
import { createHttpApp } from "./http/app.ts";
import { toBaseUrl } from "./http/base-url.ts";
import type { Dependencies } from "./http/dependencies.ts";
import { addGauges } from "./http/gauges.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { patience, type Running } from "./running.ts";
import { toHostPort } from "./setting-kinds.ts";
import { createSmtpListener, type SmtpListener } from "./smtp/listener.ts";
import { readWebFiles } from "./system/assets.ts";
import { createPasswordHasher } from "./system/password-hasher.ts";
import { ensureSelfSigned } from "./system/self-signed.ts";
import { followTls, loadTls } from "./system/tls-in-use.ts";
import { createAccounts } from "./tasks/accounts.ts";
import { createAlerts } from "./tasks/alerts.ts";
import { readDashboard } from "./tasks/dashboard.ts";
import { createExporter } from "./tasks/export-tests.ts";
import { openPayments } from "./tasks/payments.ts";
import { receiveMessage } from "./tasks/receive-message.ts";
import { createUploadReceiver } from "./tasks/receive-upload.ts";
import { createRouter } from "./tasks/route-recipient.ts";
import { version } from "./version.ts";

/** Where they listen. */
export type Bound = { readonly http: string; readonly smtp: readonly string[] };

/** What waits in threads of its own. */
export type AskedFor = Pick<
  Dependencies,
  "reanalyze" | "whatIf" | "comparer" | "viewer" | "testFinder" | "domainWhatIf"
>;

export type Watched = Pick<Dependencies, "domainWatcher" | "verificationKey">;

/** Both take connections when it resolves. */
export async function startListeners(
  running: Running,
  onReceived: () => void,
  asked: AskedFor & Watched,
): Promise<Bound> {
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
  { config, system, store, plans, catchAll, metrics, events, intake, hasRoom, alertSealer, parts }: Running,
  onReceived: () => void,
  asked: AskedFor & Watched & Pick<Dependencies, "baseUrl">,
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
    alerts: createAlerts({ ...config, system, plans, sealer: alertSealer, baseUrl: asked.baseUrl }),
    receiveUpload: createUploadReceiver({ intake, hasRoom, plans, system, onReceived }),
    ...asked,
    events,
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
