// Home: what needs people, and the sums that it shows.

import type { Store } from "../../platform/database/store.ts";
import { defineFeature, stopTimes } from "../../platform/server.ts";
import { dashboardRoutes } from "./routes.ts";
import { type ReadDashboard, readDashboard } from "./work/dashboard.ts";
import { forgetOldRollups, startFolding } from "./work/rollups.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly readDashboard: ReadDashboard;
    readonly readChangeMark: Store["readChangeMark"];
  }
}

export const dashboard = defineFeature({
  name: "dashboard",
  says: "Says what needs you in a workspace.",
  paths: ["/", "/dashboard", "/home"],
  routes: dashboardRoutes,
  open: ({ store, system }) => ({
    readChangeMark: store.readChangeMark,
    readDashboard: (workspaceId, timeZone) => readDashboard({ store, system }, workspaceId, timeZone),
  }),
  start: ({ store, system, parts }) => {
    const folding = startFolding({ store, system });
    parts.defer(() => folding.stop(stopTimes.choresMs));
  },
  tidy: forgetOldRollups,
});
