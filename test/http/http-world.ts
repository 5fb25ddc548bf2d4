// A server over a real socket on an empty database of its own.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Plans, selfHostedPlans } from "../../src/accounts/plans.ts";
import type { Role } from "../../src/accounts/roles.ts";
import { hashSecret } from "../../src/accounts/secrets.ts";
import { cookieName } from "../../src/accounts/sessions.ts";
import type { Dns } from "../../src/dns/answer.ts";
import { createHttpApp } from "../../src/http/app.ts";
import type { ReadinessCheck } from "../../src/http/dependencies.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { createHttpServer, type HttpBounds, httpBounds } from "../../src/http/server.ts";
import { createId } from "../../src/ids.ts";
import { claimedSession } from "../../src/mail/session/session.ts";
import type { PrivateTargets } from "../../src/setting-kinds.ts";
import { createIntake, type Intake } from "../../src/store/intake/intake.ts";
import { openStore } from "../../src/store/open.ts";
import { insertMembership } from "../../src/store/people/memberships.ts";
import { findSession } from "../../src/store/people/sessions.ts";
import { insertUser } from "../../src/store/people/users.ts";
import { inWorkspace, storeOf } from "../../src/store/scope.ts";
import type { Store } from "../../src/store/store.ts";
import { claimTests, listTests } from "../../src/store/tests/tests.ts";
import type { FetchDoor } from "../../src/system/fetch.ts";
import { createFetchOperator, createFetchStranger } from "../../src/system/fetch-doors.ts";
import { createPasswordHasher } from "../../src/system/password-hasher.ts";
import { createSealer } from "../../src/system/secret-key.ts";
import type { PemPair } from "../../src/system/self-signed.ts";
import type { System } from "../../src/system/system.ts";
import { createHostResolver } from "../../src/system/target-guard.ts";
import { createZoneDns, type Zone } from "../../src/system/zone.ts";
import { createAccounts } from "../../src/tasks/accounts/accounts.ts";
import { startSession } from "../../src/tasks/accounts/sessions.ts";
import { issueToken } from "../../src/tasks/accounts/tokens.ts";
import { createWorkspace } from "../../src/tasks/accounts/workspaces.ts";
import { type Alerts, type AlertTerms, createAlerts } from "../../src/tasks/alerts/alerts.ts";
import { createAnalysisContext } from "../../src/tasks/analysis/context.ts";
import type { JobThread } from "../../src/tasks/analysis/job-thread.ts";
import type { Payments } from "../../src/tasks/billing/payments.ts";
import { createIntegrations } from "../../src/tasks/connections/integrations.ts";
import { createDomainWhatIf } from "../../src/tasks/domains/what-if.ts";
import { createEventHub, type EventHubBounds, eventHubBounds } from "../../src/tasks/events/hub.ts";
import { withEvents } from "../../src/tasks/events/relay.ts";
import { createLoopback, type Loopback } from "../../src/tasks/intake/loopback.ts";
import { receiveMessage } from "../../src/tasks/intake/receive-message.ts";
import { createUploadReceiver } from "../../src/tasks/intake/receive-upload.ts";
import { createMailboxes, type Mailboxes, type MailboxTerms } from "../../src/tasks/mailboxes/mailboxes.ts";
import type { TryMailbox } from "../../src/tasks/mailboxes/trials.ts";
import { createOauthClient } from "../../src/tasks/oauth/client.ts";
import type { OauthSettings } from "../../src/tasks/oauth/servers.ts";
import { createLaboratory } from "../../src/tasks/sending/laboratory.ts";
import { createSigningKeys } from "../../src/tasks/sending/signing-keys.ts";
import { analyze } from "../../src/tasks/tests/analyze-claimed.ts";
import { createComparer } from "../../src/tasks/tests/comparer.ts";
import { readDashboard } from "../../src/tasks/tests/dashboard.ts";
import { createExporter, type ExportBounds } from "../../src/tasks/tests/export-tests.ts";
import { createTestFinder } from "../../src/tasks/tests/find-tests.ts";
import { createReanalyzer } from "../../src/tasks/tests/reanalyze.ts";
import { type NonTest, recordNonTest } from "../../src/tasks/tests/record-non-test.ts";
import { createSenderMemory } from "../../src/tasks/tests/seen-senders.ts";
import { createViewer } from "../../src/tasks/tests/viewer.ts";
import { createWhatIf } from "../../src/tasks/tests/what-if.ts";
import { placeMigratedFile } from "../store/migrated-file.ts";
import { createInProcessThread } from "../tasks/analysis/in-process-thread.ts";
import { createZoneWatcher } from "../tasks/domains/zone-watcher.ts";
import { type Asked, ask } from "./ask.ts";
import { createTestDoctor, type Machine } from "./doctor-world.ts";
import { createListLog, type LogLine } from "./list-log.ts";
import { createTestSender, openTestRoad, type SenderOptions } from "./loop-road.ts";

