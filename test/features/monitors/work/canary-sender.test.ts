// Canaries on both databases: two processes send each once, and returns through a mailbox count too.

import { expect, onTestFinished, test } from "vitest";
import { isSeedMailbox } from "../../../../src/features/mailboxes/rows/mailboxes.ts";
import { insertMonitor, listRuns, readMonitor } from "../../../../src/features/monitors/rows/monitors.ts";
import { insertRelay, removeRelay } from "../../../../src/features/monitors/rows/relays.ts";
import type { CanaryTerms } from "../../../../src/features/monitors/rules/canary.ts";
import { noteBounced, noteSighting } from "../../../../src/features/monitors/work/canary-run.ts";
import { createCanarySender } from "../../../../src/features/monitors/work/canary-sender.ts";
import { tidyCanaries } from "../../../../src/features/monitors/work/tidy.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { listSends } from "../../../../src/features/sending/rows.ts";
import { type Outgoing, TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";
import { aCanary } from "../rules/a-canary.ts";

const dayMs = 86_400_000;

type Wanted = {
  readonly terms?: Partial<CanaryTerms>;
  /** Why a relay of the workspace delivers nothing. */
  readonly failure?: TransportFailure;
};

async function openWorld(open: Open, senders = 1, { terms = {}, failure }: Wanted = {}) {
  const store = await open();
  let now = Date.parse("2026-11-21T06:00:00.000Z");
  const system = { ...testSystem(), now: () => now };
  const { id } = await createWorkspace(store, system, { name: "One", seedDomain: "seed.example" });
  const place = storeOf(store, id);
  const delivered: Outgoing[] = [];
  const createSender = (shared: Store, owner: string) => {
    const sender = createCanarySender({
      store: shared,
      system,
      owner,
      sendKey: Buffer.alloc(32, 3),
      config: { seedDomains: ["seed.example"], sendVerifiedDomains: [] },
      isSeedMailbox,
      sign: async (_scope, _domain, message) => message,
      relays: {
        open: () => {
          throw failure ?? new Error("No relay of the workspace is used.");
        },
      },
      road: {
        transport: "relay",
        deliver: async (outgoing) => {
          delivered.push(outgoing);
          return "250 OK";
        },
        close() {},
      },
      publish() {},
    });
    onTestFinished(() => sender.stop(1_000));
    return sender;
  };
  const running = [createSender(store, "0")];
  for (let number = 1; number < senders; number++) running.push(createSender(await open(), `${number}`));
  const addCanary = async (name: string, relayId: string | null = null) => {
    const monitorId = createId("monitor", now, system.random(16));
    await place.write((scope) =>
      insertMonitor(scope, {
        id: monitorId,
        kind: "canary",
        name,
        relay_id: relayId,
        enabled: 1,
        terms: JSON.stringify(aCanary(now, terms)),
        state: "new",
        state_since: now,
        problem: null,
        last_ok_at: null,
        next_at: now,
        failing: 0,
        usual: null,
        created_at: now,
        due_at: now,
        claimed_by: null,
        claimed_until: null,
        attempts: 0,
      }),
    );
    return monitorId;
  };
  const pass = async (ms: number) => {
    now += ms;
    await Promise.all(running.map((sender) => sender.untilIdle()));
  };
  return { store, place, system, delivered, addCanary, pass };
}

eachDialect("canaries", (open) => {
  test("canaries are sent once each by any number of processes", async () => {
    const { addCanary, pass, delivered } = await openWorld(open, 3);
    for (let number = 0; number < 6; number++) await addCanary(`Canary ${number}`);
    for (let round = 0; round < 2; round++) await pass(300_000);
    expect(delivered.length).toBe(12);
    expect(new Set(delivered.map(({ mailFrom }) => mailFrom)).size).toBe(12);
  });

  test("canaries that bounce or land in spam take their monitor down, and their sends are not listed", async () => {
    const { addCanary, pass, place, system, delivered } = await openWorld(open);
    const id = await addCanary("Path");
    await pass(0);
    const sendId = delivered[0]?.mark.sendId ?? "";
    expect(await listSends(place.read, { limit: 9 })).toEqual([]);
    await place.write((scope) => noteBounced(scope, sendId, "550 5.1.1 No such user", system));
    expect((await readMonitor(place.read, id))?.problem).toContain("It bounced: 550 5.1.1 No such user");
    await pass(300_000);
    const seen = { account: "a@mail.example", provider: "gmail", folder: "spam", arrivedAt: system.now() };
    const next = delivered[1]?.mark.sendId ?? "";
    await place.write((scope) => noteSighting(scope, { ...seen, folder: "spam", sendId: next }, system));
    expect(await listRuns(place.read, id, 9)).toMatchObject([
      { outcome: "misplaced", detail: expect.stringContaining("Observed in spam at Gmail.") },
      { outcome: "bounced" },
    ]);
  });

  async function openForeign(failure: TransportFailure, objectiveMs: number) {
    const terms = { to: "a@forwarder.example", objectiveMs };
    const world = await openWorld(open, 1, { terms, failure });
    const { place, addCanary, pass } = world;
    const relay = { id: "rly_1", name: "Relay", url: "sealed", url_shown: "smtp://relay.example" };
    const row = { ...relay, mail_from: "a@shop.example", return_path: "assay" as const, created_at: 0 };
    await place.write((scope) => insertRelay(scope, row));
    const id = await addCanary("Forwarded", relay.id);
    /** After four times at which one is due. */
    for (const ms of [0, 300_000, 300_000, 300_000]) await pass(ms);
    const read = async () => ({
      enabled: (await readMonitor(place.read, id))?.enabled,
      problem: (await readMonitor(place.read, id))?.problem ?? "",
      outcomes: (await listRuns(place.read, id, 9)).map(({ outcome }) => outcome),
    });
    return { ...world, read };
  }
  const uncertain = new TransportFailure("The session broke off.", null, true);

  test("canaries to an address that returns none are paused after three", async () => {
    const { read } = await openForeign(uncertain, 60_000);
    expect(await read()).toMatchObject({
      enabled: 0,
      outcomes: ["late", "late", "late"],
      problem: expect.stringContaining("Nothing came back from a@forwarder.example"),
    });
  });

  test("canaries that were never sent don't count as not returned", async () => {
    const { read } = await openForeign(new TransportFailure("relay.example refused the connection."), 60_000);
    const outcomes = Array.from({ length: 4 }, () => "unreachable");
    const { enabled, problem } = await read();
    expect(problem).not.toContain("Nothing came back");
    expect([enabled, (await read()).outcomes]).toEqual([1, outcomes]);
  });

  test("canaries to a new address wait for the first three until their time limit", async () => {
    const { read, pass } = await openForeign(uncertain, 3_600_000);
    expect(await read()).toMatchObject({ enabled: 1, problem: "", outcomes: [null, null, null] });
    for (let passed = 0; passed < 3_600_000; passed += 300_000) await pass(300_000);
    expect(await read()).toMatchObject({ enabled: 0, outcomes: ["late", "late", "late"] });
  });

  test("canaries are deleted completely after their retention", async () => {
    const { addCanary, pass, place, store, system, delivered } = await openWorld(open);
    const id = await addCanary("Path");
    await pass(0);
    const sendId = delivered[0]?.mark.sendId ?? "";
    await place.write((scope) => noteBounced(scope, sendId, null, system));
    const stopping = new AbortController().signal;
    await tidyCanaries({ store, system, stopping, serve: serveOrThrow });
    expect((await listRuns(place.read, id, 9)).length).toBe(1);
    await tidyCanaries({ store, system: { now: () => system.now() + 32 * dayMs }, stopping, serve: serveOrThrow });
    expect(await listRuns(place.read, id, 9)).toEqual([]);
    expect(await store.read.selectFrom("sends").selectAll().execute()).toEqual([]);
  });

  test("canaries are deleted with their workspace, including their relays", async () => {
    const { addCanary, place, store } = await openWorld(open);
    const relay = { id: "rly_1", name: "Relay", url: "sealed", url_shown: "smtp://relay.example" };
    const row = { ...relay, mail_from: "a@shop.example", return_path: "assay" as const, created_at: 0 };
    expect(await place.write((scope) => insertRelay(scope, row))).toBe(true);
    expect(await place.write((scope) => insertRelay(scope, { ...row, id: "rly_2" }))).toBe(false);
    const id = await addCanary("Path");
    await place.write((scope) =>
      scope.updateTable("monitors").set({ relay_id: "rly_1" }).where("id", "=", id).execute(),
    );
    await expect(place.write((scope) => removeRelay(scope, "rly_1"))).rejects.toThrow();
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", place.workspaceId).execute());
    expect(await store.read.selectFrom("relays").selectAll().execute()).toEqual([]);
  });
});
