import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { removeExpired } from "../../../../src/features/people/rows/sessions.ts";
import { insertUser } from "../../../../src/features/people/rows/users.ts";
import { findShare, insertShare, listShares, removeShare } from "../../../../src/features/tests/rows/shares.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";

const share = (id: string, changes: { created_by?: string; expires_at?: number } = {}) => ({
  id,
  test_id: "tst_1",
  hash: `hash of ${id}`,
  redact_body: 0,
  created_by: null,
  created_with: null,
  created_at: 1,
  expires_at: 1_000,
  ...changes,
});

eachDialect("report shares", (open) => {
  async function openWithTest() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    await createIntake(store).insert([message("tst_1")]);
    const insert = (row: ReturnType<typeof share>) => store.write((db) => insertShare(inWorkspace(db, "wsp_a"), row));
    const idsLeft = async () =>
      (await store.read.selectFrom("shares").select("id").orderBy("id").execute()).map(({ id }) => id);
    return { ...store, insert, idsLeft };
  }

  test("report shares are found by their hash until they end, and listed by their test in their workspace", async () => {
    const { insert, read } = await openWithTest();
    await insert(share("shr_1"));
    await insert(share("shr_2", { expires_at: 2_000 }));
    expect(await findShare(read, "hash of shr_1", 999)).toMatchObject({ test_id: "tst_1", workspace_id: "wsp_a" });
    expect(await findShare(read, "hash of shr_1", 1_000)).toBeUndefined();
    const idsAt = async (now: number, workspace = "wsp_a") =>
      (await listShares(inWorkspace(read, workspace), "tst_1", now)).map(({ id }) => id);
    expect(await idsAt(999)).toEqual(["shr_1", "shr_2"]);
    expect(await idsAt(1_000)).toEqual(["shr_2"]);
    expect(await idsAt(999, "wsp_b")).toEqual([]);
  });

  test("report shares are ended only by their workspace, and deleted once they have ended", async () => {
    const { insert, write, idsLeft } = await openWithTest();
    for (const id of ["shr_1", "shr_2"]) await insert(share(id));
    await insert(share("shr_3", { expires_at: 2_000 }));
    expect(await write((db) => removeShare(inWorkspace(db, "wsp_b"), "shr_1"))).toBe(false);
    expect(await write((db) => removeShare(inWorkspace(db, "wsp_a"), "shr_1"))).toBe(true);
    await write((db) => removeExpired(db, { now: 1_000, failuresBefore: 0 }));
    expect(await idsLeft()).toEqual(["shr_3"]);
  });

  test("report shares are deleted with their test and with their creator's membership", async () => {
    const { insert, write, idsLeft } = await openWithTest();
    await write(async (db) => {
      await insertUser(db, { id: "usr_a", email: "a", name: "A", password_hash: "", created_at: 1 });
      const membership = { workspace_id: "wsp_a", user_id: "usr_a", role: "member" as const, created_at: 1 };
      await db.insertInto("memberships").values(membership).execute();
    });
    await insert(share("shr_1"));
    await insert(share("shr_2", { created_by: "usr_a" }));
    await expect(insert(share("shr_3", { created_by: "usr_b" }))).rejects.toThrow(/foreign key/i);
    await write((db) => db.deleteFrom("memberships").execute());
    expect(await idsLeft()).toEqual(["shr_1"]);
    await write((db) => db.deleteFrom("tests").execute());
    expect(await idsLeft()).toEqual([]);
  });
});