const strangersSession = {
  ...claimedSession({
    clientAddress: "192.0.2.1",
    helo: "mail.sender.example",
    mailFrom: "ann@sender.example",
    rcptTo: [],
  }),
  source: "smtp",
  clientPort: 25_000,
  protocol: "ESMTP",
  dataStartedAt: 0,
  dataEndedAt: 1,
} as const;

const ordinaryMessage = Buffer.from("Subject: Hello\r\n\r\nHi.\r\n");
const offline = { dnsClient: {}, dnsbls: [], rspamdUrl: null, spamdAddress: null };
const noOauth: OauthSettings = {
  ...{ oauthClientId: {}, oauthClientSecret: {}, oauthIssuer: {} },
  ...{ oauthAuthorizeUrl: {}, oauthTokenUrl: {} },
};
/** Real ones take some 40 ms. */
const cheapHash = { memoryKib: 64, passes: 1, lanes: 1 };
export const verificationKey = Buffer.alloc(32, 7);
export const sendKey = Buffer.alloc(32);
const nothingFound = { subject: null, from: null, messageId: null, authenticated: false, sendId: null };

export type HttpWorld = Awaited<ReturnType<typeof openHttpWorld>>;

export type HttpWorldOptions = SenderOptions & {
  readonly metricsToken?: string;
  readonly trustedProxies?: readonly string[];
  readonly readiness?: readonly ReadinessCheck[];
  readonly bounds?: Partial<HttpBounds>;
  readonly exports?: Partial<ExportBounds>;
  readonly tls?: PemPair;
  readonly plans?: Plans;
  readonly payments?: (system: Pick<System, "now" | "log">) => Payments;
  readonly catchAll?: string;
  readonly wrapStore?: (store: Store) => Store;
  /** Reads the messages that people look at, in place of one without faults. */
  readonly viewThread?: JobThread;
  /** Imagines reports, in place of one without faults. */
  readonly imagineThread?: JobThread;
  readonly eventBounds?: Partial<EventHubBounds>;
  /** What ASSAY_ALLOW_PRIVATE_TARGETS has. */
  readonly privateTargets?: PrivateTargets;
  readonly oauth?: Partial<OauthSettings>;
  /** Logs in to the mailboxes that are to be connected, in place of one that always can. */
  readonly tryMailbox?: TryMailbox;
  readonly imapPorts?: readonly number[];
  /** The web app's; none unless given. */
  readonly webFiles?: ReadonlyMap<string, Uint8Array>;
  /** What the doctor finds. */
  readonly machine?: Machine;
  /** Resolves what webhooks are named, in place of the zone. */
  readonly dns?: Dns;
};

/** Ends with the test that started it. */
export async function startHttpWorld(options: HttpWorldOptions = {}): Promise<HttpWorld> {
  const world = await openHttpWorld(options);
  onTestFinished(world.close);
  return world;
}

