// A server over a real socket on an empty database of its own.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Dns } from "../../src/analyzer/dns/answer.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import type { FetchDoor } from "../../src/analyzer/facts/fetch.ts";
import type { SmtpSession } from "../../src/analyzer/mail/session/session.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { version } from "../../src/analyzer/version.ts";
import type { Payments } from "../../src/features/billing/work/payments.ts";
import { createEventHub, type EventHubBounds, eventHubBounds } from "../../src/features/events/work/hub.ts";
import type { ListenerReach } from "../../src/features/intake/smtp/login.ts";
import type { Loopback } from "../../src/features/intake/work/loopback.ts";
import { receiveMessage } from "../../src/features/intake/work/receive-message.ts";
import type { OauthSettings } from "../../src/features/mailboxes/oauth/servers.ts";
import type { TryMailbox } from "../../src/features/mailboxes/work/trials.ts";
import { insertMembership } from "../../src/features/people/rows/memberships.ts";
import { findSession } from "../../src/features/people/rows/sessions.ts";
import { insertUser } from "../../src/features/people/rows/users.ts";
import { type Plans, selfHostedPlans } from "../../src/features/people/rules/plans.ts";
import { createPasswordHasher } from "../../src/features/people/work/password-hasher.ts";
import { startSession } from "../../src/features/people/work/sessions.ts";
import { issueToken, type WantedToken } from "../../src/features/people/work/tokens.ts";
import { createWorkspace } from "../../src/features/people/work/workspaces.ts";
import type { MailTransport } from "../../src/features/sending/work/transports.ts";
import { createMetrics } from "../../src/features/server/metrics/metrics.ts";
import type { ServiceState } from "../../src/features/server/readiness/state.ts";
import { createServerSettings, settingSealing } from "../../src/features/server/work/server-settings.ts";
import { createAnalysisContext } from "../../src/features/tests/analysis/context.ts";
import type { JobThread } from "../../src/features/tests/analysis/job-thread.ts";
import { toAnalysisTimes } from "../../src/features/tests/analysis/threads.ts";
import { findCountedTests } from "../../src/features/tests/rows/lists.ts";
import { claimTests, listTests } from "../../src/features/tests/rows/tests.ts";
import { analyzeQueued } from "../../src/features/tests/work/analyze-claimed.ts";
import { createExaminer } from "../../src/features/tests/work/examiner.ts";
import type { ExportBounds } from "../../src/features/tests/work/export-tests.ts";
import { withSettings } from "../../src/features/tests/work/path.ts";
import { createAnalysisPace } from "../../src/features/tests/work/queue.ts";
import { type NonTest, recordNonTest } from "../../src/features/tests/work/record-non-test.ts";
import { lateRecord } from "../../src/platform/audit/rows/recording.ts";
import type { Role } from "../../src/platform/contract/roles.ts";
import { hashSecret } from "../../src/platform/contract/secrets.ts";
import { cookieName } from "../../src/platform/contract/sessions.ts";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import { inWorkspace, storeOf } from "../../src/platform/database/scope.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { createHttpApp } from "../../src/platform/http/app.ts";
import { createHttpServer, type HttpBounds, httpBounds } from "../../src/platform/http/server.ts";
import { createId } from "../../src/platform/ids.ts";
import { openFeatures, type ReadinessCheck, type Server } from "../../src/platform/server.ts";
import type { PrivateTargets, VerifiedDomain } from "../../src/platform/settings/setting-kinds.ts";
import { createSealerFor } from "../../src/platform/system/secret-key.ts";
import type { PemPair } from "../../src/platform/system/self-signed.ts";
import type { System } from "../../src/platform/system/system.ts";
import { features } from "../../src/server.ts";
import { createZoneSweep } from "../features/domains/work/zone-sweep.ts";
import { createInProcessThread } from "../features/tests/analysis/in-process-thread.ts";
import { placeMigratedFile } from "../platform/database/migrated-file.ts";
import { type Asked, ask } from "./ask.ts";
import { type Machine, openTestProbes } from "./doctor-world.ts";
import type { LogLine } from "./list-log.ts";
import { createLoopRoad } from "./loop-road.ts";
import { loadTestKey, toConfig, toSystem } from "./world-ground.ts";

const strangersSession = {
  ...claimedSession({
    clientAddress: "192.0.2.1",
    helo: "mail.sender.example",
    mailFrom: "ann@sender.example",
    rcptTo: [],
  }),
  door: { kind: "smtp" },
  clientPort: 25_000,
  protocol: "ESMTP",
  dataStartedAt: 0,
  dataEndedAt: 1,
} as const;

const ordinaryMessage = Buffer.from("Subject: Hello\r\n\r\nHi.\r\n");
const receiving = {
  dnsClient: {},
  dnsbls: [],
  rspamdUrl: null,
  spamdAddress: null,
  receiver: "mx.seed.example",
  budgetMs: 1_000,
};
const quietService: ServiceState = {
  note() {},
  noteTrouble() {},
  look: async () => [],
  episodes: () => [],
  summarize: () => "",
  isDatabaseUp: async () => true,
  isDiskFull: () => false,
  isCrowded: () => false,
  whyNoRoom: async () => "backlog_full" as const,
  isPostponed: () => false,
  postponed: () => [],
};
/** Real ones take some 40 ms. */
const cheapHash = { memoryKib: 64, passes: 1, lanes: 1 };
const nothingFound = { subject: null, from: null, messageId: null, authenticated: false, sendId: null };

