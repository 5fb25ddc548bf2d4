// Streams: series of similar messages, and scores that are unusual there.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { streamRoutes } from "./routes.ts";
import { createMoveWatcher } from "./work/stream-moves.ts";
import { placeTest, tidyStreams } from "./work/streams.ts";

export const streams = defineFeature({
  name: "streams",
  says: "Follows each newsletter, receipt, or reminder over time.",
  paths: ["/streams", "/streams/:id"],
  routes: streamRoutes,
  start: (server) => {
    const { splitThread: thread, parts } = server;
    const moves = createMoveWatcher({ ...server, thread });
    parts.defer(() => moves.stop(stopTimes.choresMs));
    moves.start();
  },
  placeTest,
  tidy: tidyStreams,
});
