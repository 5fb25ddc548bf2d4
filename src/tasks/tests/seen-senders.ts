// Decides when to write the senders seen in messages.

import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { SeenSender } from "../../reports/seen-senders.ts";
import { listAllOwnDomains } from "../../store/domains/domains.ts";
import { noteSenders, type SenderNote } from "../../store/domains/seen-senders.ts";
import {
  listCrowdedKinds,
  listCrowdedWorkspaces,
  listExcessOrganizations,
  removeExcessOfKind,
  removeForgottenSenders,
  removeOrganization,
} from "../../store/domains/seen-senders-upkeep.ts";
import { lockIfThere } from "../../store/people/workspaces.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";

export type SenderMemory = {
  /** Returns the senders to write with this message. */
  readonly note: (workspaceId: string, seen: readonly SeenSender[]) => readonly SenderNote[];
  /** Returns the senders whose last messages are not written yet. */
  readonly takeUnwritten: () => readonly WorkspaceNote[];
};

type WorkspaceNote = { readonly workspaceId: string; readonly note: SenderNote; readonly seenAt: number };

type SenderWrites = {
  readonly workspaceId: string;
  readonly sender: SeenSender;
  readonly at: number;
  readonly seenAt: number;
  readonly unwritten: number;
};

/**
 * One sender may send thousands of messages, and on PostgreSQL each write would wait for the one before. Counts are
 * kept in memory for a moment and written with the next message, or when no more messages wait.
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
        if (last !== undefined && isRecent(last, at)) {
          written.set(key, { ...last, seenAt: at, unwritten: messages });
          return [];
        }
        // Moves it to the end, so that the first is the oldest.
        written.delete(key);
        written.set(key, { workspaceId, sender, at, seenAt: at, unwritten: 0 });
        const [oldest] = written.keys();
        if (written.size > maxRemembered && oldest !== undefined) written.delete(oldest);
        return [{ ...sender, messages }];
      }),
    takeUnwritten: () => {
      const at = now();
      return [...written].flatMap(([key, last]) => {
        const { workspaceId, sender, seenAt, unwritten: messages } = last;
        if (messages === 0 || isRecent(last, at)) return [];
        written.set(key, { ...last, at, unwritten: 0 });
        return [{ workspaceId, note: { ...sender, messages }, seenAt }];
      });
    },
  };
}

function isRecent(last: SenderWrites, at: number): boolean {
  return at >= last.at && at - last.at < writeAgainMs;
}

type Unwritten = { readonly store: Pick<Store, "writeRelaxed">; readonly senders: SenderMemory };

/** Without it, a burst would count as its first message. */
export async function writeUnwrittenSenders({ store, senders }: Unwritten): Promise<void> {
  const unwritten = senders.takeUnwritten();
  if (unwritten.length === 0) return;
  await store.writeRelaxed(async (db) => {
    for (const { workspaceId, note, seenAt } of unwritten)
      if (await lockIfThere(inWorkspace(db, workspaceId))) await noteSenders(db, workspaceId, [note], seenAt);
  });
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
