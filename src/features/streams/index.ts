// Streams: series of similar messages, and scores that are unusual there.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { readOldestDue } from "../../platform/work/claims.ts";
import { readMovedStreams, readTracks, streamRoutes } from "./routes.ts";
import { readStreamRules, type StreamRule } from "./rows.ts";
import { streamStanding } from "./work/standing.ts";
import { createMoveWatcher } from "./work/stream-moves.ts";
import { placeTest, tidyStreams } from "./work/streams.ts";

declare module "../../platform/server.ts" {
  interface WorkspaceSettings {
    readonly streamRules: readonly StreamRule[];
  }
}

/** On Home. */
const movedWithinMs = 7 * 86_400_000;
const mostMoved = 5;

export const streams = defineFeature({
  name: "streams",
  says: "Follows each newsletter, receipt, or reminder over time.",
  paths: ["/streams", "/streams/:id"],
  routes: streamRoutes,
  duties: { "changes of streams": { oldest: (db) => readOldestDue(db, "streams"), withinMs: 7_200_000 } },
  start: (server) => {
    const { splitThread: thread, parts } = server;
    const moves = createMoveWatcher({ ...server, thread });
    parts.defer(() => moves.stop(stopTimes.choresMs));
    moves.start();
  },
  readSettings: async (db, workspaceId) => ({ streamRules: await readStreamRules(db, workspaceId) }),
  placeTest,
  summarize: async (store, now) => {
    const movedStreams = await readMovedStreams(store, now - movedWithinMs, mostMoved);
    return { movedStreams, streams: await readTracks(store, movedStreams, mostMoved) };
  },
  standing: streamStanding,
  tidy: tidyStreams,
});
