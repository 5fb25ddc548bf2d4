// The audit log: who changed what, in a chain that shows tampering.

import { defineFeature } from "../../platform/server.ts";
import { handleRecorded } from "./audit-intents.ts";
import { auditRoutes } from "./routes.ts";
import { createFailureChore, createFailureCount, type FailureCount } from "./work/failures.ts";
import { trimAuditLog } from "./work/trim.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly countFailedLogin: FailureCount;
  }
}

export const auditLog = defineFeature({
  name: "audit log",
  says: "Records who changed what.",
  routes: auditRoutes,
  open: ({ store, system }) => ({ countFailedLogin: createFailureCount(store, system), handle: handleRecorded }),
  chores: ({ store, system }) => [createFailureChore({ store, system })],
  tidy: trimAuditLog,
});