export async function openHttpWorld(options: HttpWorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-http-"));
  const lines: LogLine[] = [];
  const clock = { nowMs: Date.parse("2026-11-21T06:00:00.000Z") };
  const intakeRoom = { has: true };
  const kicks = { count: 0 };
  const pauses: number[] = [];
  const system = { now: () => clock.nowMs, random: randomBytes, log: createListLog(lines) };
  const plans = options.plans ?? selfHostedPlans;
  const store = await openStore({ databaseFile: await placeMigratedFile(join(folder, "assay.db")) }, system);
  const metrics = createMetrics();
  const internet: { zone: Zone } = { zone: {} };
  const dns: Dns = { query: (name, type) => createZoneDns(internet.zone, system.now).query(name, type) };
  const receiving = { ...offline, receiver: "mx.seed.example", budgetMs: 1_000 };
  const analyst = createAnalysisContext(receiving, system.now, dns);
  const thread = createInProcessThread(analyst);
  const events = createEventHub(system, { ...eventHubBounds, ...options.eventBounds });
  const intake = withEvents(createIntake(store), events.publish);
  const terms = {
    ...{ store, system, thread, owner: "test", leaseMs: 10_000 },
    ...{
      sendKey,
      senders: createSenderMemory(system.now),
      onAnalyzed() {},
      publish: events.publish,
    },
  };
  const alertSealer = createSealer(new Uint8Array(32), randomBytes);
  const signing = { system, sealer: createSealer(new Uint8Array(32).fill(1), randomBytes), dns };
  const integrationSealer = createSealer(new Uint8Array(32).fill(1), randomBytes);
  const fetchOperator = createFetchOperator();
  const oauth = createOauthClient({
    config: { ...noOauth, ...options.oauth },
    system: { ...system, fetchOperator },
  });
  const alerts = openAlerts(options, dns, { plans, system, sealer: alertSealer, baseUrl: () => base });
  const testFinder = createTestFinder({ store, system });
  const { publish } = events;
  const domainWatcher = await createZoneWatcher({ store, system, dns, analyst, verificationKey, publish });
  const arrivals = createLoopback({ db: store.read, key: sendKey });
  let base = "";
  const app = createHttpApp({
    config: {
      seedDomains: ["seed.example"],
      metricsToken: options.metricsToken ?? null,
      trustedProxies: options.trustedProxies ?? [],
      smtpMaxMessageBytes: 100_000,
    },
    system,
    store: options.wrapStore?.(store) ?? store,
    plans,
    payments: options.payments?.(system) ?? null,
    catchAll: options.catchAll ?? null,
    metrics,
    accounts: createAccounts({
      store,
      system,
      hasher: createPasswordHasher(randomBytes, cheapHash),
      pause: async (ms) => void pauses.push(ms),
    }),
    alerts,
    signingKeys: createSigningKeys(signing),
    integrations: createIntegrations({
      system: { ...system, fetchStranger: openStrangersDoor(options, dns) },
      ...{ store, sealer: integrationSealer, oauth, alerts, baseUrl: () => base },
    }),
    mailboxes: openMailboxes(options, dns, { system, sealer: integrationSealer }),
    testFinder,
    receiveUpload: createUploadReceiver({
      intake,
      hasRoom: async () => intakeRoom.has,
      plans,
      system,
      onReceived: () => {
        kicks.count += 1;
      },
    }),
    reanalyze: createReanalyzer(terms).reanalyze,
    whatIf: createWhatIf({ store, system, thread: options.imagineThread ?? thread }),
    domainWatcher,
    domainWhatIf: createDomainWhatIf({
      ...{ store, system, testFinder, thread: options.imagineThread ?? thread },
    }),
    verificationKey,
    comparer: createComparer({ store, system, thread }),
    viewer: createViewer({ store, system, thread: options.viewThread ?? thread }),
    events,
    doctor: createTestDoctor(options.machine, { folder, system, dns }),
    readDashboard: (workspaceId, timeZone) => readDashboard({ store, system }, workspaceId, timeZone),
    sampleSender: createTestSender(
      { store, intake, system, arrivals, plans, sendKey, session: strangersSession, baseUrl: () => base },
      options,
    ),
    laboratory: createLaboratory({
      ...{ system, plans, seedDomains: ["seed.example"] },
      road: openTestRoad({ store, intake, system, arrivals, session: strangersSession }, options),
    }),
    exportTests: createExporter({
      store: options.wrapStore?.(store) ?? store,
      system,
      bounds: options.exports ?? {},
    }),
    webFiles: options.webFiles ?? new Map(),
    version: "1.2.3",
    baseUrl: () => base,
    readiness: options.readiness ?? [],
  });
  const listen = { host: "127.0.0.1", port: 0, tls: options.tls ?? null };
  const server = createHttpServer(app, listen, system, { ...httpBounds, ...options.bounds });
  const { port } = await server.start();
  base = `http${options.tls ? "s" : ""}://127.0.0.1:${port}`;
  return {
    base,
    port,
    clock,
    lines,
    system,
    store,
    server,
    metrics,
    intakeRoom,
    events,
    alertSealer,
    signing,
    integrationSealer,
    oauth,
    folder,
    domainWatcher,
    /** What DNS answers to the analyser. */
    internet,
    /** Analyses all that waits. */
    analyzeAll: async () => {
      const lease = { now: clock.nowMs, owner: "test", leaseMs: 10_000, limit: 100 };
      for (let isMore = true; isMore; ) {
        const claimed = await store.write((db) => claimTests(db, lease));
        for (const test of claimed) await analyze(test, terms);
        isMore = claimed.length === lease.limit;
      }
    },
    /** How long failed log-ins were made to wait, in milliseconds; here nobody waits. */
    pauses,
    /** How often the analysis was told of something new. */
    kicks,
    close: async () => {
      events.endAll();
      await server.stop(1_000);
      await store.close();
      rmSync(folder, { recursive: true });
    },
    ask: (method: string, path: string, asked: Asked = {}) => ask(base, method, path, asked),
    createWorkspace: (name: string) =>
      createWorkspace(store, system, { name, seedDomain: "seed.example", plan: plans.fallback.name }),
    /** A message of a stranger's to the workspace; answers the id of its test. */
    receive: (workspaceId: string, label: string | null = null, raw: Uint8Array = ordinaryMessage) =>
      receive(store, intake, system, workspaceId, { label, raw, findMark: arrivals.find }),
    /** A message that turned out to be no test, kept as that. */
    receiveNoTest: async (workspaceId: string, noTest: Partial<NonTest> & Pick<NonTest, "recognised">) => {
      const testId = await receive(store, intake, system, workspaceId, { label: null, raw: ordinaryMessage });
      await store.write(async (db) => {
        const lease = { now: clock.nowMs, owner: "test", leaseMs: 1_000, limit: 1, only: [testId] };
        const [claimed] = await claimTests(db, lease);
        if (!claimed) throw new Error("The message was not there to be analysed.");
        await recordNonTest(db, claimed, { ...nothingFound, ...noTest }, system);
      });
      return testId;
    },
    issueToken: (workspaceId: string, expiresAt: number | null = null, createdBy: string | null = null) =>
      issueToken(storeOf(store, workspaceId), system, { name: "a token", createdBy, expiresAt }),
    /** Somebody with that role in the workspace, logged in: their id, and the cookie of their session. */
    addPerson: (workspaceId: string, role: Role, name = "Ann") =>
      addPerson(store, system, { workspaceId, role, name }),
    openSession: (userId: string) => openSession(store, system, userId),
  };
}

