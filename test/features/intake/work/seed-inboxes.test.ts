import { expect, test } from "vitest";
import { heldForMs } from "../../../../src/features/intake/rows/released-addresses.ts";
import { listSeedInboxes } from "../../../../src/features/intake/rows/seed-inboxes.ts";
import {
  changeSeedInbox,
  createSeedInbox,
  deleteSeedInbox,
  type WantedInbox,
} from "../../../../src/features/intake/work/seed-inboxes.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { inWorkspace, storeOf } from "../../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";

const seedDomains = ["seed.example", "xn--bcher-kva.example"];

async function openTwo(open: Open) {
  const store = await open();
  const system = testSystem();
  const first = await createWorkspace(store, system, { name: "First", seedDomain: "seed.example" });
  system.advance(1);
  const second = await createWorkspace(store, system, { name: "Second", seedDomain: "seed.example" });
  const create = (workspaceId: string, wanted: Partial<WantedInbox> = {}) =>
    createSeedInbox(storeOf(store, workspaceId), system, seedDomains, {
      localPart: null,
      domain: null,
      label: null,
      ...wanted,
    });
  return {
    store,
    system,
    first: first.id,
    second: second.id,
    create,
    list: (workspaceId: string) => listSeedInboxes(inWorkspace(store.read, workspaceId)),
    change: (workspaceId: string, id: string, changes: { active?: boolean; label?: string | null }) =>
      changeSeedInbox(storeOf(store, workspaceId), id, changes),
    remove: (workspaceId: string, id: string) => deleteSeedInbox(storeOf(store, workspaceId), system, id),
  };
}

eachDialect("seed addresses", (open) => {
  test("seed addresses get a random or a requested address at any seed domain", async () => {
    const { create, second } = await openTwo(open);
    const random = await create(second);
    expect(random).toMatchObject({ domain: "seed.example", active: 0 });
    expect(random.local_part).toMatch(/^[a-z0-9]{10}$/);
    const chosen = await create(second, { localPart: "news-letter", domain: "BÜCHER.example.", label: "News" });
    expect(chosen).toMatchObject({ local_part: "news-letter", domain: "xn--bcher-kva.example", label: "News" });
    await expect(create(second, { domain: "elsewhere.example" })).rejects.toMatchObject({
      code: "invalid_request",
      details: { field: "domain" },
    });
  });

  test("seed addresses that are taken are rejected without saying by whom", async () => {
    const { create, first, second } = await openTwo(open);
    await create(first, { localPart: "hello" });
    const refusal = { code: "conflict", message: "This address is taken. Choose another local part." };
    for (const workspace of [first, second])
      await expect(create(workspace, { localPart: "hello" })).rejects.toMatchObject(refusal);
  });

  test("seed addresses with a reserved name are only for the first workspace", async () => {
    const { create, first, second } = await openTwo(open);
    for (const localPart of ["postmaster", "admin", "bounce"]) {
      await expect(create(second, { localPart })).rejects.toMatchObject({ code: "conflict" });
      expect((await create(first, { localPart })).local_part).toBe(localPart);
    }
  });

  test("seed addresses have exactly one active address after a change", async () => {
    const { create, change, list, system, second } = await openTwo(open);
    const [original] = await list(second);
    system.advance(1);
    const { id } = await create(second);
    const active = async () => (await list(second)).filter((inbox) => inbox.active === 1).map((one) => one.id);
    expect(await change(second, id, { active: true })).toMatchObject({ active: 1 });
    expect(await active()).toEqual([id]);
    await change(second, id, { active: true });
    expect(await active()).toEqual([id]);
    await change(second, id, { active: false });
    expect(await active()).toEqual([original?.id]);
    await change(second, id, { active: false, label: "Renamed" });
    expect(await active()).toEqual([original?.id]);
    expect((await list(second))[1]?.label).toBe("Renamed");
    expect(await change(second, id, { label: null })).toMatchObject({ label: null });
  });

  test("seed addresses have one active address after two simultaneous changes", async () => {
    const { create, change, list, first, second } = await openTwo(open);
    const ids = [(await create(second)).id, (await create(second)).id];
    await Promise.all(ids.map((id) => change(second, id, { active: true })));
    expect((await list(second)).filter(({ active }) => active === 1)).toHaveLength(1);
    expect((await list(first)).filter(({ active }) => active === 1)).toHaveLength(1);
  });

  test("seed addresses can be deleted except for the last one, which stays active", async () => {
    const { create, change, remove, list, system, second } = await openTwo(open);
    const [original] = await list(second);
    const id = original?.id ?? "";
    await expect(remove(second, id)).rejects.toMatchObject({ code: "conflict" });
    await expect(change(second, id, { active: false })).rejects.toMatchObject({ code: "conflict" });
    system.advance(1);
    const other = await create(second);
    await remove(second, id);
    expect(await list(second)).toMatchObject([{ id: other.id, active: 1 }]);
    await expect(remove(second, id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("seed addresses of another workspace are not found", async () => {
    const { create, change, remove, list, first, second } = await openTwo(open);
    const theirs = await create(first);
    await expect(change(second, theirs.id, { active: true })).rejects.toMatchObject({ code: "not_found" });
    await expect(remove(second, theirs.id)).rejects.toMatchObject({ code: "not_found" });
    expect(await list(first)).toHaveLength(2);
  });

  test("seed addresses that were deleted stay reserved for their workspace for 180 days", async () => {
    const { create, remove, list, system, first, second } = await openTwo(open);
    const before = await list(first);
    const released = await create(second, { localPart: "hello" });
    await remove(second, released.id);
    const refusal = { message: "This address is taken. Choose another local part." };
    await expect(create(first, { localPart: "hello" })).rejects.toMatchObject(refusal);
    expect(await list(first)).toEqual(before);
    const again = await create(second, { localPart: "hello" });
    await remove(second, again.id);
    system.advance(heldForMs - 1);
    await expect(create(first, { localPart: "hello" })).rejects.toMatchObject(refusal);
    system.advance(1);
    expect((await create(first, { localPart: "hello" })).workspace_id).toBe(first);
  });

  test("seed addresses are limited in number", async () => {
    const { store, create, second } = await openTwo(open);
    await store.write(async (db) => {
      const row = { workspace_id: second, domain: "d.example", label: null, active: 0, created_at: 1 };
      const rows = Array.from({ length: 999 }, (_, n) => ({ ...row, id: `sdi_${n}`, local_part: `n${n}` }));
      await db.insertInto("seed_inboxes").values(rows).execute();
    });
    await expect(create(second)).rejects.toMatchObject({ code: "conflict" });
  });
});
