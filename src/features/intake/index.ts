// How mail comes in: the SMTP listener, seed inboxes, and uploads.

import type { ListenAddress } from "../../analyzer/addresses.ts";
import { messageOf, Refusal } from "../../platform/errors.ts";
import { defineFeature, type Server } from "../../platform/server.ts";
import { settings } from "../../platform/settings/config.ts";
import { ensureSelfSigned } from "../../platform/system/self-signed.ts";
import type { System } from "../../platform/system/system.ts";
import { followTls, loadTls } from "../../platform/system/tls-files.ts";
import { withEvents } from "../events/work/relay.ts";
import type { Receiving } from "./contract/receiving.ts";
import { receivingRoutes } from "./routes/receiving.ts";
import { seedInboxRoutes } from "./routes/seed-inboxes.ts";
import { createIntake, type Intake } from "./rows/intake.ts";
import { removeFreeAddresses } from "./rows/released-addresses.ts";
import { createSmtpListener, type SmtpListener } from "./smtp/listener.ts";
import { toReach } from "./smtp/login.ts";
import type { Rehearsals } from "./smtp/room.ts";
import { createLoopback, type Loopback } from "./work/loopback.ts";
import type { OneTimeAddresses } from "./work/one-time.ts";
import { type ReceivedMessage, receiveMessage } from "./work/receive-message.ts";
import { createUploadReceiver, type ReceiveUpload } from "./work/receive-upload.ts";
import { createRouter } from "./work/route-recipient.ts";
import { createTurns, type Turns, withTurns } from "./work/turns.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly intake: Intake;
    readonly turns: Turns;
    /** Matches what comes in to what we sent. */
    readonly arrivals: Loopback;
    /** The workspace for mail to addresses that are not seed addresses. */
    readonly catchAll: string | null;
    readonly receiveUpload: ReceiveUpload;
    /** With their real ports, once the server listens. */
    readonly smtpListens: readonly ListenAddress[];
    /** The SMTP listeners with their real ports. */
    readonly readListeners: () => readonly Receiving["listeners"][number][];
    /** A message from the outside, from wherever it came. */
    readonly receive: (message: ReceivedMessage) => Promise<readonly string[]>;
    /** Answers at addresses that answer for themselves. Null: there are none. */
    readonly rehearsals: Rehearsals | null;
    readonly oneTime: OneTimeAddresses | null;
    /** Starts its analysis. */
    readonly onReceived: () => void;
  }
}

export const intake = defineFeature({
  name: "intake",
  says: "Receives mail for seed addresses.",
  routes: [...seedInboxRoutes, ...receivingRoutes],
  open: (server) => {
    const { store, system, events, sendKey, alertMailKeys } = server;
    const turns = createTurns();
    const arrivals = createLoopback({ db: store.read, key: sendKey, alertMailKeys });
    const intake = withTurns(withEvents(createIntake(store), events.publish), turns);
    return {
      turns,
      arrivals,
      intake,
      smtpListens: [],
      rehearsals: null,
      oneTime: null,
      readListeners: () => server.smtpListens.map(toReach),
      receiveUpload: createUploadReceiver({ ...server, intake, onReceived: () => server.onReceived() }),
      receive: async (message) => {
        // A message that arrived before would use up the reserve.
        if (server.service.isDiskFull()) throw new Refusal("overloaded", "The disk is full.", { diskFull: true });
        const tests = await receiveMessage(message, server.intake, system, arrivals.find, server.oneTime?.take);
        server.onReceived();
        logReceived(message, tests, system);
        return tests;
      },
    };
  },
  listen: async (server, onStop) => {
    const { config, serverSettings, system } = server;
    const listener = await openListener(server);
    onStop(listener.stop);
    const listenOn = async (addresses: readonly ListenAddress[]) =>
      void Object.assign(server, { smtpListens: await listener.listenOn(addresses) });
    await listenOn(config.smtpListen).catch(async (error: unknown) => {
      // Or a wrong address would keep the server from starting, and no one could change it in the app.
      if (serverSettings.sourceOf("smtpListen") !== "saved") throw error;
      const { open, problems } = await addEach([], config.smtpListen, listenOn);
      for (const reason of problems) system.log.error("saved SMTP address can't be used", { reason });
      if (open.length === 0) await listenOn(settings.smtpListen.fallback);
      const timer = setInterval(() => listenOn(config.smtpListen).then(stop, () => {}), retryEveryMs);
      const stop = () => clearInterval(timer);
      onStop(async () => stop());
    });
    serverSettings.beforeChange("smtpListen", async (addresses) => {
      const error = await listenOn(addresses).catch((error: unknown) => error);
      if (error === undefined) return undefined;
      if (!(error instanceof Refusal)) throw error;
      const before = config.smtpListen.filter((one) => server.smtpListens.some((other) => isSame(one, other)));
      const { open, problems } = await addEach(before, addresses, listenOn);
      if (open.length === before.length) throw new Refusal(error.code, problems.join(" "));
      const why = `${problems.join(" ")} The other addresses were added, and none was removed.`;
      return { instead: open, why: new Refusal(error.code, why) };
    });
    // Another process may have changed them.
    serverSettings.onChange(() => {
      listenOn(config.smtpListen).catch((error: unknown) =>
        system.log.warn("changed SMTP addresses can't be used", { reason: messageOf(error) }),
      );
    });
    return {};
  },
  tidy: async ({ store, system }) => {
    await store.write((db) => removeFreeAddresses(db, system.now()));
  },
});

/** An address may come later than the server, such as that of a VPN. */
const retryEveryMs = 60_000;

type ListenOn = (addresses: readonly ListenAddress[]) => Promise<void>;

/** Beside those that are open, one by one, where it can. */
async function addEach(before: readonly ListenAddress[], more: readonly ListenAddress[], listenOn: ListenOn) {
  let open = before;
  const problems: string[] = [];
  for (const address of more)
    try {
      if (open.some((one) => isSame(one, address))) continue;
      await listenOn([...open, address]);
      open = [...open, address];
    } catch (error) {
      problems.push(messageOf(error));
    }
  return { open, problems };
}

function isSame(one: ListenAddress, other: ListenAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

async function openListener(server: Server): Promise<SmtpListener> {
  const { config, system, store, plans, host, catchAll, service, arrivals, rehearsals, parts } = server;
  const selfSigned = await ensureSelfSigned(config.dataDir, [host], system.now());
  const files = { cert: config.smtpTlsCert ?? selfSigned, key: config.smtpTlsKey ?? selfSigned };
  const pair = await loadTls(files, system);
  const listener = createSmtpListener({
    config,
    hostname: host,
    log: system.log,
    now: system.now,
    tls: pair,
    hasRoom: () => server.hasRoom(),
    whyNoRoom: service.whyNoRoom,
    noteDeferred: service.note,
    route: createRouter({
      db: store.read,
      config,
      catchAll,
      plans,
      isCrowded: service.isCrowded,
      now: system.now,
      findReturnPath: arrivals.findReturnPath,
      oneTime: server.oneTime,
    }),
    receive: async (message) => {
      await server.receive(message);
    },
    rehearsals,
  });
  parts.defer(followTls(files, pair, listener.useTls, system));
  return listener;
}

function logReceived({ raw, session, recipients }: ReceivedMessage, tests: readonly string[], { log }: System): void {
  log.info("message received", {
    test: tests.join(" "),
    client: session.clientAddress ?? session.door?.kind ?? null,
    from: session.mailFrom,
    to: recipients.map(({ address }) => address).join(" "),
    bytes: raw.byteLength,
    tls: session.tls?.version ?? "none",
  });
}