/** Over the true door, with the guard that every webhook passes. */
function openAlerts(
  { dns: given, privateTargets: allow = { all: false, networks: [] } }: HttpWorldOptions,
  zoneDns: Dns,
  terms: Pick<AlertTerms, "plans" | "sealer" | "baseUrl"> & { system: Pick<System, "now" | "random"> },
): Alerts {
  const dns = given ?? zoneDns;
  const fetchStranger = openStrangersDoor({ privateTargets: allow }, dns);
  return createAlerts({
    ...terms,
    allowPrivateTargets: allow,
    system: { ...terms.system, dns, fetchStranger },
  });
}

function openStrangersDoor(
  { dns, privateTargets: allow = { all: false, networks: [] } }: HttpWorldOptions,
  zoneDns: Dns,
): FetchDoor {
  return createFetchStranger({ allow, resolveHost: createHostResolver(dns ?? zoneDns) });
}

function openMailboxes(
  { dns, privateTargets, imapPorts = [143, 993], tryMailbox = async () => ({ ok: true }) }: HttpWorldOptions,
  zoneDns: Dns,
  terms: Pick<MailboxTerms, "sealer"> & { system: Pick<System, "now" | "random"> },
): Mailboxes {
  return createMailboxes({
    ...{ ...terms, system: { ...terms.system, dns: dns ?? zoneDns }, imapPorts },
    allowPrivateTargets: privateTargets ?? { all: false, networks: [] },
    watcher: { tryOut: tryMailbox, kick: () => {} },
  });
}

async function addPerson(
  store: Store,
  system: Pick<System, "now" | "random">,
  { workspaceId, role, name }: { workspaceId: string; role: Role; name: string },
) {
  const id = createId("user", system.now(), system.random(16));
  const email = `${id}@people.example`;
  await store.write(async (db) => {
    await insertUser(db, { id, name, email, password_hash: "", created_at: system.now() });
    const membership = { user_id: id, role, created_at: system.now() };
    await insertMembership(inWorkspace(db, workspaceId), membership);
  });
  return { id, name, email, cookie: (await openSession(store, system, id)).cookie };
}

async function openSession(store: Store, system: Pick<System, "now" | "random">, userId: string) {
  const browser = { address: "192.0.2.7", agent: "a browser" };
  const { secret } = await store.write((db) => startSession(db, system, userId, browser));
  const session = await findSession(store.read, hashSecret(secret), system.now());
  return { cookie: `${cookieName(false)}=${secret}`, sessionId: session?.id ?? "" };
}

type Heard = {
  readonly label: string | null;
  readonly raw: Uint8Array;
  /** Tells a sample of ours that comes back. */
  readonly findMark?: Loopback["find"];
};

async function receive(
  store: Store,
  intake: Intake,
  system: Pick<System, "now" | "random">,
  workspaceId: string,
  { label, raw, findMark }: Heard,
): Promise<string> {
  const address = "anyone@seed.example";
  const recipient = { workspaceId, seedInboxId: null, label, address };
  const session = { ...strangersSession, rcptTo: [address] };
  const listAll = () => listTests(inWorkspace(store.read, workspaceId), { limit: 1_000 });
  const before = new Set((await listAll()).map(({ id }) => id));
  await receiveMessage({ raw, session, recipients: [recipient] }, intake, system, findMark);
  // Not the newest: those of one millisecond are in no order.
  return (await listAll()).find(({ id }) => !before.has(id))?.id ?? "";
}
