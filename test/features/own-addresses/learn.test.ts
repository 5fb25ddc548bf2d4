// Where own addresses come from, and what people may add and remove.

import { expect, test } from "vitest";
import { type MailReport, noRows } from "../../../src/analyzer/mail/reports/mail-class.ts";
import { noteSenders } from "../../../src/features/domains/rows/seen-senders.ts";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { createLearnChore } from "../../../src/features/own-addresses/work/learn.ts";
import { claimTests } from "../../../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../../../src/features/tests/work/record-non-test.ts";
import { createId } from "../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { message } from "../../platform/database/nouns.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function open() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Shop");
  const { token } = await world.issueToken(workspace);
  const asked = { token, workspace };
  const chore = createLearnChore(world);
  return {
    ...world,
    workspace,
    learn: () => chore.run(new AbortController().signal, serveOrThrow),
    add: (values: readonly string[]) => world.ask("POST", "/api/own-addresses", { ...asked, body: { values } }),
    remove: (id: string) => world.ask("DELETE", `/api/own-addresses/${id}`, asked),
    addDomain: (domain: string) => world.ask("POST", "/api/domains", { ...asked, body: { domain } }),
    list: async () => (await world.ask("GET", "/api/own-addresses?limit=100", asked)).json,
  };
}

test("mx in an SPF record means the addresses of the domain's own mail servers, not those of a provider", async () => {
  const { internet, ...world } = await open();
  internet.zone = {
    ...internet.zone,
    "shop.example": {
      TXT: ["v=spf1 mx -all"],
      MX: [
        { preference: 10, exchange: "mail.shop.example" },
        { preference: 20, exchange: "mx.esp.example" },
      ],
    },
    "mail.shop.example": { A: ["203.0.113.25"], AAAA: ["2001:db8::25"] },
    "mx.esp.example": { A: ["203.0.113.77"] },
  };
  await world.addDomain("shop.example");
  await world.learn();
  const names = (await world.list()).items.map(({ value, origin }: Named) => `${origin} ${value}`);
  expect(names.toSorted()).toEqual(["domain shop.example", "spf 2001:db8::25", "spf 203.0.113.25"]);
});

type Named = { readonly value: string; readonly origin: string };

/** An authenticated report that SPF passed for mail of shop.example from the address. */
async function report(
  { store, system, clock, workspace: workspaceId }: Awaited<ReturnType<typeof open>>,
  reporter: string,
  sourceIp: string,
): Promise<void> {
  const now = clock.nowMs;
  const id = createId("test", now, system.random(16));
  await createIntake(store).insert([message(id, { workspaceId, receivedAt: now })]);
  const source = { sourceIp, headerFrom: "shop.example", messages: 9, disposition: "none", dkim: [], spf: [] } as const;
  const parsed: MailReport = {
    type: "dmarc",
    organization: reporter,
    reportId: reporter,
    domain: "shop.example",
    beginsAt: now - dayMs,
    endsAt: now,
    total: 9,
    failed: 0,
    problem: null,
    ...noRows,
    sources: [{ ...source, dkimAligned: true, spfAligned: true, reasons: [] }],
  };
  const sender = { domain: reporter, authenticated: true };
  const found = { subject: null, from: null, messageId: null, authenticated: false, sendId: null, sender };
  await store.write(async (db) => {
    const [claimed] = await claimTests(db, { now, owner: "one", leaseMs: 1_000, limit: 1, only: [id] });
    if (!claimed) throw new Error("The report is not there.");
    const recognised = { kind: "report", report: parsed } as const;
    await recordNonTest(db, claimed, { ...found, recognised }, { features: [], system });
  });
}

test("addresses are learned from the domain, its SPF record, and its authenticated mail", async () => {
  const { internet, workspace, store, clock, ...world } = await open();
  const record =
    "v=spf1 ip4:203.0.113.8/30 ip4:192.0.2.0/24 ip6:2001:db8::25 -ip4:203.0.113.99 -ip4:198.51.100.33 ip4:198.51.100.32/31 include:esp.example -all";
  internet.zone = { ...internet.zone, "shop.example": { TXT: [record] } };
  await world.addDomain("shop.example");
  const seen = { kind: "address" as const, domain: "shop.example", value: "198.51.100.77", fingerprint: "" };
  const { nowMs: seenAt } = clock;
  await store.write((db) => noteSenders(db, workspace, [{ ...seen, messages: 3, seenAt }]));
  await world.learn();
  const { items, says } = await world.list();
  const names = items.map(({ value, origin }: Named) => `${origin} ${value}`);
  expect(names.toSorted()).toEqual([
    "domain shop.example",
    "spf 198.51.100.32",
    "spf 2001:db8::25",
    "spf 203.0.113.10",
    "spf 203.0.113.11",
    "spf 203.0.113.8",
    "spf 203.0.113.9",
    "tests 198.51.100.77",
  ]);
  expect(says).toBe("No blocklist is on, so your 8 addresses can’t be looked up.");
});

