import type { Store } from "../../platform/database/store.ts";
import type { System } from "../../platform/system/system.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { countDueDomains } from "./rows/domain-checks.ts";
import type { DomainWatcher } from "./work/watcher.ts";

type Watched = { readonly store: Pick<Store, "read">; readonly system: Pick<System, "now"> };

export function addWatcherGauges(
  { addGauge }: Metrics,
  { store, system }: Watched,
  { lastSweep }: Pick<DomainWatcher, "lastSweep">,
): void {
  addGauge("assay_domains_due", "Monitored domains waiting for a check or being checked.", () =>
    countDueDomains(store.read, system.now()),
  );
  addGauge(
    "assay_domain_sweep_seconds",
    "Duration of this process's last domain sweep in seconds.",
    () => (lastSweep()?.durationMs ?? 0) / 1_000,
  );
  addGauge(
    "assay_domain_sweep_domains",
    "Domains that this process checked in its last sweep.",
    () => lastSweep()?.domains ?? 0,
  );
}
