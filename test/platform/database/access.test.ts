import { expect, test } from "vitest";
import {
  findSeedInbox,
  insertSeedInbox,
  listSeedInboxes,
  readSampleInbox,
} from "../../../src/features/intake/rows/seed-inboxes.ts";
import {
  findToken,
  insertToken,
  listTokens,
  removeToken,
  updateTokenLastUsed,
} from "../../../src/features/people/rows/tokens.ts";
import { listWorkspaces, readWorkspaces } from "../../../src/features/people/rows/workspaces.ts";
import { readMeta, writeMeta, writeMetaOnce } from "../../../src/platform/database/engine/meta.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { eachDialect } from "./each-dialect.ts";
import { insertWorkspaces } from "./nouns.ts";

const inbox = (id: string, localPart: string, active = 1) => ({
  id,
  local_part: localPart,
  domain: "Seed.Example",
  label: null,
  active,
  created_at: 1,
});
const token = (id: string, expiresAt: number | null = null) => ({
  id,
  name: id,
  hash: `hash of ${id}`,
  ...({ scope: "admin", label: null, created_with: null, last_used_address: null, noticed_days: null } as const),
  created_by: null,
  created_at: 1,
  last_used_at: null,
  expires_at: expiresAt,
});

eachDialect("data of the installation", (open) => {
  test("the first installation ID is kept, and the last value of other fields", async () => {
    const { write, read } = await open();
    expect(await write((db) => writeMetaOnce(db, "installation_id", "first"))).toBe("first");
    expect(await write((db) => writeMetaOnce(db, "installation_id", "second"))).toBe("first");
    await write((db) => writeMeta(db, "secret_key_fingerprint", "old"));
    await write((db) => writeMeta(db, "secret_key_fingerprint", "new"));
    expect(await readMeta(read, "secret_key_fingerprint")).toBe("new");
  });

  test("workspaces are listed oldest first", async () => {
    const { write, read } = await open();
    await write((db) => insertWorkspaces(db, "wsp_b", "wsp_a"));
    expect((await listWorkspaces(read)).map(({ id }) => id)).toEqual(["wsp_b", "wsp_a"]);
    expect(await readWorkspaces(read, ["wsp_a"])).toMatchObject([{ name: "Workspace wsp_a" }]);
    expect(await readWorkspaces(read, ["wsp_c"])).toEqual([]);
  });
});

eachDialect("data of a workspace", (open) => {
  const openTwo = async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const inside = (id: string, db = store.read) => inWorkspace(db, id);
    return { ...store, inside };
  };
  const insertInbox = (store: Store, workspace: string, row: ReturnType<typeof inbox>) =>
    store.write((db) => insertSeedInbox(inWorkspace(db, workspace), row));

  test("an address is found in any letter case, only in its workspace", async () => {
    const store = await openTwo();
    expect(await insertInbox(store, "wsp_a", inbox("sdi_1", "Hello"))).toBe(true);
    expect(await insertInbox(store, "wsp_b", inbox("sdi_2", "hello"))).toBe(false);
    expect(await findSeedInbox(store.read, "HELLO", "SEED.example")).toMatchObject({
      id: "sdi_1",
      workspace_id: "wsp_a",
    });
    expect(await findSeedInbox(store.read, "hello", "other.example")).toBeUndefined();
  });

  test("a workspace has one active seed address", async () => {
    const store = await openTwo();
    await insertInbox(store, "wsp_a", inbox("sdi_1", "one"));
    await insertInbox(store, "wsp_a", inbox("sdi_2", "two", 0));
    await expect(insertInbox(store, "wsp_a", inbox("sdi_3", "three"))).rejects.toThrow();
    expect((await readSampleInbox(store.inside("wsp_a"), ["seed.example"]))?.id).toBe("sdi_1");
    expect(await readSampleInbox(store.inside("wsp_b"), ["seed.example"])).toBeUndefined();
    expect((await listSeedInboxes(store.inside("wsp_a"))).map(({ id }) => id)).toEqual(["sdi_1", "sdi_2"]);
  });

  test("a token is found by its hash until it expires or is deleted", async () => {
    const { write, read, inside } = await openTwo();
    await write(async (db) => {
      await insertToken(inWorkspace(db, "wsp_a"), token("tok_1"));
      await insertToken(inWorkspace(db, "wsp_a"), token("tok_2", 500));
      await updateTokenLastUsed(db, "tok_1", { now: 77, address: "192.0.2.7" });
    });
    expect(await findToken(read, "hash of tok_1", 9e12)).toMatchObject({
      workspace_id: "wsp_a",
      last_used_at: 77,
      last_used_address: "192.0.2.7",
    });
    expect((await findToken(read, "hash of tok_2", 499))?.id).toBe("tok_2");
    expect(await findToken(read, "hash of tok_2", 500)).toBeUndefined();
    expect(await write((db) => removeToken(inside("wsp_b", db), "tok_1"))).toBe(false);
    expect(await write((db) => removeToken(inside("wsp_a", db), "tok_1"))).toBe(true);
    expect((await listTokens(inside("wsp_a"))).map(({ id }) => id)).toEqual(["tok_2"]);
    expect(await listTokens(inside("wsp_b"))).toEqual([]);
  });

  test("the data of a workspace is deleted with the workspace", async () => {
    const store = await openTwo();
    await insertInbox(store, "wsp_a", inbox("sdi_1", "one"));
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", "wsp_a").execute());
    expect(await findSeedInbox(store.read, "one", "seed.example")).toBeUndefined();
  });
});
