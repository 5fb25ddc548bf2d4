import type { Store } from "../../platform/database/store.ts";
import { integrationStatuses } from "../events/contract.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { countMailboxes } from "./rows/mailboxes.ts";

export function addMailboxGauges({ addGaugeBy }: Metrics, { read }: Pick<Store, "read">): void {
  const count = (which: "all" | "inboxes") => async () => {
    const counts = await countMailboxes(read, which);
    return new Map(integrationStatuses.map((status) => [status, counts.get(status) ?? 0]));
  };
  addGaugeBy("status", "assay_mailboxes", "Seed mailboxes and IMAP seed inboxes, by status.", count("all"));
  addGaugeBy(
    "status",
    "assay_inbox_mailboxes",
    "IMAP seed inboxes, by status. Also in assay_mailboxes.",
    count("inboxes"),
  );
}
