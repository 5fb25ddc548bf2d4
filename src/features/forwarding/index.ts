// Whether a message survives being forwarded.

import { defineFeature } from "../../platform/server.ts";
import { forwardingRoutes } from "./routes.ts";

export const forwarding = defineFeature({
  name: "forwarding",
  says: "Predicts which authentication survives a forward or a mailing list.",
  routes: forwardingRoutes,
});
