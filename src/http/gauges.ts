import { integrationStatuses } from "../integrations/integration.ts";
import { countDueDomains } from "../store/domain-checks.ts";
import { countMailboxes } from "../store/mailboxes.ts";
import type { Store } from "../store/store.ts";
import { countBacklog } from "../store/tests.ts";
import type { System } from "../system/system.ts";
import type { DomainWatcher } from "../tasks/domain-watcher.ts";
import type { Metrics } from "./metrics.ts";

/** What the store tells of itself. */
export function addGauges({ addGauge }: Metrics, { read, readTakenBytes, sqlite }: Store): void {
  addGauge("assay_backlog_messages", "Messages that wait for analysis or are under it.", () =>
    countBacklog(read),
  );
  addGauge("assay_database_bytes", "Bytes of disk that the database takes.", readTakenBytes);
  if (sqlite)
    addGauge(
      "assay_database_synchronous",
      "PRAGMA synchronous of the live writer: 2 is FULL.",
      sqlite.readSynchronous,
    );
}

type Watched = { readonly store: Pick<Store, "read">; readonly system: Pick<System, "now"> };

export function addWatcherGauges(
  { addGauge }: Metrics,
  { store, system }: Watched,
  { lastSweep }: Pick<DomainWatcher, "lastSweep">,
): void {
  addGauge("assay_domains_due", "Monitored domains that wait for their check or are under it.", () =>
    countDueDomains(store.read, system.now()),
  );
  addGauge(
    "assay_domain_sweep_seconds",
    "Seconds that this process's last sweep took.",
    () => (lastSweep()?.durationMs ?? 0) / 1_000,
  );
  addGauge(
    "assay_domain_sweep_domains",
    "Domains that this process checked in its last sweep.",
    () => lastSweep()?.domains ?? 0,
  );
}

export function addMailboxGauges({ addGaugeBy }: Metrics, { read }: Pick<Store, "read">): void {
  addGaugeBy("status", "assay_mailboxes", "Seed mailboxes, by how they fare.", async () => {
    const counts = await countMailboxes(read);
    return new Map(integrationStatuses.map((status) => [status, counts.get(status) ?? 0]));
  });
}
