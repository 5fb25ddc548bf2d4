// Two databases with the same installation ID use the same part of a bucket. Here: two stores with one S3 server.

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { claimPlace, isDeletionPaused, resumeSentence } from "../../../../src/features/server/upkeep/object-owner.ts";
import { objectChores, sweepOrphans } from "../../../../src/features/server/upkeep/objects.ts";
import { countObjectRemovals } from "../../../../src/features/tests/rows/objects.ts";
import { removeTests } from "../../../../src/features/tests/rows/removal.ts";
import { writeMeta } from "../../../../src/platform/database/engine/meta.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { placesOf, s3Objects, withMessages } from "../../../platform/database/message-places.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { type S3Server, startS3Server } from "../../../s3-server.ts";
import { testSystem } from "../../../test-system.ts";

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(() => server.close());

const never = new AbortController().signal;
const system = () => testSystem({ now: Date.now(), random: (bytes) => randomBytes(bytes) });
const messages = () => [...server.objects.keys()].filter((key) => !key.endsWith("/sweep-token"));

async function inBucket(store: Store): Promise<Store> {
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  return withMessages(store, placesOf(server)("s3"));
}

/** A copy of a database has the same tokens. */
async function copyTokens(from: Store, to: Store): Promise<void> {
  const rows = await from.read.selectFrom("meta").selectAll().where("key", "=", "objects:s3").execute();
  for (const { value } of rows) await to.write((db) => writeMeta(db, "objects:s3", value));
}

const deleteToken = () => server.objects.delete("assay/sweep-token");
const receive = (store: Store, ...ids: string[]) =>
  createIntake(store).insert(ids.map((id) => message(id, { bytes: Buffer.from("Subject: x\r\n\r\nx") })));
const sweep = (store: Store) => sweepOrphans({ store, system: system() }, { olderThanMs: -1_000, serve: serveOrThrow });
const remove = (store: Store) => objectChores({ store, system: system() })[0]?.run(never, serveOrThrow);

eachDialect("two databases with the same installation ID on one bucket", (open) => {
  async function openBoth() {
    const original = await inBucket(await open());
    await receive(original, "t1");
    expect(await sweep(original)).toEqual({ objects: 1, removed: 0, paused: [] });
    const copy = await inBucket(await openSqliteStore(`${temporaryFolder()}/copy.db`));
    await copyTokens(original, copy);
    // The original goes on.
    expect(await sweep(original)).toMatchObject({ paused: [] });
    return { original, copy };
  }

  test("two databases with the same installation ID on one bucket delete nothing of each other until the operator deletes the token", async () => {
    const { original, copy } = await openBoth();
    await receive(original, "t2");
    await receive(copy, "t3");
    expect(await sweep(copy)).toEqual({ objects: 0, removed: 0, paused: ["s3"] });
    // It learns from the place that the copy was there.
    expect(await sweep(original)).toEqual({ objects: 0, removed: 0, paused: ["s3"] });
    expect(messages()).toHaveLength(3);
    expect([await isDeletionPaused(original), await isDeletionPaused(copy)]).toEqual([true, true]);

    deleteToken();
    expect(await claimPlace(s3Objects(server), { store: original, system: system() })).toBe(true);
    expect(await isDeletionPaused(original)).toBe(false);
    expect(await sweep(copy)).toMatchObject({ removed: 0, paused: ["s3"] });
    expect(await sweep(original)).toMatchObject({ removed: 0, paused: ["s3"] });
    deleteToken();
    expect(await sweep(original)).toMatchObject({ removed: 1, paused: [] });
  });

  test("two databases with the same installation ID on one bucket keep the objects of deleted messages, and delete them once the token is deleted", async () => {
    const { original, copy } = await openBoth();
    await sweep(copy);
    await original.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t1"]));
    const [removals] = objectChores({ store: original, system: system() });
    await removals?.run(never, serveOrThrow);
    expect([messages().length, await countObjectRemovals(original.read)]).toEqual([1, 1]);
    // Otherwise the chore would be due again at once, forever.
    expect(await removals?.hasMore?.()).toBe(false);
    deleteToken();
    await remove(original);
    expect([messages().length, await countObjectRemovals(original.read)]).toEqual([0, 0]);
  });

  test("two databases with the same installation ID on one bucket that claim the storage at the same moment do not both get it", async () => {
    const { original, copy } = await openBoth();
    const objects = s3Objects(server);
    let held: (() => Promise<void>) | undefined;
    const slow = {
      ...objects,
      put: async (key: string, bytes: Uint8Array) => {
        await objects.put(key, bytes);
        await held?.();
      },
    };
    held = async () => {
      held = undefined;
      server.objects.set("assay/sweep-token", { bytes: Buffer.from("x".repeat(32)), modifiedAt: 0 });
    };
    expect(await claimPlace(slow, { store: original, system: system() })).toBe(false);
    expect(await claimPlace(objects, { store: copy, system: system() })).toBe(false);
  });

  test("two databases with the same installation ID on one bucket continue after an uncertain write of the token", async () => {
    const { original } = await openBoth();
    server.misbehave("fail", 2);
    await expect(sweep(original)).rejects.toThrow();
    const objects = s3Objects(server);
    for (const isWritten of [true, false]) {
      const failing = {
        ...objects,
        put: async (key: string, bytes: Uint8Array) => {
          if (isWritten) await objects.put(key, bytes);
          throw new Error("no reply");
        },
      };
      const claim = claimPlace(failing, { store: original, system: system() });
      await expect(claim).rejects.toThrow("no reply");
    }
    expect(await sweep(original)).toMatchObject({ paused: [] });
  });

  test("two databases with the same installation ID on one bucket report it in the log, with the fix", async () => {
    const { original, copy } = await openBoth();
    await sweep(copy);
    const own = system();
    await objectChores({ store: original, system: own })[1]?.run(never, serveOrThrow);
    expect(own.logged.map(({ level, message: says, fields }) => [level, says, fields.fix])).toContainEqual([
      "error",
      "no raw messages are deleted from the S3 store, because another database may use it",
      resumeSentence,
    ]);
  });

  test("two databases with the same installation ID on one bucket that has no token yet wait until the restored one has left one", async () => {
    const original = await inBucket(await open());
    const copy = await inBucket(await openSqliteStore(`${temporaryFolder()}/copy.db`));
    await copy.write((db) => writeMeta(db, "objects:s3", JSON.stringify({ tokens: [], problem: "copy" })));
    await receive(original, "t1");
    expect(await sweep(copy)).toMatchObject({ removed: 0, paused: ["s3"] });
    expect(await sweep(original)).toMatchObject({ removed: 0, paused: ["s3"] });
    deleteToken();
    expect(await sweep(copy)).toMatchObject({ removed: 1, paused: [] });
    await receive(copy, "t2");
    expect(await sweep(original)).toMatchObject({ removed: 0, paused: ["s3"] });
  });
});
