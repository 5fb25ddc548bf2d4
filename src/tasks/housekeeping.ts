// What is done again and again so that the installation stays small: what is over, and what is more than may be kept, goes.

import { failuresForgottenMs } from "../accounts/log-in-delay.ts";
import type { Config } from "../config.ts";
import { removeBillingEventsBefore } from "../store/billing.ts";
import { removeExpired } from "../store/expired.ts";
import { removeFreeAddresses } from "../store/released-addresses.ts";
import type { Chore } from "./chores.ts";
import { type PruneOptions, pruneByAge, pruneBySize } from "./prune.ts";
import { createRemovalChore } from "./remove-workspaces.ts";
import { forgetOldRollups } from "./rollups.ts";

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;
/** The payment provider sends an event anew for three days by itself, and for thirty when asked. */
const billingEventsKeptMs = 60 * 24 * hourMs;

export function createChores(
  { retentionDays, retentionMaxBytes }: Pick<Config, "retentionDays" | "retentionMaxBytes">,
  terms: Omit<PruneOptions, "stopping">,
): readonly Chore[] {
  const { store, system } = terms;
  const housekeeping = async (stopping: AbortSignal) => {
    await pruneByAge({ ...terms, stopping }, retentionDays);
    await forgetOldRollups({ store, system });
    const now = system.now();
    await store.write((db) => removeFreeAddresses(db, now));
    await store.write((db) => removeExpired(db, { now, failuresBefore: now - failuresForgottenMs }));
    await store.write((db) => removeBillingEventsBefore(db, now - billingEventsKeptMs));
    await store.sqlite?.tidy(stopping);
  };
  const chores: Chore[] = [
    { id: "housekeeping", everyMs: hourMs, run: housekeeping },
    createRemovalChore(store, system),
  ];
  if (retentionMaxBytes !== null)
    chores.push({
      id: "size",
      everyMs: tenMinutesMs,
      run: (stopping) => pruneBySize({ ...terms, stopping }, retentionMaxBytes),
    });
  return chores;
}
