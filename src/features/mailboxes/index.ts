// Seed mailboxes at providers, read over IMAP, and the services that a workspace connects.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { spawnThread } from "../../platform/system/assets.ts";
import { createSealerFor, type Sealer } from "../../platform/system/secret-key.ts";
import { endConnection } from "./connections/connections.ts";
import { createIntegrations, type Integrations } from "./connections/oauth-connect.ts";
import { connectionSecrets } from "./connections/secrets.ts";
import { examineMailboxes } from "./doctor.ts";
import { addMailboxGauges } from "./gauges.ts";
import { createAccessTokens, integrationSealing } from "./oauth/access-tokens.ts";
import { createOauthClient, type OauthClient } from "./oauth/client.ts";
import { calibrationRoutes, integrationRoutes, mailboxRoutes, seedListRoutes } from "./routes.ts";
import { removeExpiredStates } from "./rows/integrations.ts";
import { isSeedMailbox, stopMailboxes } from "./rows/mailboxes.ts";
import { removeWaitingBefore } from "./rows/sightings.ts";
import { followObservations, readSeen, sightingsWaitMs } from "./work/follow-observations.ts";
import { createMessageKeeper } from "./work/keep-messages.ts";
import { createMailboxes, type Mailboxes } from "./work/mailboxes.ts";
import { createSightingRecorder } from "./work/record-sightings.ts";
import { createMailboxThread, mailboxThreadLimits, toMailboxThreadSetup } from "./work/threads.ts";
import { createMailboxWatcher, type MailboxWatcher } from "./work/watcher.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly oauth: OauthClient;
    /** Encrypts the secrets of connections to other services. */
    readonly integrationSealer: Sealer;
    readonly integrations: Integrations;
    readonly mailboxes: Mailboxes;
    readonly mailboxWatcher: Pick<MailboxWatcher, "tryOut" | "kick" | "start">;
  }
}

/** Messages over IMAP. Four of them are in memory at once, in each of two threads. */
const maxMessageBytes = 10_485_760;

export const connections = defineFeature({
  name: "connections",
  says: "Connects a workspace with other services.",
  secrets: connectionSecrets,
  open: (server) => ({
    oauth: createOauthClient(server),
    integrationSealer: createSealerFor(server, integrationSealing),
  }),
});

export const mailboxes = defineFeature({
  name: "mailboxes",
  says: "Shows where mail lands at real mailbox providers.",
  paths: ["/integrations", "/predictions"],
  examinations: { Mailboxes: examineMailboxes },
  routes: [...integrationRoutes, ...mailboxRoutes, ...seedListRoutes, ...calibrationRoutes],
  open: (server) => {
    const { config, system, store, metrics, integrationSealer: sealer, alerts, baseUrl, parts } = server;
    const { events, arrivals } = server;
    const { publish } = events;
    addMailboxGauges(metrics, store);
    const recorder = createSightingRecorder({ ...server, publish, noteSent: (...seen) => server.noteSent(...seen) });
    parts.defer(recorder.close);
    const watcher = createMailboxWatcher({
      ...server,
      sealer,
      publish,
      keepSightings: recorder.keepSightings,
      keepMessage: createMessageKeeper({ ...server, onReceived: () => server.onReceived(), findOwn: arrivals.find }),
      maxMessageBytes: Math.min(config.smtpMaxMessageBytes, maxMessageBytes),
      accessTokenOf: createAccessTokens({ ...server, sealer }),
      openThread: (onNews) =>
        createMailboxThread({
          spawn: () => spawnThread("mailbox-thread", toMailboxThreadSetup(config), mailboxThreadLimits),
          onNews,
          onDeath: (why) => system.log.error("mailbox thread died", { why }),
        }),
    });
    parts.defer(() => watcher.stop(stopTimes.mailboxesMs));
    return {
      readSeen,
      isSeedMailbox,
      mailboxWatcher: watcher,
      integrations: createIntegrations({ ...server, sealer, alerts, baseUrl }),
      mailboxes: createMailboxes({
        ...config,
        system,
        sealer,
        watcher: {
          tryOut: (...asked) => server.mailboxWatcher.tryOut(...asked),
          kick: () => server.mailboxWatcher.kick(),
        },
      }),
    };
  },
  onAnalyzed: followObservations,
  start: ({ mailboxWatcher }) => mailboxWatcher.start(),
  tidy: async ({ store, system }) => {
    await store.write((db) => removeWaitingBefore(db, system.now() - sightingsWaitMs));
    await store.write((db) => removeExpiredStates(db, system.now()));
  },
  beforeDeletion: stopMailboxes,
  afterDeletion: (workspace, { store, system, oauth, integrationSealer: sealer }) =>
    endConnection(workspace, { store, system, oauth, sealer }),
  endWaiting: ({ mailboxes }) => mailboxes.close(),
});
