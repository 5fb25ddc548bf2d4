// The list of features, and the loop that connects them: whatever a feature adds, it says in its own index.ts.

import { hostname } from "node:os";
import { version } from "./analyzer/version.ts";
import { alerts } from "./features/alerts/index.ts";
import { auditLog } from "./features/audit-log/index.ts";
import { backups } from "./features/backups/index.ts";
import { billing } from "./features/billing/index.ts";
import { compare } from "./features/compare/index.ts";
import { dashboard } from "./features/dashboard/index.ts";
import { domains } from "./features/domains/index.ts";
import { events } from "./features/events/index.ts";
import { feedback } from "./features/feedback/index.ts";
import { forwarding } from "./features/forwarding/index.ts";
import { handbook } from "./features/handbook/index.ts";
import { hooks } from "./features/hooks/index.ts";
import { intake } from "./features/intake/index.ts";
import { connections, mailboxes } from "./features/mailboxes/index.ts";
import { mcp } from "./features/mcp/index.ts";
import { monitors } from "./features/monitors/index.ts";
import { oidc } from "./features/oidc/index.ts";
import { ownAddresses } from "./features/own-addresses/index.ts";
import { logins, people } from "./features/people/index.ts";
import { toLink } from "./features/people/rules/links.ts";
import { createSetUpLink } from "./features/people/work/operator-links.ts";
import { findCatchAll } from "./features/people/work/workspaces.ts";
import { publicTests } from "./features/public-tests/index.ts";
import { rehearsal } from "./features/rehearsal/index.ts";
import { sampleGallery } from "./features/samples/index.ts";
import { secondReader } from "./features/second-reader/index.ts";
import { samples, sending } from "./features/sending/index.ts";
import { endUnfinishedSends } from "./features/sending/work/send-test.ts";
import { server } from "./features/server/index.ts";
import { openInstallation, prepareDataDirectory } from "./features/server/installation.ts";
import { createMetrics } from "./features/server/metrics/metrics.ts";
import { openService } from "./features/server/readiness/open.ts";
import { createHousekeeping } from "./features/server/upkeep/recurring.ts";
import { createUpgradeWatch } from "./features/server/upkeep/upgrade-watch.ts";
import { streams } from "./features/streams/index.ts";
import { askedOfTests, tests } from "./features/tests/index.ts";
import { createAnalysisPace } from "./features/tests/work/queue.ts";
import { unsubscribe } from "./features/unsubscribe/index.ts";
import { whatIf } from "./features/what-if/index.ts";
import { lockDataDirectory } from "./platform/database/open.ts";
import { createHttpApp } from "./platform/http/app.ts";
import { takesSetUpCode, toBaseUrl } from "./platform/http/client-address.ts";
import { createHttpServer, type HttpServer } from "./platform/http/server.ts";
import {
  type Addresses,
  type App,
  type Feature,
  listRoutes,
  openFeatures,
  type Server,
  stopTimes,
} from "./platform/server.ts";
import type { Config } from "./platform/settings/config.ts";
import { toHostPort } from "./platform/settings/setting-kinds.ts";
import { readWebFiles } from "./platform/system/assets.ts";
import { createConfiguredDns } from "./platform/system/real.ts";
import type { System } from "./platform/system/system.ts";
import { followTls, loadTls } from "./platform/system/tls-files.ts";
import { type Chore, createChoreRunner } from "./platform/work/chores.ts";
import { dropAllClaims } from "./platform/work/claims.ts";

/** Each sees the parts of those before it. */
export const features: readonly Feature[] = [
  server,
  events,
  auditLog,
  billing,
  sending,
  connections,
  alerts,
  people,
  logins,
  oidc,
  intake,
  tests,
  askedOfTests,
  samples,
  sampleGallery,
  mailboxes,
  monitors,
  feedback,
  hooks,
  domains,
  ownAddresses,
  whatIf,
  compare,
  streams,
  dashboard,
  rehearsal,
  publicTests,
  unsubscribe,
  forwarding,
  secondReader,
  backups,
  handbook,
  mcp,
];

export const routes = listRoutes(features);

/** `given`: names of the settings that the environment or the settings file sets. */
export function createApp(config: Config, system: System, given: readonly string[] = []): App {
  const parts = new AsyncDisposableStack();
  return {
    start: async () => {
      try {
        return await start({ config, system, given, parts });
      } catch (error) {
        await parts.disposeAsync();
        throw error;
      }
    },
    stop: () => parts.disposeAsync(),
  };
}

