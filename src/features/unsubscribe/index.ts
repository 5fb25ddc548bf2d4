// Unsubscribing the address that received a test, and whether it worked.

import { defineFeature } from "../../platform/server.ts";
import { unsubscribeRoutes } from "./routes.ts";
import { createUnsubscriber, type Unsubscriber } from "./work/unsubscribe.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly unsubscriber: Unsubscriber;
  }
}

export const unsubscribe = defineFeature({
  name: "unsubscribe",
  says: "Tries the unsubscribe link of a message, on request.",
  routes: unsubscribeRoutes,
  open: ({ system, signOutgoing: sign, sampleTransport: road }) => ({
    unsubscriber: createUnsubscriber({ system, sign, road }),
  }),
});
