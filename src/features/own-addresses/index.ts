// Own addresses: what a workspace sends from, looked up on blocklists between messages.

import { defineFeature } from "../../platform/server.ts";
import { ownAddressRoutes } from "./routes.ts";
import { createLearnChore } from "./work/learn.ts";
import { ownAddressStanding } from "./work/standing.ts";
import { createWatchChore } from "./work/watch.ts";
import { listWatched, type ShownList } from "./work/watched-lists.ts";

declare module "../../platform/server.ts" {
  interface Server {
    /** The blocklists that own addresses are looked up on. */
    readonly watchedLists: () => Promise<readonly ShownList[]>;
  }
}

export const ownAddresses = defineFeature({
  name: "own addresses",
  says: "Tells when a blocklist lists an address or domain that you send from.",
  paths: ["/addresses", "/addresses/:id"],
  routes: ownAddressRoutes,
  open: (server) => ({ watchedLists: () => listWatched(server) }),
  standing: ownAddressStanding,
  chores: (server) => [createLearnChore(server), createWatchChore(server)],
});
