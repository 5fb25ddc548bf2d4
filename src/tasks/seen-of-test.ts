// What seed mailboxes have shown of a test so far, and which of them have not shown it.

import { toAwaited } from "../reports/awaited.ts";
import { type Seen, toObservedProvider } from "../reports/observation.ts";
import {
  listObservationRows,
  listSeedMailboxes,
  type SeedMailbox,
  toObservation,
} from "../store/observations.ts";
import type { TestsTable } from "../store/schema.ts";
import type { Scope } from "../store/scope.ts";
import { isUpload } from "./receive-message.ts";
import { sightingsWaitMs } from "./sightings-wait.ts";

export async function readSeen(scope: Scope, test: TestsTable, now: number): Promise<Seen> {
  const rows = await listObservationRows(scope, test.id);
  const observations = rows.map(toObservation);
  // What was handed in, and what we sent to a seed address alone, was sent to no mailbox.
  if (isUpload(test) || test.send_id !== null || test.sample !== 0) return { observations, awaited: [] };
  const mailboxes = await listSeedMailboxes(scope);
  // One that is connected twice, or was connected anew, has shown it once for all.
  const hasShown = (mailbox: SeedMailbox) =>
    rows.some(
      ({ integration_id, account, provider }) =>
        integration_id === mailbox.id ||
        (account === mailbox.account && provider === toObservedProvider(mailbox)),
    );
  const seenBy = new Set(mailboxes.filter(hasShown).map(({ id }) => id));
  const times = { receivedAt: test.received_at, now, waitMs: sightingsWaitMs };
  return { observations, awaited: toAwaited(mailboxes, seenBy, times) };
}
