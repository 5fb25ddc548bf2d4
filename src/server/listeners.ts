// Builds the SMTP listener and the web server of a running server.

import { setTimeout as pause } from "node:timers/promises";
import type { ListenAddress } from "../analyzer/world.ts";
import { openPayments } from "../features/billing/work/payments.ts";
import { createSmtpListener, type SmtpListener } from "../features/intake/smtp/listener.ts";
import { toReach } from "../features/intake/smtp/login.ts";
import { createLoopback, type Loopback } from "../features/intake/work/loopback.ts";
import { type ReceivedMessage, receiveMessage } from "../features/intake/work/receive-message.ts";
import { createRouter } from "../features/intake/work/route-recipient.ts";
import { createPasswordHasher } from "../features/people/work/password-hasher.ts";
import { createJudge, judgeBounds } from "../features/rehearsal/work/judge.ts";
import { createRehearsals, type Rehearsals } from "../features/rehearsal/work/rehearsals.ts";
import {
  createLoopbackTransport,
  createRelayTransport,
  type MailTransport,
} from "../features/sending/work/transports.ts";
import type { Reanalyze } from "../features/tests/work/reanalyze.ts";
import type { Messages } from "../platform/database/messages.ts";
import { Refusal } from "../platform/errors.ts";
import { toBaseUrl } from "../platform/http/client-address.ts";
import { createHttpServer, type HttpServer } from "../platform/http/server.ts";
import { toHostPort } from "../platform/settings/setting-kinds.ts";
import { readWebFiles } from "../platform/system/assets.ts";
import { createProbes } from "../platform/system/doctor-probes.ts";
import { ensureSelfSigned } from "../platform/system/self-signed.ts";
import { followTls, loadTls } from "../platform/system/tls-files.ts";
import type { ReadinessCheck } from "./dependencies.ts";
import { type HttpParts, type HttpWiring, wireHttp } from "./http-wiring.ts";
import { createHttpApp } from "./routes.ts";
import { patience, type Running } from "./running.ts";

/** The addresses that they listen on. */
export type Bound = { readonly http: string; readonly smtp: readonly string[]; readonly lmtp: readonly string[] };

type Given = Pick<
  HttpParts,
  "askedThread" | "splitThread" | "domainThread" | "examiner" | "mailboxWatcher" | "onReceived"
>;

/** Resolves when both accept connections. */
export async function startListeners(
  running: Running,
  given: Given,
): Promise<{ readonly bound: Bound } & Omit<HttpWiring, "dependencies">> {
  const { config, system, store, sendKey, alertMailKeys, parts } = running;
  const arrivals = createLoopback({ db: store.read, key: sendKey, alertMailKeys });
  const asked: Asked = { baseUrl: () => toBaseUrl(config, port), reanalyze: null };
  const smtp = await createSmtp(running, given.onReceived, arrivals, asked);
  let listens: readonly ListenAddress[] = [];
  let smtpIsBound = false;
  let { httpPort: port } = config;
  const { baseUrl } = asked;
  const { dependencies, ...wiring } = await wireHttp(running, {
    ...given,
    ...openTransports(running, { arrivals, listens: () => listens }),
    baseUrl,
    readListeners: () => listens.map(toReach),
    payments: openPayments(config, system),
    hasher: createPasswordHasher(system.random),
    // A waiting login does not keep the process alive.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    openProbes: () => createProbes(config, system.now),
    exportBounds: {},
    webFiles: readWebFiles(),
    readiness: [
      {
        code: "database_unavailable",
        trouble: "the database takes no writes",
        holds: () => store.write(async () => true),
      },
      {
        code: "smtp_not_listening",
        trouble: "the SMTP listener is not bound",
        isForMail: true,
        holds: () => smtpIsBound,
      },
      ...(config.messages === "database" ? [] : [messagesCheck(store.messages)]),
    ],
  });
  asked.reanalyze = dependencies.reanalyze;
  const http = await createHttp(running, createHttpApp(dependencies));
  parts.defer(async () => {
    await Promise.all([smtp.stop(), http.stop(patience.requestsMs)]);
  });
  listens = await smtp.start();
  const lmtp = await smtp.startLmtp();
  smtpIsBound = true;
  port = (await http.start()).port;
  return { bound: { http: baseUrl(), smtp: listens.map(toHostPort), lmtp }, ...wiring };
}

