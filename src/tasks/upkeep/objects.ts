// Deletes objects that no row points to: those of deleted messages, which the database queues, and orphans, which were
// written by a process that died before it wrote the row. Everything here can be repeated, and by several processes.

import type { Messages, Place } from "../../store/messages.ts";
import { MissingMessage } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import {
  findPointedTo,
  forgetObjectRemovals,
  type LocatedMessage,
  listLocated,
  listObjectRemovals,
  placeOf,
  pointTo,
  readLocated,
} from "../../store/tests/objects.ts";
import { type ObjectStore, ObjectTrouble } from "../../system/objects.ts";
import type { System } from "../../system/system.ts";
import type { Chore } from "../chores.ts";
import { mayDeleteByAge } from "./clock.ts";

type ObjectTerms = {
  readonly store: Pick<Store, "read" | "readInWorker" | "write" | "messages">;
  readonly system: Pick<System, "now" | "log">;
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
  const { messages } = store;
  const places = () => [...messages.objects.keys()];
  return [
    {
      id: "object-removals",
      everyMs: 5 * minuteMs,
      run: (stopping) => removeQueued({ store, system }, stopping),
      hasMore: async () => (await listObjectRemovals(store.read, places(), 1)).length > 0,
    },
    {
      id: "object-orphans",
      everyMs: dayMs,
      run: async (stopping) => {
        if (!(await mayDeleteByAge(store, system))) return;
        const { removed } = await sweepOrphans({ store, system }, { olderThanMs: orphansKeptMs, stopping });
        if (removed > 0) system.log.info("raw messages without a test removed", { objects: removed });
      },
    },
  ];
}

async function removeQueued({ store }: ObjectTerms, stopping: AbortSignal): Promise<void> {
  const { messages } = store;
  const due = await listObjectRemovals(store.read, [...messages.objects.keys()], removedAtOnce);
  const keys = due.map(({ object_key }) => object_key);
  const pointedTo = await findPointedTo(store.read, keys);
  for (const some of inChunks(due, inFlight)) {
    stopping.throwIfAborted();
    await Promise.all(
      some.map(async ({ object_key, stored_in }) => {
        if (!pointedTo.has(object_key)) await messages.objects.get(stored_in)?.remove(object_key);
      }),
    );
    await store.write((db) =>
      forgetObjectRemovals(
        db,
        some.map(({ object_key }) => object_key),
      ),
    );
  }
}

/** Each has up to 1,000 objects. */
const mostPages = 100_000;

type Sweep = { readonly olderThanMs: number; readonly stopping?: AbortSignal };
type Swept = { readonly objects: number; readonly removed: number };

/** All places, object by object. */
export async function sweepOrphans(terms: ObjectTerms, sweep: Sweep): Promise<Swept> {
  let [objects, removed] = [0, 0];
  for (const place of terms.store.messages.objects.values()) {
    const swept = await sweepPlace(place, terms, sweep);
    objects += swept.objects;
    removed += swept.removed;
  }
  return { objects, removed };
}

async function sweepPlace(
  place: ObjectStore,
  { store }: ObjectTerms,
  { olderThanMs, stopping }: Sweep,
): Promise<Swept> {
  let [objects, removed] = [0, 0];
  let cursor: string | null = null;
  const cursors = new Set<string>();
  do {
    stopping?.throwIfAborted();
    const page = await place.list(cursor);
    objects += page.objects.length;
    const old = page.objects.filter(({ modifiedAt }) => modifiedAt <= page.listedAt - olderThanMs);
    for (const some of inChunks(old, 200)) {
      const keys = some.map(({ key }) => key);
      const pointedTo = await findPointedTo(store.read, keys);
      const orphans = keys.filter((key) => !pointedTo.has(key));
      for (const few of inChunks(orphans, inFlight)) await Promise.all(few.map((key) => place.remove(key)));
      removed += orphans.length;
    }
    cursor = page.next;
    // Other chores wait for this one.
    if (cursor !== null && (cursors.has(cursor) || cursors.size >= mostPages))
      throw new ObjectTrouble("the list of objects does not end");
    cursors.add(cursor ?? "");
  } while (cursor !== null);
  return { objects, removed };
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
async function allOrFirstError(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function inChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
