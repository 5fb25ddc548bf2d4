import { expect, test } from "vitest";
import { heldForMs } from "../../../../src/features/intake/rows/released-addresses.ts";
import {
  createRouter,
  type RoutingTable,
  routeRecipient,
} from "../../../../src/features/intake/work/route-recipient.ts";
import { createSeedInbox, deleteSeedInbox } from "../../../../src/features/intake/work/seed-inboxes.ts";
import { createWorkspace, findCatchAll } from "../../../../src/features/people/work/workspaces.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";

const seedDomains = ["seed.example", "other.example"];

async function openWorld(open: Open) {
  const store = await open();
  const system = testSystem();
  const first = await createWorkspace(store, system, { name: "First", seedDomain: "seed.example" });
  system.advance(1);
  const second = await createWorkspace(store, system, { name: "Second", seedDomain: "seed.example" });
  const wanted = { localPart: "hello", domain: null, label: null };
  const inbox = await createSeedInbox(storeOf(store, second.id), system, seedDomains, wanted);
  const table = { db: store.read, config: { seedDomains }, catchAll: null, now: system.now };
  const route = (address: string, changes: Partial<RoutingTable> = {}) =>
    routeRecipient(address, { ...table, ...changes });
  return { store, system, first: first.id, second: second.id, inbox, route };
}

eachDialect("an SMTP recipient", (open) => {
  test("an SMTP recipient at a seed address goes to its workspace, with the label and the address as sent", async () => {
    const { route, inbox, second } = await openWorld(open);
    const address = "HELLO+Welcome@Seed.Example";
    expect(await route(address)).toEqual({
      outcome: "taken",
      recipient: { workspaceId: second, seedInboxId: inbox.id, label: "Welcome", address },
    });
    expect(await route('"hello"@seed.example')).toMatchObject({ recipient: { seedInboxId: inbox.id } });
  });

  test("an SMTP recipient at another domain is foreign, and without a seed address unknown", async () => {
    const { route } = await openWorld(open);
    expect(await route("hello@elsewhere.example")).toEqual({ outcome: "foreign" });
    expect(await route("hello@other.example")).toEqual({ outcome: "unknown" });
    expect(await route("nobody\0@seed.example")).toEqual({ outcome: "unknown" });
  });

  test("an SMTP recipient with a reserved name goes to the first workspace, regardless of the catch-all setting", async () => {
    const { route, first, second } = await openWorld(open);
    const addresses = ["Postmaster@other.example", "abuse+x@seed.example", "bounce+t0ken@seed.example", "postmaster"];
    for (const address of addresses)
      expect(await route(address, { catchAll: second })).toMatchObject({
        recipient: { workspaceId: first, seedInboxId: null, address },
      });
  });

  test("an SMTP recipient that is unknown goes to the catch-all workspace", async () => {
    const { route, inbox, first, second } = await openWorld(open);
    const catching = { catchAll: first };
    expect(await route("any.one+x@other.example", catching)).toMatchObject({
      recipient: { workspaceId: first, seedInboxId: null, label: "x" },
    });
    expect(await route("hello@seed.example", catching)).toMatchObject({
      recipient: { workspaceId: second, seedInboxId: inbox.id },
    });
  });

  test("an SMTP recipient is cached for a second if accepted, and looked up again if rejected", async () => {
    const { store, system, second, inbox } = await openWorld(open);
    const router = createRouter({ db: store.read, config: { seedDomains }, catchAll: null, now: system.now });
    const outcome = async (localPart: string) => (await router(`${localPart}@seed.example`, "192.0.2.1")).outcome;
    expect(await outcome("hello")).toBe("taken");
    expect(await outcome("late")).toBe("unknown");
    await createSeedInbox(storeOf(store, second), system, seedDomains, {
      localPart: "late",
      domain: null,
      label: null,
    });
    expect(await outcome("late")).toBe("taken");
    await deleteSeedInbox(storeOf(store, second), system, inbox.id);
    expect(await outcome("hello")).toBe("taken");
    system.advance(1_000);
    expect(await outcome("hello")).toBe("unknown");
  });

  test("an SMTP recipient at a deleted seed address does not go to another workspace's catch-all for 180 days", async () => {
    const { store, system, route, inbox, first, second } = await openWorld(open);
    await deleteSeedInbox(storeOf(store, second), system, inbox.id);
    expect(await route("hello@seed.example", { catchAll: first })).toEqual({ outcome: "unknown" });
    expect(await route("hello@seed.example", { catchAll: second })).toMatchObject({ outcome: "taken" });
    system.advance(heldForMs);
    expect(await route("hello@seed.example", { catchAll: first })).toMatchObject({ outcome: "taken" });
  });
});

eachDialect("the catch-all setting", (open) => {
  test("the catch-all setting names a workspace by ID or name, and is invalid for none or several", async () => {
    const { store, system, first } = await openWorld(open);
    expect(await findCatchAll(store.read, null)).toBeNull();
    expect(await findCatchAll(store.read, first)).toBe(first);
    expect(await findCatchAll(store.read, "First")).toBe(first);
    await expect(findCatchAll(store.read, "Third")).rejects.toThrow(/ASSAY_CATCH_ALL is "Third": no workspace has/);
    await createWorkspace(store, system, { name: "First", seedDomain: "seed.example" });
    await expect(findCatchAll(store.read, "First")).rejects.toThrow(/2 workspaces have this name/);
    expect(await findCatchAll(store.read, first)).toBe(first);
  });
});