/** The reason is for the operator, and has no address or secret in it. */
function messagesCheck({ findTrouble }: Messages): ReadinessCheck {
  let trouble = "raw messages cannot be stored";
  return {
    code: "messages_unavailable",
    isForMail: true,
    get trouble() {
      return trouble;
    },
    holds: async () => {
      const found = await findTrouble();
      trouble = `raw messages cannot be stored${found === null ? "" : ` (${found})`}`;
      return found === null;
    },
  };
}

/** Parts that exist only after the SMTP listener was created. */
type Asked = { readonly baseUrl: () => string; reanalyze: Reanalyze | null };

async function createSmtp(
  running: Running,
  onReceived: () => void,
  arrivals: Loopback,
  asked: Asked,
): Promise<SmtpListener> {
  const { config, system, store, plans, host, catchAll, intake, hasRoom, service, parts } = running;
  const receive = async (message: ReceivedMessage) => {
    // A message that arrived before would use up the reserve.
    if (service.isDiskFull()) throw new Refusal("overloaded", "The disk is full.", { diskFull: true });
    const tests = await receiveMessage(message, intake, system, arrivals.find);
    onReceived();
    const { raw, session, recipients } = message;
    system.log.info("message received", {
      test: tests.join(" "),
      client: session.clientAddress ?? session.door.kind,
      from: session.mailFrom,
      to: recipients.map(({ address }) => address).join(" "),
      bytes: raw.byteLength,
      tls: session.tls?.version ?? "none",
    });
    return tests;
  };
  const selfSigned = await ensureSelfSigned(config.dataDir, [host], system.now());
  const files = { cert: config.smtpTlsCert ?? selfSigned, key: config.smtpTlsKey ?? selfSigned };
  const pair = await loadTls(files, system);
  const listener = createSmtpListener({
    config,
    hostname: host,
    log: system.log,
    now: system.now,
    tls: pair,
    hasRoom: () => hasRoom(),
    whyNoRoom: service.whyNoRoom,
    noteDeferred: service.note,
    route: createRouter({
      db: store.read,
      seedDomains: config.seedDomains,
      catchAll,
      plans,
      isCrowded: service.isCrowded,
      now: system.now,
      findReturnPath: arrivals.findReturnPath,
    }),
    receive: async (message) => {
      await receive(message);
    },
    rehearsals: openRehearsals(running, receive, asked),
  });
  parts.defer(followTls(files, pair, listener.useTls, system));
  return listener;
}

function openRehearsals(
  { config, system, store, analysisWatch: watch }: Running,
  receive: (message: ReceivedMessage) => Promise<readonly string[]>,
  asked: Asked,
): Rehearsals {
  const judge = createJudge({
    store,
    watch,
    now: system.now,
    bounds: judgeBounds,
    reanalyze: async (test) => await asked.reanalyze?.({ ...test, dns: "live" }),
  });
  return createRehearsals({
    store,
    system,
    watch,
    judge,
    receive: async (message) => {
      const [testId = ""] = await receive(message);
      return testId;
    },
    // Without a base URL, only clients on this machine can open the server's own address.
    toLink: (testId, isLocal) => (config.baseUrl !== null || isLocal ? `${asked.baseUrl()}/tests/${testId}` : testId),
  });
}

type SenderPlace = { readonly arrivals: Loopback; readonly listens: () => readonly ListenAddress[] };

function openTransports(
  running: Running,
  place: SenderPlace,
): Pick<HttpParts, "sampleTransport" | "laboratoryTransport"> {
  const { config, host } = running;
  const { sendSmtpUrl } = config;
  return {
    sampleTransport: sendSmtpUrl === null ? openLoopback(running, place) : createRelayTransport(sendSmtpUrl, host),
    laboratoryTransport: openLoopback(running, place),
  };
}

function openLoopback({ config, host }: Running, { arrivals, listens }: SenderPlace): MailTransport {
  return createLoopbackTransport({ name: host, listens, proxyFrom: config.smtpProxyFrom, expect: arrivals.expect });
}

async function createHttp(
  { config, system, parts }: Running,
  app: ReturnType<typeof createHttpApp>,
): Promise<HttpServer> {
  const files =
    config.httpTlsCert !== null && config.httpTlsKey !== null
      ? { cert: config.httpTlsCert, key: config.httpTlsKey }
      : null;
  const pair = files && (await loadTls(files, system));
  const server = createHttpServer(app, { host: config.httpHost, port: config.httpPort, tls: pair }, system);
  if (files && pair) parts.defer(followTls(files, pair, server.useTls, system));
  return server;
}