export type HttpWorld = Awaited<ReturnType<typeof openHttpWorld>>;

export type HttpWorldOptions = {
  /** In place of the way to our own listener. */
  readonly road?: MailTransport;
  /** What ASSAY_SEND_VERIFIED_DOMAINS has. */
  readonly verifiedDomains?: readonly VerifiedDomain[];
  readonly metricsToken?: string;
  readonly trustedProxies?: readonly string[];
  /** What is in the way of mail; nothing unless given. */
  readonly service?: Partial<ServiceState>;
  readonly readiness?: readonly ReadinessCheck[];
  readonly bounds?: Partial<HttpBounds>;
  readonly exports?: Partial<ExportBounds>;
  readonly tls?: PemPair;
  readonly plans?: Plans;
  readonly payments?: (system: Pick<System, "now" | "log" | "fetchOperator">) => Payments;
  readonly catchAll?: string;
  /** Where its database is, in place of a new file in its folder. */
  readonly database?: StoreLocation;
  readonly wrapStore?: (store: Store) => Store;
  /** Reads the messages that somebody asks for and waits for, in place of one without faults. */
  readonly askedThread?: JobThread;
  readonly eventBounds?: Partial<EventHubBounds>;
  /** What ASSAY_ALLOW_PRIVATE_TARGETS has. */
  readonly privateTargets?: PrivateTargets;
  readonly oauth?: Partial<OauthSettings>;
  /** Whose people may log in, as the ASSAY_OIDC file has them. */
  readonly issuers?: object;
  /** Logs in to the mailboxes that are to be connected, in place of one that always can. */
  readonly tryMailbox?: TryMailbox;
  readonly imapPorts?: readonly number[];
  /** The web app's; none unless given. */
  readonly webFiles?: ReadonlyMap<string, Uint8Array>;
  /** What the doctor finds. */
  readonly machine?: Machine;
  /** The SMTP listeners, which do not really listen. */
  readonly listeners?: readonly ListenerReach[];
  /** Answers what DNS is asked, in place of the zone. */
  readonly dns?: Dns;
  /** Answers what is asked of strangers' servers, in place of the real door. */
  readonly fetchStranger?: FetchDoor;
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
  const internet: { zone: Zone } = { zone: {} };
  const config = toConfig(folder, options);
  const system = toSystem(config, options, { clock, lines, internet });
  const { dns, now } = system;
  const plans = options.plans ?? selfHostedPlans;
  const location = options.database ?? { databaseFile: await placeMigratedFile(join(folder, "assay.db")) };
  const store = await openStore(location, system, { reads: { findCountedTests } });
  const analyst = createAnalysisContext(receiving, now, dns);
  const thread = createInProcessThread(analyst, () => createZoneSweep(system));
  const hub = createEventHub(system, { ...eventHubBounds, ...options.eventBounds });
  const parts = new AsyncDisposableStack();
  let base = "";
  /** It leads to parts of the server, which exist when it is first used. */
  const road: MailTransport = options.road ?? {
    transport: "loopback",
    deliver: (...sent) => createLoopRoad({ ...server, session: strangersSession }).deliver(...sent),
    close() {},
  };
  const secretKey = await loadTestKey(folder);
  const sealer = createSealerFor({ secretKey, system }, settingSealing);
  const served = options.wrapStore?.(store) ?? store;
  const given: Partial<Server> = {
    config,
    system,
    given: [],
    serverSettings: createServerSettings({ config, system, store: served, given: [], sealer }),
    plans,
    parts,
    version,
    host: config.smtpHostname ?? hostname(),
    owner: "test",
    store: served,
    secretKey,
    events: { ...hub, close: async () => {} },
    catchAll: options.catchAll ?? null,
    hasRoom: async () => intakeRoom.has,
    metrics: createMetrics(),
    service: { ...quietService, ...options.service },
    uncachedDns: dns,
    analysisPace: createAnalysisPace(now),
    askedThread: options.askedThread ?? thread,
    splitThread: thread,
    domainThread: thread,
    mailboxWatcher: { tryOut: options.tryMailbox ?? (async () => ({ ok: true })), kick() {}, start() {} },
    sampleTransport: road,
    laboratoryTransport: road,
    payments: options.payments?.(system) ?? null,
    hasher: createPasswordHasher(randomBytes, cheapHash),
    pause: async (ms) => void pauses.push(ms),
    openProbes: () => openTestProbes(options.machine ?? {}, system),
    exportBounds: options.exports ?? {},
    webFiles: options.webFiles ?? new Map(),
    readiness: options.readiness ?? [],
    baseUrl: () => base,
    readListeners: () => options.listeners ?? [{ host: "127.0.0.1", port: 2525, reach: "machine", login: "any" }],
    onReceived: () => {
      kicks.count += 1;
    },
  };
  const examiner = createExaminer({
    store: given.store ?? store,
    system,
    owner: "test",
    thread,
    leaseMs: 10_000,
    publish: hub.publish,
  });
  parts.defer(() => examiner.stop(1_000));
  // Examined when a test asks for it, so that the events of other tests stay in order.
  const server = await openFeatures(features, { ...given, examiner });
  const { intake, events, arrivals } = server;
  const app = createHttpApp(server, features);
  const listen = { host: "127.0.0.1", port: 0, tls: options.tls ?? null };
  const http = createHttpServer(app, listen, system, { ...httpBounds, ...options.bounds });
  const { port } = await http.start();
  base = `http${options.tls ? "s" : ""}://127.0.0.1:${port}`;
  return {
    ...server,
    /** Never wrapped. */
    store,
    base,
    port,
    clock,
    lines,
    server: http,
    /** Does what the analysis thread does. */
    thread,
    intakeRoom,
    folder,
    examiner,
    mailer: server.alertMailer,
    /** What DNS answers to the analyser. */
    internet,
    /** Analyses all that waits. */
    analyzeAll: async () => {
      const { leaseMs } = toAnalysisTimes(config);
      const terms = { ...server, thread, leaseMs, publish: events.publish, onAnalyzed() {} };
      const lease = { now: clock.nowMs, owner: "test", leaseMs: 10_000, limit: 100 };
      for (let isMore = true; isMore; ) {
        const claimed = await store.write(async (db) => withSettings(features, db, await claimTests(db, lease)));
        for (const test of claimed) await analyzeQueued(test, terms);
        isMore = claimed.length === lease.limit;
      }
    },
    /** How long failed log-ins were made to wait, in milliseconds; here nobody waits. */
    pauses,
    /** How often the analysis was told of something new. */
    kicks,
    close: async () => {
      for (const { endWaiting } of features) endWaiting?.(server);
      await http.stop(1_000);
      await parts.disposeAsync();
      await store.close();
      rmSync(folder, { recursive: true });
      requireTimelyRecords(lines);
    },
    ask: (method: string, path: string, asked: Asked = {}) => ask(base, method, path, asked),
    createWorkspace: (name: string) =>
      createWorkspace(store, system, { name, seedDomain: "seed.example", plan: plans.fallback.name }),
    /** A message of a stranger's to the workspace; answers the id of its test. */
    receive: (
      workspaceId: string,
      label: string | null = null,
      raw: Uint8Array = ordinaryMessage,
      heard: Partial<SmtpSession> = {},
    ) => receive({ store, intake, system }, workspaceId, { label, raw, findMark: arrivals.find, heard }),
    /** A message that turned out to be no test, kept as that. */
    receiveNoTest: async (workspaceId: string, noTest: Partial<NonTest> & Pick<NonTest, "recognised">) => {
      const testId = await receive({ store, intake, system }, workspaceId, { label: null, raw: ordinaryMessage });
      await store.write(async (db) => {
        const lease = { now: clock.nowMs, owner: "test", leaseMs: 1_000, limit: 1, only: [testId] };
        const [claimed] = await claimTests(db, lease);
        if (!claimed) throw new Error("The message was not there to be analysed.");
        await recordNonTest(db, claimed, { ...nothingFound, ...noTest }, server);
      });
      return testId;
    },
    issueToken: (
      workspaceId: string,
      expiresAt: number | null = null,
      createdBy: string | null = null,
      limits: Pick<WantedToken, "scope" | "label"> = { scope: "full", label: null },
    ) => issueToken(storeOf(store, workspaceId), system, { name: "a token", createdBy, expiresAt, ...limits }),
    /** Somebody with that role in the workspace, logged in: their id, and the cookie of their session. */
    addPerson: (workspaceId: string, role: Role, name = "Ann") => addPerson(store, system, { workspaceId, role, name }),
    openSession: (userId: string) => openSession(store, system, userId),
  };
}

/** The write that makes a change also records it. */
function requireTimelyRecords(lines: readonly LogLine[]): void {
  const late = lines.filter(({ message }) => message === lateRecord).map(({ fields }) => fields.action);
  if (late.length > 0) throw new Error(`No write recorded this change: ${late.join(", ")}.`);
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
  /** What differs from an ordinary session. */
  readonly heard?: Partial<SmtpSession>;
};

async function receive(
  { store, intake, system }: Pick<Server, "store" | "intake" | "system">,
  workspaceId: string,
  { label, raw, findMark, heard = {} }: Heard,
): Promise<string> {
  const address = "anyone@seed.example";
  const recipient = { workspaceId, seedInboxId: null, label, address };
  const session = { ...strangersSession, ...heard, rcptTo: [address] };
  const listAll = () => listTests(inWorkspace(store.read, workspaceId), { limit: 1_000 });
  const before = new Set((await listAll()).map(({ id }) => id));
  await receiveMessage({ raw, session, recipients: [recipient] }, intake, system, findMark);
  // Not the newest: those of one millisecond are in no order.
  return (await listAll()).find(({ id }) => !before.has(id))?.id ?? "";
}
