// A monitor without a thread: it checks in-process what is asked for, in a world that answers from data.

import { isVerifiedBy, verifyToken } from "../../../src/accounts/verification.ts";
import { unknown } from "../../../src/checks/fact.ts";
import type { Dns } from "../../../src/dns/answer.ts";
import type { Store } from "../../../src/store/store.ts";
import type { System } from "../../../src/system/system.ts";
import type { AnalysisContext } from "../../../src/tasks/analysis/context.ts";
import type { SweepContext } from "../../../src/tasks/analysis/sweep-context.ts";
import { learnOfDomain } from "../../../src/tasks/domains/domains.ts";
import { createDomainWatcher, type DomainWatcher } from "../../../src/tasks/domains/watcher.ts";
import type { Publish } from "../../../src/tasks/events/hub.ts";
import { createInProcessThread } from "../analysis/in-process-thread.ts";

type Terms = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly dns: Dns;
  readonly analyst: AnalysisContext;
  readonly verificationKey: Uint8Array;
  readonly publish: Publish;
};

export function createZoneWatcher(terms: Terms): Promise<DomainWatcher> {
  const { store, system, dns, analyst, verificationKey, publish } = terms;
  const sweepAnalyst: SweepContext = {
    ...{ dns, uncached: dns, unchecked: null, now: system.now, budgetMs: 1_000 },
    lists: { states: async () => [] },
    openZone: () => null,
    askServer: async () => unknown("off"),
    fetchStranger: async () => ({ ok: false, failure: "unreachable", problem: "Nobody is on this network." }),
  };
  return createDomainWatcher({
    ...{ store, system, publish, owner: "test", leaseMs: 10_000 },
    thread: createInProcessThread(analyst, () => sweepAnalyst),
    learn: (row) => learnOfDomain(store.read, row, system.now()),
    isMarked: ({ workspace_id, domain }, marks) =>
      isVerifiedBy(marks, verifyToken(verificationKey, workspace_id, domain)),
  });
}
