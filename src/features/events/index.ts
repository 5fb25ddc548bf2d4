// Live updates: what changes in a workspace, as a stream.

import { defineFeature } from "../../platform/server.ts";
import { eventRoutes } from "./routes.ts";
import { createEvents, type Events } from "./work/relay.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly events: Events;
  }
}

export const events = defineFeature({
  name: "events",
  says: "Keeps open pages up to date.",
  routes: eventRoutes,
  open: ({ system, store, owner, parts }) => {
    const events = createEvents({ system, notices: store.notices, owner });
    parts.defer(events.close);
    return { events };
  },
  start: ({ events, metrics }) => metrics.addGauge("assay_event_streams", "Open event streams.", events.countFollowers),
  endWaiting: ({ events }) => events.endAll(),
});