type Terms = Pick<Server, "config" | "system" | "given" | "parts">;

/** What is open is added to `parts`, which are closed in reverse order. */
async function start(terms: Terms): Promise<Addresses> {
  const { config, system, parts } = terms;
  for (const { check } of features) await check?.(config);
  const { seedAddress, ...ground } = await openGround(terms);
  let { httpPort: port } = config;
  const server = await openFeatures(features, {
    ...ground,
    webFiles: readWebFiles(),
    baseUrl: () => toBaseUrl(config, port),
  });
  const stops: (() => Promise<void>)[] = [];
  parts.defer(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });
  for (const { listen } of features) Object.assign(server, await listen?.(server, (stop) => stops.push(stop)));
  const http = await openHttp(server);
  stops.push(() => http.stop(stopTimes.requestsMs));
  port = (await http.start()).port;
  // Runs first at shutdown, because the web server waits for pending responses.
  parts.defer(() => {
    for (const { endWaiting } of features) endWaiting?.(server);
  });
  for (const { start } of features) await start?.(server);
  await startChores(server);
  const { smtpListens, store, firstOwner } = server;
  const setUp = await createSetUpLink(store, system, config.databaseUrl === null);
  return {
    http: server.baseUrl(),
    smtp: smtpListens.map(toHostPort),
    seedAddress,
    setUpLink: setUp && toLink("setUp", server.baseUrl(), setUp.secret),
    setUpCode: setUp && takesSetUpCode(config) ? firstOwner.code : null,
  };
}

/** For a database server that starts at the same time. */
const databaseWithinMs = 60_000;

/** What is there before any feature: the data directory, the database, and whether there is room for mail. */
async function openGround({ config, system, given, parts }: Terms) {
  await prepareDataDirectory(config.dataDir);
  const isAlone = config.databaseUrl === null;
  if (isAlone) parts.defer(lockDataDirectory(config.dataDir).release);
  const starting = { watch: createUpgradeWatch(config, system), patientMs: databaseWithinMs };
  const { store: opened, ...installation } = await openInstallation(config, system, given, starting);
  parts.defer(opened.close);
  // Claims of a killed process do not have to wait for their lease to expire.
  if (isAlone) await opened.write(dropAllClaims);
  await endUnfinishedSends(opened, system.now(), isAlone);
  const metrics = createMetrics();
  const analysisPace = createAnalysisPace(() => performance.now());
  const { isResting } = analysisPace;
  const opening = openService({ config, system, store: opened, count: metrics.noteDeferred, isResting });
  parts.defer(opening.stop);
  opening.start();
  const uncachedDns = createConfiguredDns(config, { maxCachedAnswers: 0, now: system.now });
  parts.defer(uncachedDns.close);
  const { store, service, room } = opening;
  return {
    config,
    system,
    given,
    parts,
    store,
    service,
    metrics,
    analysisPace,
    ...installation,
    uncachedDns,
    version,
    hasRoom: room.hasRoom,
    owner: Buffer.from(system.random(16)).toString("hex"),
    host: config.smtpHostname ?? hostname(),
    catchAll: await findCatchAll(store.read, config.catchAll),
  };
}

async function openHttp(server: Server): Promise<HttpServer> {
  const { config, system, parts } = server;
  const files =
    config.httpTlsCert !== null && config.httpTlsKey !== null
      ? { cert: config.httpTlsCert, key: config.httpTlsKey }
      : null;
  const pair = files && (await loadTls(files, system));
  const app = createHttpApp(server, features);
  const http = createHttpServer(app, { host: config.httpHost, port: config.httpPort, tls: pair }, system);
  if (files && pair) parts.defer(followTls(files, pair, http.useTls, system));
  return http;
}

/** The recurring work of all features. */
export function listChores(server: Server): readonly Chore[] {
  const { metrics, features } = server;
  return [
    createHousekeeping({ ...server, onPruned: metrics.notePruned }),
    ...features.flatMap((feature) => feature.chores?.(server) ?? []),
  ];
}

async function startChores(server: Server): Promise<void> {
  const { parts } = server;
  const runner = createChoreRunner({ ...server, chores: listChores(server) });
  parts.defer(() => runner.stop(stopTimes.choresMs));
  await runner.start();
}
