// Metrics of raw messages outside the database. Each process counts what it did itself.

import { Counter } from "prom-client";
import type { Store } from "../../../platform/database/store.ts";
import { countObjectRemovals } from "../../tests/rows/objects.ts";
import { isDeletionPaused } from "../upkeep/object-owner.ts";
import type { Metrics } from "./metrics.ts";

const counters = {
  written: ["assay_objects_written_total", "Raw messages written outside the database."],
  failedWrites: ["assay_object_write_failures_total", "Raw messages that could not be written outside the database."],
  deleted: ["assay_objects_deleted_total", "Objects of deleted messages that were deleted."],
  swept: ["assay_objects_swept_total", "Objects without a test that the daily sweep deleted."],
} as const;

export function addObjectMetrics({ registry, addGauge, addGaugeBy }: Metrics, { read, messages }: Store): void {
  const { counts, s3 } = messages;
  for (const key of ["written", "failedWrites", "deleted", "swept"] as const) {
    const [name, help] = counters[key];
    new Counter({
      name,
      help,
      registers: [registry],
      collect: function () {
        this.reset();
        this.inc(counts[key]);
      },
    });
  }
  addGauge("assay_objects_pending_deletion", "Objects of deleted messages that are not deleted yet.", () =>
    countObjectRemovals(read),
  );
  addGaugeBy(
    "place",
    "assay_object_deletion_paused",
    "1 if nothing is deleted there, because another database may use the place.",
    async () => new Map(s3 === null ? [] : [["s3", (await isDeletionPaused({ read })) ? 1 : 0]]),
  );
}
