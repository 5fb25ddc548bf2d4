// The installation's recurring chores. One process at a time runs each.

import { failuresForgottenMs } from "../../../platform/contract/sessions.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { tidyAddresses } from "../../alerts/rows/addresses.ts";
import { tidyOutbox } from "../../alerts/work/tidy-outbox.ts";
import { createFailureChore } from "../../audit-log/work/failures.ts";
import { trimAuditLog } from "../../audit-log/work/trim.ts";
import { removeBillingEventsBefore } from "../../billing/rows.ts";
import { forgetOldRollups } from "../../dashboard/work/rollups.ts";
import { forgetOldSenders } from "../../domains/work/seen-senders.ts";
import { createFeedbackChore } from "../../feedback/work/evaluate-feedback.ts";
import { tidyHooks } from "../../hooks/work/tidy-hooks.ts";
import { removeFreeAddresses } from "../../intake/rows/released-addresses.ts";
import { type EndTerms, endConnection } from "../../mailboxes/connections/connections.ts";
import { removeWaitingBefore } from "../../mailboxes/rows/sightings.ts";
import { sightingsWaitMs } from "../../mailboxes/work/follow-observations.ts";
import { tidyCanaries } from "../../monitors/work/tidy.ts";
import { removeExpired } from "../../people/rows/sessions.ts";
import { removeOldOrigins } from "../../people/rows/workspace-origins.ts";
import { createExpiryChore } from "../../people/work/expiring-tokens.ts";
import { createRemovalChore } from "../../people/work/workspaces.ts";
import { endUnfinishedSends, forgetOldSends } from "../../sending/work/send-test.ts";
import { tidyStreams } from "../../streams/work/streams.ts";
import { mayDeleteByAge } from "./clock.ts";
import { objectChores } from "./objects.ts";
import { type PruneOptions, pruneByAge, pruneBySize } from "./prune.ts";
import { createDoorChore } from "./test-doors.ts";

type Terms = Pick<PruneOptions, "onPruned"> & {
  readonly config: Pick<Config, "retentionDays" | "retentionMaxBytes" | "seedDomains" | "auditSyslog">;
  readonly system: System;
  readonly store: Store;
  readonly oauth: EndTerms["oauth"];
  readonly integrationSealer: EndTerms["sealer"];
};

const hourMs = 3_600_000;
/** As long as a confirmation link works. */
const confirmationsKeptMs = 48 * hourMs;
const tenMinutesMs = 600_000;
/** Stripe retries an event for three days automatically, and up to thirty on request. */
const billingEventsKeptMs = 60 * 24 * hourMs;

export function recurringChores(terms: Terms): Chore[] {
  const { config, system, store } = terms;
  const { retentionMaxBytes } = config;
  const chores = [
    housekeeping(terms),
    createFailureChore(terms),
    createFeedbackChore({ store, system, seedDomains: config.seedDomains }),
    createExpiryChore({ store, system }),
    createDoorChore(store),
    ...objectChores(terms),
    createRemovalChore(store, system, (place) => endConnection(place, { ...terms, sealer: terms.integrationSealer })),
  ];
  if (retentionMaxBytes === null) return chores;
  const run = (stopping: AbortSignal) => pruneBySize({ ...terms, stopping }, retentionMaxBytes);
  return [...chores, { id: "size", everyMs: tenMinutesMs, run }];
}

function housekeeping(terms: Terms): Chore {
  const { config, system, store } = terms;
  const deleteOld = async (stopping: AbortSignal) => {
    await pruneByAge({ ...terms, stopping }, config.retentionDays);
    await forgetOldRollups({ store, system });
    const now = system.now();
    await store.write((db) => removeFreeAddresses(db, now));
    await forgetOldSenders({ store, system, stopping });
    await tidyStreams({ store, system, stopping });
    await tidyCanaries({ store, system, stopping });
    await tidyHooks({ store, system, stopping }, config.retentionDays);
    await store.write((db) => removeExpired(db, { now, failuresBefore: now - failuresForgottenMs }));
    await store.write((db) => removeOldOrigins(db, now));
    await store.write((db) => removeBillingEventsBefore(db, now - billingEventsKeptMs));
    await store.write((db) => removeWaitingBefore(db, now - sightingsWaitMs));
    await forgetOldSends(store, now, config.retentionDays);
    await tidyOutbox(store, stopping);
    const isSent = config.auditSyslog !== null;
    await trimAuditLog({ store, system, stopping, isSent });
    await store.write((db) => tidyAddresses(db, now - confirmationsKeptMs));
  };
  const run = async (stopping: AbortSignal) => {
    await endUnfinishedSends(store, system.now(), false);
    if (await mayDeleteByAge(store, system)) await deleteOld(stopping);
    await store.sqlite?.tidy(stopping);
  };
  return { id: "housekeeping", everyMs: hourMs, run };
}
