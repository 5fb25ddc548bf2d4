// Monitored domains in a database, and a monitor over them whose clock the test sets.

import { known } from "../../../../src/analyzer/checks/fact.ts";
import type { DomainsTable } from "../../../../src/features/domains/tables.ts";
import { createDomainWatcher, type DomainWatcherOptions } from "../../../../src/features/domains/work/watcher.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { unclaimed } from "../../../../src/platform/work/claims.ts";
import type { TestSystem } from "../../../test-system.ts";

export const hourMs = 3_600_000;
export const nothingLearned: DomainWatcherOptions["learn"] = async () => ({
  history: known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null }),
  own: known({ domains: [] }),
  senders: [],
});

/** Its id is its name. */
export async function insertWatched(db: Db, domain: string, changes: Partial<DomainsTable> = {}): Promise<void> {
  const row = {
    id: domain,
    domain,
    dkim_selector: null,
    created_at: 0,
    checked_at: null,
    spf: null,
    dkim: null,
    dmarc: null,
    bimi: null,
    score: null,
    verified_at: null,
    last_drift_at: null,
    unstable: 0,
    ...unclaimed,
    attempts: 0,
    due_at: 0,
  };
  await inWorkspace(db, "wsp_a")
    .insertInto("domains", { ...row, ...changes })
    .execute();
}

export async function readWatched(store: Store, domain: string): Promise<DomainsTable> {
  return await store.read.selectFrom("domains").selectAll().where("id", "=", domain).executeTakeFirstOrThrow();
}

export async function watcherOver(
  store: Store,
  system: TestSystem,
  options: Pick<DomainWatcherOptions, "thread"> & Partial<DomainWatcherOptions>,
) {
  return await createDomainWatcher({
    store,
    system,
    owner: "first",
    leaseMs: 60_000,
    publish: () => {},
    learn: nothingLearned,
    isMarked: () => false,
    ...options,
  });
}
