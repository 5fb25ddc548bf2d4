// Which objects the rows of raw messages point to, and which are left to delete (platform/database/messages.ts).

import type { MessageRow, Place, Placed } from "../../../platform/database/messages.ts";
import type { Db, ObjectPlace } from "../../../platform/database/schema.ts";
import { messageColumns } from "./raw-messages.ts";

type PlacedObject = { readonly object_key: string; readonly stored_in: ObjectPlace };

/** Keys of objects that no row points to any more, in order. */
export async function listObjectRemovals(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("object_removals")
    .select("object_key")
    .where("stored_in", "=", "s3")
    .where("object_key", ">", after)
    .orderBy("object_key")
    .limit(limit)
    .execute();
  return rows.map(({ object_key }) => object_key);
}

export async function forgetObjectRemovals(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom("object_removals").where("object_key", "in", keys).execute();
}

export async function countObjectRemovals(db: Db): Promise<number> {
  const { objects } = await db
    .selectFrom("object_removals")
    .select(({ fn }) => fn.countAll<number>().as("objects"))
    .where("stored_in", "=", "s3")
    .executeTakeFirstOrThrow();
  return Number(objects);
}

async function queueObjectRemoval(db: Db, object: PlacedObject): Promise<void> {
  await db
    .insertInto("object_removals")
    .values(object)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those of the keys that a row points to. */
export async function findPointedTo(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.selectFrom("raw_messages").select("object_key").where("object_key", "in", keys).execute();
  return new Set(rows.flatMap(({ object_key }) => object_key ?? []));
}

/** Bytes of all messages outside the database. */
export async function sumObjectBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom("raw_messages")
    .select(({ fn }) => fn.sum<number | null>("object_bytes").as("bytes"))
    .where("object_key", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export type LocatedMessage = MessageRow & { readonly test_id: string };

/** In the order of tests, after one. `size_bytes` limits how many are in memory together. */
export async function listLocated(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<LocatedMessage, "test_id" | "stored_in" | "object_key">[]> {
  return await db
    .selectFrom("raw_messages")
    .select(["test_id", "stored_in", "object_key"])
    .where("test_id", ">", after)
    .orderBy("test_id")
    .limit(limit)
    .execute();
}

export async function readLocated(db: Db, testId: string): Promise<LocatedMessage | undefined> {
  return await db
    .selectFrom("raw_messages")
    .select(["test_id", ...messageColumns])
    .where("test_id", "=", testId)
    .executeTakeFirst();
}

/**
 * Points the row to the copy, and queues the object that it pointed to. False if the message was deleted or moved
 * meanwhile. Then the copy is queued.
 */
export async function pointTo(db: Db, from: LocatedMessage, to: Placed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("raw_messages")
    .set({ stored_in: null, object_key: null, object_hash: null, object_bytes: null, ...to })
    .where("test_id", "=", from.test_id)
    .where((is) => (from.object_key === null ? is("object_key", "is", null) : is("object_key", "=", from.object_key)))
    .executeTakeFirstOrThrow();
  const isMoved = numUpdatedRows === 1n;
  const { object_key, stored_in } = isMoved ? from : to;
  if (object_key && stored_in) await queueObjectRemoval(db, { object_key, stored_in });
  return isMoved;
}

export function placeOf({ stored_in }: Pick<MessageRow, "stored_in">): Place | ObjectPlace {
  return stored_in ?? "database";
}
