// Monitored domains: checked every hour, with what changed.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { readOldestDue } from "../../platform/work/claims.ts";
import { isVerifiedBy, verifyToken } from "../people/rules/verification.ts";
import { addWatcherGauges } from "./gauges.ts";
import { domainRoutes } from "./routes.ts";
import { listOwnDomains } from "./rows/domains.ts";
import { learnOfDomain } from "./work/domains.ts";
import { forgetOldSenders } from "./work/seen-senders.ts";
import { domainStanding } from "./work/standing.ts";
import { domainDeadlineMs } from "./work/sweep-context.ts";
import { createDomainWatcher, type DomainWatcher } from "./work/watcher.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly domainWatcher: DomainWatcher;
  }
  interface WorkspaceSettings {
    readonly ownDomains: readonly string[];
  }
}

/** Time to write a domain's row among many others. */
const domainGraceMs = 20_000;

export const domains = defineFeature({
  name: "domains",
  says: "Watches what sending domains publish.",
  paths: ["/domains", "/domains/:id", "/watch"],
  routes: domainRoutes,
  standing: domainStanding,
  open: async (server) => {
    const { store, system, metrics, events, verificationKey, parts, service, domainThread: thread } = server;
    const domainWatcher = await createDomainWatcher({
      ...server,
      thread,
      leaseMs: domainDeadlineMs + domainGraceMs,
      isHeld: () => service.isPostponed("sweeps"),
      publish: events.publish,
      learn: (row) => learnOfDomain(store.read, row, system.now()),
      isMarked: ({ workspace_id, domain }, marks) =>
        isVerifiedBy(marks, verifyToken(verificationKey, workspace_id, domain)),
    });
    addWatcherGauges(metrics, server, domainWatcher);
    parts.defer(() => domainWatcher.stop(stopTimes.domainsMs));
    return { domainWatcher };
  },
  readSettings: async (db, workspaceId) => ({ ownDomains: await listOwnDomains(db, workspaceId) }),
  // A sweep may take its hour, and waits under load.
  duties: { "domain checks": { oldest: (db) => readOldestDue(db, "domains"), withinMs: 7_200_000 } },
  start: ({ domainWatcher }) => domainWatcher.start(),
  tidy: forgetOldSenders,
});