test("from DMARC reports only those of Google and Microsoft add addresses, because anyone can send reports", async () => {
  const world = await open();
  const { internet } = world;
  internet.zone = { ...internet.zone, "shop.example": { TXT: ["v=spf1 -all"] } };
  await world.addDomain("shop.example");
  await report(world, "attacker.example", "203.0.113.66");
  await report(world, "google.com", "203.0.113.9");
  await world.learn();
  const names = (await world.list()).items.map(({ value, origin }: Named) => `${origin} ${value}`);
  expect(names.toSorted()).toEqual(["domain shop.example", "reports 203.0.113.9"]);
});

test("an address that a service shares among its customers isn't learned", async () => {
  const world = await open();
  const { internet, store, clock } = world;
  internet.zone = { ...internet.zone, "shop.example": { TXT: ["v=spf1 -all"] } };
  await world.addDomain("shop.example");
  await report(world, "google.com", "203.0.113.9");
  await report(world, "google.com", "203.0.113.41");
  const host = { asked_at: clock.nowMs, due_at: clock.nowMs + dayMs, seen_at: clock.nowMs };
  await store.write((db) =>
    db
      .insertInto("reverse_names")
      .values([
        { address: "203.0.113.41", host: "mail-sor-f41.google.com", ...host },
        { address: "203.0.113.9", host: "static.9.113.0.203.clients.your-server.de", ...host },
      ])
      .execute(),
  );
  await world.learn();
  const values = (await world.list()).items.map(({ value }: Named) => value);
  expect(values.toSorted()).toEqual(["203.0.113.9", "shop.example"]);
});

test("what a person removed isn't learned again, and comes back when it is typed in", async () => {
  const world = await open();
  await world.addDomain("shop.example");
  await world.learn();
  const [{ id }] = (await world.list()).items;
  expect((await world.remove(id)).status).toBe(204);
  world.clock.nowMs += 48 * hourMs;
  await world.learn();
  expect((await world.list()).total).toBe(0);
  expect((await world.add(["shop.example"])).json).toEqual({ added: 1 });
  expect((await world.list()).items).toMatchObject([{ value: "shop.example", origin: "typed" }]);
});

test("removed addresses leave room for others", async () => {
  const world = await open();
  const some = (network: number) =>
    Array.from({ length: 1_000 }, (_, at) => `203.0.${network + (at >> 8)}.${at & 255}`);
  for (const network of [0, 4]) expect((await world.add(some(network))).json).toEqual({ added: 1_000 });
  expect((await world.add(["203.1.0.1"])).json).toMatchObject({ error: "conflict", field: "values" });
  const [one, other] = (await world.list()).items;
  await world.remove(one.id);
  expect((await world.add(["203.1.0.1"])).json).toEqual({ added: 1 });
  expect((await world.add([one.value])).json).toMatchObject({ error: "conflict", field: "values" });
  await world.remove(other.id);
  await world.addDomain("shop.example");
  world.clock.nowMs += dayMs;
  await world.learn();
  expect((await world.list()).items[0]).toMatchObject({ value: "shop.example", origin: "domain" });
});

test("what was removed and isn't found anymore is forgotten", async () => {
  const { store, clock, ...world } = await open();
  await world.addDomain("shop.example");
  await world.add(["shop.example", "203.0.113.9"]);
  for (const { id } of (await world.list()).items) await world.remove(id);
  for (let day = 0; day < 100; day += 10) {
    await world.learn();
    clock.nowMs += 10 * dayMs;
  }
  const kept = await store.read.selectFrom("own_addresses").select("value").execute();
  expect(kept).toEqual([{ value: "shop.example" }]);
  expect((await world.list()).total).toBe(0);
});

test("typed addresses are written in one form, and private ones and nonsense are refused", async () => {
  const world = await open();
  const added = await world.add(["2001:0db8:0::0025", "2001:db8::25", "::ffff:203.0.113.9", "Shop.Example"]);
  expect(added.json).toEqual({ added: 3 });
  const values = (await world.list()).items.map(({ value }: { value: string }) => value);
  expect(values.toSorted()).toEqual(["2001:db8::25", "203.0.113.9", "shop.example"]);
  for (const typed of ["10.0.0.1", "127.0.0.1", "fe80::1", "nonsense", "203.0.113.300", ""])
    expect((await world.add([typed])).json).toMatchObject({ error: "invalid_request", field: "values" });
});
