// The audit log: who changed what, in a chain that shows tampering.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { createSyslogSender } from "../../platform/system/syslog.ts";
import { handleRecorded } from "./audit-intents.ts";
import { auditRoutes } from "./routes.ts";
import { createFailureChore, createFailureCount, type FailureCount } from "./work/failures.ts";
import { createSyslogFeed } from "./work/syslog-feed.ts";
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
  tidy: ({ config, ...terms }) => trimAuditLog({ ...terms, isSent: config.auditSyslog !== null }),
  start: ({ config: { auditSyslog: target }, store, system, host, parts }) => {
    if (target === null) return;
    const send = createSyslogSender(target);
    const feed = createSyslogFeed({ store, system, send, isFramed: target.protocol === "tcp", host });
    parts.defer(() => feed.stop(stopTimes.choresMs));
    feed.start();
  },
});
