// Monitors: canaries that must come back, and mail that is expected.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { createSealerFor } from "../../platform/system/secret-key.ts";
import { canaryRoutes } from "./routes/canaries.ts";
import { monitorListRoutes, summarizeMonitors } from "./routes/monitor-list.ts";
import { relayRoutes } from "./routes/relays.ts";
import { readWatched, type WatchedTerms } from "./rows/expected.ts";
import { readNextDue } from "./rows/monitors.ts";
import { awaitExpected } from "./work/arrivals.ts";
import { type Canaries, createCanaries } from "./work/canaries.ts";
import { noteBounced } from "./work/canary-run.ts";
import { type CanarySender, createCanarySender } from "./work/canary-sender.ts";
import { createCanaryMatcher } from "./work/canary-sightings.ts";
import { createExpectedWatcher } from "./work/expected.ts";
import { recordCanary } from "./work/record-canary.ts";
import { createRelays, type Relays, relaySealing } from "./work/relays.ts";
import { relaySecrets } from "./work/secrets.ts";
import { tidyCanaries } from "./work/tidy.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly relays: Relays;
    readonly canaries: Canaries;
    readonly canarySender: CanarySender;
  }
  interface WorkspaceSettings {
    /** Monitors of expected mail. */
    readonly watched: readonly WatchedTerms[];
  }
}

export const monitors = defineFeature({
  name: "monitors",
  says: "Tells when mail that should come doesn't.",
  secrets: relaySecrets,
  paths: ["/monitors", "/monitors/:id", "/canaries/new"],
  routes: [...relayRoutes, ...canaryRoutes, ...monitorListRoutes],
  open: (server) => {
    const { config, events, parts, sampleTransport: road, signOutgoing: sign } = server;
    const sealer = createSealerFor(server, relaySealing);
    const relays = createRelays({ ...server, sealer });
    const route = { config, road };
    const canarySender = createCanarySender({ ...server, ...route, relays, publish: events.publish, sign });
    parts.defer(() => canarySender.stop(stopTimes.sendsMs));
    const noteSent = createCanaryMatcher(server);
    return {
      noteSent,
      relays,
      canarySender,
      canaries: createCanaries({ ...server, ...route, kick: canarySender.kick }),
    };
  },
  duties: {
    "expected mail": { oldest: (db) => readNextDue(db, "expected"), withinMs: 900_000 },
    canaries: { oldest: (db) => readNextDue(db, "canary"), withinMs: 900_000 },
  },
  start: (server) => {
    const { canarySender, events, parts } = server;
    canarySender.start();
    const expected = createExpectedWatcher({ ...server, publish: events.publish });
    parts.defer(() => expected.stop(stopTimes.choresMs));
    expected.start();
  },
  readSettings: async (db, workspaceId) => ({ watched: await readWatched(db, workspaceId) }),
  awaitMail: awaitExpected,
  onAnalyzed: recordCanary,
  onSendBounced: noteBounced,
  summarize: summarizeMonitors,
  tidy: tidyCanaries,
});
