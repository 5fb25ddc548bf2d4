// Decides when to write the senders seen in messages.

import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { SeenSender } from "../../reports/seen-senders.ts";
import { listAllOwnDomains } from "../../store/domains/domains.ts";
import type { SenderNote } from "../../store/domains/seen-senders.ts";
import {
  listCrowdedKinds,
  listCrowdedWorkspaces,
  listExcessOrganizations,
  removeExcessOfKind,
  removeForgottenSenders,
  removeOrganization,
} from "../../store/domains/seen-senders-upkeep.ts";
import type { Db } from "../../store/schema/schema.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";

export type SenderMemory = {
  /** Returns the senders to write with this message. */
  readonly note: (workspaceId: string, seen: readonly SeenSender[]) => readonly SenderNote[];
};

type SenderWrites = { readonly at: number; readonly unwritten: number };

/**
 * One sender may send thousands of messages, and on PostgreSQL each write would wait for the one before. Counts are
 * kept in memory for a moment and written with the next message. The end of a burst may stay uncounted, which is fine
 * for a table of who sends, not how much.
 */
const writeAgainMs = 1_000;
/** A few megabytes. A forgotten sender is just written once more. */
const maxRemembered = 10_000;

export function createSenderMemory(now: () => number): SenderMemory {
  const written = new Map<string, SenderWrites>();
  return {
    note: (workspaceId, seen) =>
      seen.flatMap((sender) => {
        const { kind, domain, value, fingerprint } = sender;
        const key = `${workspaceId} ${kind} ${domain} ${value} ${fingerprint}`;
        const last = written.get(key);
        const messages = (last?.unwritten ?? 0) + 1;
        const at = now();
        if (last !== undefined && at - last.at < writeAgainMs && at >= last.at) {
          written.set(key, { at: last.at, unwritten: messages });
          return [];
        }
        // Moves it to the end, so that the first is the oldest.
        written.delete(key);
        written.set(key, { at, unwritten: 0 });
        const [oldest] = written.keys();
        if (written.size > maxRemembered && oldest !== undefined) written.delete(oldest);
        return [{ ...sender, messages }];
      }),
  };
}

const keptForMs = 180 * 86_400_000;

type UpkeepTerms = {
  readonly store: Pick<Store, "readInWorker" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
};

export async function forgetOldSenders(terms: UpkeepTerms): Promise<void> {
  const { store, system } = terms;
  const before = system.now() - keptForMs;
  await removeInSteps(terms, (db) => removeForgottenSenders(db, before));
  for (const group of await listCrowdedKinds(store.readInWorker))
    await removeInSteps(terms, (db) => removeExcessOfKind(db, group));
  for (const workspaceId of await listCrowdedWorkspaces(store.readInWorker))
    await removeExcessOrganizations(terms, workspaceId);
}

async function removeExcessOrganizations(terms: UpkeepTerms, workspaceId: string): Promise<void> {
  const { readInWorker } = terms.store;
  const excess = await listExcessOrganizations(readInWorker, workspaceId);
  const monitored = new Set((await listAllOwnDomains(readInWorker, workspaceId)).map(toRegistrableDomain));
  for (const organization of excess)
    if (!monitored.has(organization)) {
      const group = { workspace_id: workspaceId, organization };
      await removeInSteps(terms, (db) => removeOrganization(db, group));
    }
}

async function removeInSteps({ store, stopping }: UpkeepTerms, remove: (db: Db) => Promise<number>) {
  let removed: number;
  do {
    stopping.throwIfAborted();
    removed = await store.write(remove);
  } while (removed > 0);
}
