import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { insertDomain } from "../../../../src/features/domains/rows/domains.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createSeedInbox } from "../../../../src/features/intake/work/seed-inboxes.ts";
import { hasDueMailbox, readHeldMailboxes, stopMailboxes } from "../../../../src/features/mailboxes/rows/mailboxes.ts";
import { markRemoved, removeSomeTests } from "../../../../src/features/people/rows/workspaces.ts";
import {
  createWorkspace,
  deleteWorkspace,
  hasWorkspacesToRemove,
  removeWorkspaces,
} from "../../../../src/features/people/work/workspaces.ts";
import { inWorkspace, type Scope, storeOf } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertIntegration, message } from "../../../platform/database/nouns.ts";

const system = { now: () => 1_000, random: randomBytes };

eachDialect("a removed workspace", (open) => {
  async function twoWorkspaces() {
    const store = await open();
    const wanted = { seedDomain: "seed.example" };
    const first = await createWorkspace(store, system, { name: "First", ...wanted });
    const second = await createWorkspace(store, { ...system, now: () => 2_000 }, { name: "Second", ...wanted });
    const intake = createIntake(store);
    const receive = (workspaceId: string, ids: readonly string[], bytes?: Uint8Array) =>
      intake.insert(ids.map((id) => message(id, { workspaceId, ...(bytes && { bytes }) })));
    const remove = (id: string, before = async (_workspace: Scope) => {}) =>
      deleteWorkspace(store, system, { id, catchAll: null, before });
    const idsOfTests = async () => {
      const rows = await store.read.selectFrom("tests").select("id").orderBy("id").execute();
      return rows.map(({ id }) => id);
    };
    return { store, first, second, receive, remove, idsOfTests };
  }

  test("a removed workspace is deleted with its data, and nothing of another workspace", async () => {
    const { store, first, second, receive, remove, idsOfTests } = await twoWorkspaces();
    await receive(first.id, ["tst_1"]);
    await receive(
      second.id,
      Array.from({ length: 450 }, (_, n) => `tst_2_${n}`),
    );
    await remove(second.id);
    await removeWorkspaces(store, system);
    expect(await idsOfTests()).toEqual(["tst_1"]);
    const left = await store.read.selectFrom("workspaces").select("id").execute();
    expect(left).toEqual([{ id: first.id }]);
  });

  test("a removed workspace stops all reading of its mailboxes", async () => {
    const { store, first, second, remove } = await twoWorkspaces();
    for (const [workspaceId, id] of [
      [first.id, "ann"],
      [second.id, "bob"],
    ] as const)
      await insertIntegration(store, workspaceId, id, { claimed_by: "one", claimed_until: 9_000 });
    await remove(second.id, stopMailboxes);
    expect([...(await readHeldMailboxes(store.read, "one", ["ann", "bob"])).keys()]).toEqual(["ann"]);
    await store.write((db) => db.deleteFrom("integrations").where("id", "=", "ann").execute());
    expect(await hasDueMailbox(store.read, Date.UTC(2100, 0))).toBe(false);
    await removeWorkspaces(store, system);
    expect(await store.read.selectFrom("integrations").select("id").execute()).toEqual([]);
  });

  async function withDomains() {
    const opened = await twoWorkspaces();
    const { store, first, second } = opened;
    for (const [workspaceId, count] of [
      [first.id, 1],
      [second.id, 120],
    ] as const)
      await store.write(async (db) => {
        for (let n = 0; n < count; n++)
          await insertDomain(inWorkspace(db, workspaceId), {
            id: `dom_${workspaceId}_${n}`,
            domain: `a${n}.example`,
            dkim_selector: null,
            created_at: 1,
          });
      });
    let writes = 0;
    const write: typeof store.write = (work) => {
      writes++;
      return store.write(work);
    };
    const idsOfDomains = async () =>
      (await store.read.selectFrom("domains").select("id").execute()).map(({ id }) => id);
    return { ...opened, counting: { ...store, write }, countWrites: () => writes, idsOfDomains };
  }

  test("a removed workspace loses its domains in steps before the response", async () => {
    const { first, second, counting, countWrites, idsOfDomains } = await withDomains();
    await deleteWorkspace(counting, system, { id: second.id, catchAll: null, before: async () => {} });
    expect(await idsOfDomains()).toEqual([`dom_${first.id}_0`]);
    expect(countWrites()).toBeGreaterThan(3);
  });

  test("a removed workspace loses its domains in steps later if the process ended too early", async () => {
    const { store, first, second, counting, countWrites, idsOfDomains } = await withDomains();
    await store.write((db) => markRemoved(inWorkspace(db, second.id), 1));
    await removeWorkspaces(counting, system);
    expect(await idsOfDomains()).toEqual([`dom_${first.id}_0`]);
    expect(countWrites()).toBeGreaterThan(4);
  });

  test("the deletion of a workspace continues after a shutdown", async () => {
    const { store, second, receive, remove, idsOfTests } = await twoWorkspaces();
    await receive(second.id, ["tst_1", "tst_2", "tst_3"]);
    await remove(second.id);
    const step = { tests: 2, bytes: 1_000_000 };
    expect(await store.write((db) => removeSomeTests(inWorkspace(db, second.id), step))).toBe(2);
    await removeWorkspaces(store, system);
    expect(await idsOfTests()).toEqual([]);
  });

  test("the deletion of a workspace lets other chores run, and continues at the next turn", async () => {
    const { store, second, receive, remove, idsOfTests } = await twoWorkspaces();
    await receive(
      second.id,
      Array.from({ length: 450 }, (_, n) => `tst_${n}`),
    );
    await remove(second.id);
    let time = 0;
    const slow = {
      now: () => {
        time += 20_000;
        return time;
      },
    };
    await removeWorkspaces(store, slow);
    expect((await idsOfTests()).length).toBeGreaterThan(0);
    expect(await hasWorkspacesToRemove(store)).toBe(true);
    while (await hasWorkspacesToRemove(store)) await removeWorkspaces(store, slow);
    expect(await idsOfTests()).toEqual([]);
  });

  test("a removed workspace is deleted in steps of limited bytes, or of one message", async () => {
    const { store, second, receive } = await twoWorkspaces();
    const bytes = Buffer.alloc(1_000, "x");
    await receive(second.id, ["tst_1", "tst_2", "tst_3"], bytes);
    const removeSome = (most: number) =>
      store.write((db) => removeSomeTests(inWorkspace(db, second.id), { tests: 10, bytes: most }));
    expect(await removeSome(2_500)).toBe(2);
    expect(await removeSome(10)).toBe(1);
    expect(await removeSome(10)).toBe(0);
  });

  test("a removed workspace is deleted at the next run of the chores", async () => {
    const { store, second, remove } = await twoWorkspaces();
    const idle = { claimed_by: null, claimed_until: null, attempts: 0 };
    const never = { last_started_at: null, last_finished_at: null, last_error: null };
    const chore = { id: "remove workspaces", due_at: 9_999_999, ...idle, ...never };
    await store.write((db) => db.insertInto("chores").values(chore).execute());
    await remove(second.id);
    const due = await store.read.selectFrom("chores").select("due_at").executeTakeFirst();
    expect(due).toEqual({ due_at: 1_000 });
  });

  test("a deleted workspace accepts no new seed address from a request that was already running", async () => {
    const { store, second, remove } = await twoWorkspaces();
    await remove(second.id);
    const wanted = { localPart: null, domain: null, label: null };
    await expect(createSeedInbox(storeOf(store, second.id), system, ["seed.example"], wanted)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("a removed workspace is never the first one, nor the catch-all workspace", async () => {
    const { store, first, second, remove } = await twoWorkspaces();
    await expect(remove(first.id)).rejects.toMatchObject({ code: "conflict" });
    const asked = { id: second.id, catchAll: second.id, before: async () => {} };
    await expect(deleteWorkspace(store, system, asked)).rejects.toMatchObject({ code: "conflict" });
  });
});
