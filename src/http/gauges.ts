import type { Store } from "../store/store.ts";
import { countBacklog } from "../store/tests.ts";
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
