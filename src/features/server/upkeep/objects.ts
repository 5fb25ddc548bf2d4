// Deletes objects that no row points to: those of deleted messages, which the database queues, and orphans, which were
// written by a process that died before it wrote the row. Everything here can be repeated, and by several processes.

import type { Messages, Place } from "../../../platform/database/messages.ts";
import { MissingMessage } from "../../../platform/database/messages.ts";
import type { Store } from "../../../platform/database/store.ts";
import { type ObjectStore, ObjectTrouble } from "../../../platform/system/objects.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import {
  findPointedTo,
  forgetObjectRemovals,
  type LocatedMessage,
  listLocated,
  listObjectRemovals,
  placeOf,
  pointTo,
  readLocated,
} from "../../tests/rows/objects.ts";
import { mayDeleteByAge } from "./clock.ts";
import { claimPlace, logPaused, readToken } from "./object-owner.ts";

type ObjectTerms = {
  readonly store: Pick<Store, "read" | "readInWorker" | "write" | "messages">;
  readonly system: Pick<System, "now" | "log" | "random">;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
const removedAtOnce = 500;
const inFlight = 8;
/**
 * An object is written seconds before its row. The rest is for an operator who notices that the wrong database is
 * running.
 */
const orphansKeptMs = dayMs;

export function objectChores({ store, system }: ObjectTerms): Chore[] {
  /** After which key the next run goes on, so that many objects that can't be removed don't keep others waiting. */
  let reached: string | undefined;
  return [
    {
      id: "object-removals",
      everyMs: 5 * minuteMs,
      run: async (stopping, serve) => {
        const { s3: objects } = store.messages;
        if (objects === null) return;
        const from = { objects, after: reached ?? "" };
        reached = undefined;
        reached = await serve("s3", () => removeQueued(from, { store, system }, { stopping, serve }));
      },
      hasMore: async () => reached !== undefined,
    },
    {
      id: "object-orphans",
      everyMs: dayMs,
      run: async (stopping, serve) => {
        const { removed, paused } = await sweepOrphans(
          { store, system },
          { olderThanMs: orphansKeptMs, stopping, serve, mayDelete: () => mayDeleteByAge(store, system) },
        );
        if (paused.length > 0) logPaused(system);
        if (removed > 0) system.log.info("raw messages without a test removed", { objects: removed });
      },
    },
  ];
}

type Removing = { readonly stopping: AbortSignal; readonly serve: ServeRow };

type Queue = { readonly objects: ObjectStore; readonly after: string };

/** Returns where it ended early. */
async function removeQueued(
  { objects, after: start }: Queue,
  terms: ObjectTerms,
  how: Removing,
): Promise<string | undefined> {
  let after = start;
  for (let tried = 0; tried < removedAtOnce; ) {
    how.stopping.throwIfAborted();
    const queued = await listObjectRemovals(terms.store.read, { after, limit: removedAtOnce });
    const last = queued.at(-1);
    if (last === undefined) return undefined;
    const due = queued.filter((key) => !how.serve.isPaused?.(key));
    if (due.length > 0 && tried === 0 && !(await claimPlace(objects, terms))) return undefined;
    await removeObjects(objects, due, terms, how);
    tried += due.length;
    after = last;
  }
  return after;
}

async function removeObjects(
  objects: ObjectStore,
  keys: readonly string[],
  { store }: ObjectTerms,
  { stopping, serve }: Removing,
): Promise<void> {
  const pointedTo = await findPointedTo(store.read, keys);
  for (const some of inChunks(keys, inFlight)) {
    stopping.throwIfAborted();
    const left = some.filter((key) => !pointedTo.has(key));
    const gone = await removeFew(objects, left, serve);
    store.messages.counts.deleted += gone.length;
    const over = [...gone, ...some.filter((key) => pointedTo.has(key))];
    await store.write((db) => forgetObjectRemovals(db, over));
  }
}

async function removeFew(objects: ObjectStore, keys: readonly string[], serve: ServeRow): Promise<readonly string[]> {
  const gone: string[] = [];
  const remove = async (key: string) => {
    await objects.remove(key);
    gone.push(key);
  };
  await allOrFirstError(keys.map((key) => serve(key, () => remove(key))));
  // A store that doesn't answer ends the work here, so that it doesn't wait for each object.
  if (gone.length === 0 && keys.length > 0) await readToken(objects);
  return gone;
}

/** Each has up to 1,000 objects. */
const mostPages = 100_000;

type Sweep = {
  readonly olderThanMs: number;
  readonly stopping?: AbortSignal;
  readonly serve: ServeRow;
  /** Asked after the place was claimed, so that another database that uses it is noticed first. */
  readonly mayDelete?: () => Promise<boolean>;
};
type Swept = {
  readonly objects: number;
  readonly removed: number;
  /** Has the place if another database may use it. Then nothing was deleted. */
  readonly paused: readonly "s3"[];
};

/** Object by object. */
export async function sweepOrphans(terms: ObjectTerms, sweep: Sweep): Promise<Swept> {
  const { s3 } = terms.store.messages;
  const swept = s3 === null ? undefined : await sweep.serve("s3", () => sweepStore(s3, terms, sweep));
  return swept ?? { objects: 0, removed: 0, paused: [] };
}

async function sweepStore(
  from: ObjectStore,
  terms: ObjectTerms,
  { olderThanMs, stopping, serve, mayDelete = async () => true }: Sweep,
): Promise<Swept> {
  let [objects, removed] = [0, 0];
  let cursor: string | null = null;
  const cursors = new Set<string>();
  do {
    stopping?.throwIfAborted();
    const page = await from.list(cursor);
    if (objects === 0 && page.objects.length > 0) {
      if (!(await claimPlace(from, terms))) return { objects, removed, paused: ["s3"] };
      if (!(await mayDelete())) break;
    }
    objects += page.objects.length;
    const old = page.objects.filter(({ modifiedAt }) => modifiedAt <= page.listedAt - olderThanMs);
    removed += await removeOrphans(
      from,
      old.map(({ key }) => key),
      terms,
      serve,
    );
    cursor = page.next;
    // Other chores wait for this one.
    if (cursor !== null && (cursors.has(cursor) || cursors.size >= mostPages))
      throw new ObjectTrouble("the list of objects does not end");
    cursors.add(cursor ?? "");
  } while (cursor !== null);
  return { objects, removed, paused: [] };
}

async function removeOrphans(
  from: ObjectStore,
  old: readonly string[],
  { store }: ObjectTerms,
  serve: ServeRow,
): Promise<number> {
  let removed = 0;
  for (const keys of inChunks(old, 200)) {
    const pointedTo = await findPointedTo(store.read, keys);
    const orphans = keys.filter((key) => !pointedTo.has(key));
    for (const few of inChunks(orphans, inFlight)) {
      const { length } = await removeFew(from, few, serve);
      removed += length;
      store.messages.counts.swept += length;
    }
  }
  return removed;
}

type Progress = (done: number) => void;

/** Moves all messages to one place, and can be repeated after it was interrupted. */
export async function moveMessages(
  { store }: ObjectTerms,
  to: Place,
  onProgress: Progress,
): Promise<{ readonly moved: number; readonly lost: number }> {
  let [moved, lost] = [0, 0];
  await eachMessage(store, async (row) => {
    if (placeOf(row) === to) return;
    const outcome = await moveOne(store, row.test_id, to);
    if (outcome === "moved") moved += 1;
    if (outcome === "lost") lost += 1;
    if ((moved + lost) % 1_000 === 0) onProgress(moved);
  });
  return { moved, lost };
}

async function moveOne(
  { read, write, messages }: ObjectTerms["store"],
  testId: string,
  to: Place,
): Promise<"moved" | "lost" | "gone"> {
  const from = await readLocated(read, testId);
  if (from === undefined || placeOf(from) === to) return "gone";
  try {
    const placed = await messages.put(testId, await messages.open(from), to);
    return (await write((db) => pointTo(db, from, placed))) ? "moved" : "gone";
  } catch (error) {
    if (error instanceof MissingMessage) return "lost";
    throw error;
  }
}

export type Checked = { readonly messages: number; readonly missing: readonly string[] };

/** Reads every message outside the database and compares its checksum. */
export async function checkMessages({ store }: ObjectTerms): Promise<Checked> {
  let messages = 0;
  const missing: string[] = [];
  await eachMessage(store, async ({ test_id, stored_in }) => {
    if (stored_in === null) return;
    const row = await readLocated(store.read, test_id);
    if (row === undefined) return;
    messages += 1;
    if (!(await isThere(store.messages, row))) missing.push(test_id);
  });
  return { messages, missing };
}

async function isThere(messages: Messages, row: LocatedMessage): Promise<boolean> {
  try {
    await messages.open(row);
    return true;
  } catch (error) {
    if (error instanceof MissingMessage) return false;
    throw error;
  }
}

type Located = Pick<LocatedMessage, "test_id" | "stored_in">;

/** A message may be large. */
const messagesInFlight = 4;

async function eachMessage(
  { readInWorker }: ObjectTerms["store"],
  work: (row: Located) => Promise<void>,
): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await listLocated(readInWorker, { after, limit: 500 });
    for (const some of inChunks(rows, messagesInFlight)) await allOrFirstError(some.map(work));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.test_id;
  }
}

/** Nothing goes on in the background once it rejects. */
async function allOrFirstError(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function inChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
