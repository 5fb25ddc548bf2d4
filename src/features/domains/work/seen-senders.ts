// Decides when to write the senders seen in messages.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { SeenSender } from "../../../analyzer/reports/seen-senders.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import { lockIfThere } from "../../people/rows/workspaces.ts";
import { listAllOwnDomains } from "../rows/domains.ts";
import { noteSenders, type SenderNote } from "../rows/seen-senders.ts";
import {
  listCrowdedKinds,
  listCrowdedWorkspaces,
  listExcessOrganizations,
  removeExcessOfKind,
  removeForgottenSenders,
  removeOrganization,
} from "../rows/seen-senders-upkeep.ts";

export type SenderMemory = {
  /** What to write with this message, which was received at `seenAt`. */
  readonly note: (workspaceId: string, seen: readonly SeenSender[], seenAt: number) => Counting;
  /** The counts that are not written yet, by workspace. `all`: also those that would wait for the next message. */
  readonly takeUnwritten: (all: boolean) => ReadonlyMap<string, readonly SenderNote[]>;
  readonly putBack: (workspaceId: string, notes: readonly SenderNote[]) => void;
};

type Counting = {
  readonly notes: readonly SenderNote[];
  /** Must be called. If the message wasn't written, it isn't counted, and the counts in `notes` wait again. */
  readonly end: (isWritten: boolean) => void;
};

/**
 * One sender may send thousands of messages, and on PostgreSQL each write would wait for the one before. Counts are
 * kept in memory for a moment and written with the next message, or when no more messages wait.
 */
const writeAgainMs = 1_000;
/** A few megabytes. Beyond it, senders are written with each message. */
const maxRemembered = 10_000;

export function createSenderMemory(now: () => number): SenderMemory {
  const writtenAt = new Map<string, number>();
  const unwritten = new Map<string, { readonly workspaceId: string; readonly note: SenderNote }>();

  const isRecent = (key: string) => {
    const [last, at] = [writtenAt.get(key), now()];
    return last !== undefined && at >= last && at - last < writeAgainMs;
  };
  const add = (workspaceId: string, note: SenderNote) => {
    const key = keyOf(workspaceId, note);
    unwritten.set(key, { workspaceId, note: sum(note, unwritten.get(key)?.note) });
  };
  const take = (key: string) => {
    const waiting = unwritten.get(key)?.note;
    unwritten.delete(key);
    // Moves it to the end, so that the first is the oldest.
    writtenAt.delete(key);
    writtenAt.set(key, now());
    const [oldest] = writtenAt.keys();
    if (writtenAt.size > maxRemembered && oldest !== undefined) writtenAt.delete(oldest);
    return waiting;
  };
  const putBack = (workspaceId: string, notes: readonly SenderNote[]) => {
    for (const note of notes) {
      writtenAt.delete(keyOf(workspaceId, note));
      add(workspaceId, note);
    }
  };

  return {
    note: (workspaceId, seen, seenAt) => {
      const notes: SenderNote[] = [];
      const later: SenderNote[] = [];
      const waited: SenderNote[] = [];
      for (const sender of seen) {
        const key = keyOf(workspaceId, sender);
        const note = { ...sender, messages: 1, seenAt };
        if (isRecent(key) && (unwritten.has(key) || unwritten.size < maxRemembered)) {
          later.push(note);
          continue;
        }
        const waiting = take(key);
        if (waiting) waited.push(waiting);
        notes.push(sum(note, waiting));
      }
      const end = (isWritten: boolean) => {
        if (isWritten) for (const note of later) add(workspaceId, note);
        else {
          for (const note of notes) writtenAt.delete(keyOf(workspaceId, note));
          putBack(workspaceId, waited);
        }
      };
      return { notes, end };
    },
    takeUnwritten: (all) => {
      const due = [...unwritten].filter(([key]) => all || !isRecent(key));
      for (const [key] of due) take(key);
      const byWorkspace = Map.groupBy(due, ([, { workspaceId }]) => workspaceId);
      return new Map([...byWorkspace].map(([id, list]) => [id, list.map(([, { note }]) => note)]));
    },
    putBack,
  };
}

function keyOf(workspaceId: string, { kind, domain, value, fingerprint }: SeenSender): string {
  return `${workspaceId} ${kind} ${domain} ${value} ${fingerprint}`;
}

function sum(note: SenderNote, other: SenderNote | undefined): SenderNote {
  if (other === undefined) return note;
  return { ...note, messages: note.messages + other.messages, seenAt: Math.max(note.seenAt, other.seenAt) };
}

type Unwritten = { readonly store: Pick<Store, "writeRelaxed">; readonly senders: SenderMemory };

/** Without it, a burst would count as its first message. `all`: before the server stops. */
export async function writeUnwrittenSenders({ store, senders }: Unwritten, all = false): Promise<void> {
  const unwritten = [...senders.takeUnwritten(all)];
  const results = await Promise.allSettled(
    unwritten.map(([workspaceId, notes]) =>
      store.writeRelaxed(async (db) => {
        if (await lockIfThere(inWorkspace(db, workspaceId))) await noteSenders(db, workspaceId, notes);
      }),
    ),
  );
  let failed: PromiseRejectedResult | undefined;
  for (const [index, result] of results.entries()) {
    const [workspaceId, notes] = unwritten[index] ?? [];
    if (result.status === "fulfilled" || workspaceId === undefined || notes === undefined) continue;
    senders.putBack(workspaceId, notes);
    failed = result;
  }
  if (failed) throw failed.reason;
}

const keptForMs = 180 * 86_400_000;

type UpkeepTerms = {
  readonly store: Pick<Store, "readInWorker" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
};

export async function forgetOldSenders(terms: UpkeepTerms): Promise<void> {
  const { store, system, serve } = terms;
  const before = system.now() - keptForMs;
  await removeInSteps(terms, (db) => removeForgottenSenders(db, before));
  for (const group of await listCrowdedKinds(store.readInWorker))
    await serve(group.workspace_id, () => removeInSteps(terms, (db) => removeExcessOfKind(db, group)));
  for (const workspaceId of await listCrowdedWorkspaces(store.readInWorker))
    await serve(workspaceId, () => removeExcessOrganizations(terms, workspaceId));
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
