import { expect, test } from "vitest";
import { builtIn } from "../../../src/analyzer/senders/name-sender.ts";
import * as rows from "../../../src/features/own-addresses/rows.ts";
import { createLearnChore } from "../../../src/features/own-addresses/work/learn.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../platform/database/each-dialect.ts";
import { insertDomain, insertWorkspaces } from "../../platform/database/nouns.ts";
import { storeSystem } from "../../platform/database/store-system.ts";

const now = Date.UTC(2026, 10, 20);

eachDialect("own addresses", (open) => {
  test("the worst comes first, and what was turned off ends", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const scope = inWorkspace(store.read, "wsp_a");
    const write = (work: (scope: ReturnType<typeof inWorkspace>) => Promise<unknown>) =>
      store.write((db) => work(inWorkspace(db, "wsp_a")));
    for (const id of ["1", "2", "3"])
      await write((own) => rows.noteAddress(own, { id, value: `203.0.113.${id}`, kind: "ipv4", origin: "typed" }, now));
    const listing = { since: now, seen_at: now, until: null, misses: 0, code: "127.0.0.2", meaning: "", says: null };
    const add = (address_id: string, zone: string, weight: "major" | "minor") =>
      write((own) => rows.insertListing(own, { ...listing, id: zone, address_id, zone, class: weight }));
    await add("1", "minor.example", "minor");
    await add("2", "major.example", "major");
    const list = async () => (await rows.listAddresses(scope, { limit: 9, offset: 0 })).map(({ id }) => id);
    expect(await list()).toEqual(["2", "1", "3"]);
    expect((await rows.listOpenListings(scope)).map(({ zone }) => zone)).toEqual(["major.example", "minor.example"]);
    expect((await rows.listDueAddresses(store.read, now, 9)).length).toBe(3);
    expect(await rows.countByKind(store.read, now)).toEqual({ ipv4: 3, ipv6: 0, domain: 0 });
    expect(await rows.countAddresses(scope)).toBe(3);
    expect(await rows.countTaken(scope, new Set(["ipv4"] as const), now)).toEqual({ taken: 3, checked: 0 });
    await rows.endUnwatched(store, new Set(["minor.example"]));
    expect(await list()).toEqual(["1", "3", "2"]);
    await store.write((db) => insertDomain(db, { id: "dom_1", workspaceId: "wsp_a", domain: "shop.example" }));
    const naming = { senderTable: builtIn, findSenderFacts: async () => new Map() };
    await createLearnChore({ store, system: { ...storeSystem(), now: () => now } as never, ...naming }).run(
      new AbortController().signal,
      serveOrThrow,
    );
    expect(await rows.countAddresses(scope)).toBe(4);
  });
});
