import type { Store } from "../../platform/database/store.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { readBackupState } from "./work/schedule.ts";

/** Without a good backup the time is 0, so that an alert about its age fires. */
export function addBackupGauges({ addGauge }: Metrics, { read }: Pick<Store, "read">): void {
  const good = async () => (await readBackupState(read)).good;
  addGauge(
    "assay_backup_last_good_timestamp_seconds",
    "When the last scheduled backup that was verified began, as a Unix time. 0 if there is none.",
    async () => ((await good())?.at ?? 0) / 1_000,
  );
  addGauge(
    "assay_backup_last_good_bytes",
    "Size of the last scheduled backup that was verified.",
    async () => (await good())?.bytes ?? 0,
  );
  addGauge(
    "assay_backup_last_drill_timestamp_seconds",
    "When the last scheduled backup began that was restored in a drill, as a Unix time. 0 if there is none.",
    async () => ((await readBackupState(read)).drilledAt ?? 0) / 1_000,
  );
  addGauge(
    "assay_backup_failures",
    "Scheduled backups that failed since the last good one.",
    async () => (await readBackupState(read)).failures,
  );
}
