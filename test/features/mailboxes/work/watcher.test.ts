import { afterEach, expect, test } from "vitest";
import type { Sighting } from "../../../../src/analyzer/reports/sighting.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { restartMailbox } from "../../../../src/features/mailboxes/rows/mailboxes.ts";
import { sealPassword } from "../../../../src/features/mailboxes/work/logins.ts";
import type { MailboxWatcher, MailboxWatcherOptions } from "../../../../src/features/mailboxes/work/watcher.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { message, server } from "../../../platform/database/nouns.ts";
import { began, inboxAndSpam, newTestId, openMailboxes, scriptedThread, until } from "./watched-mailboxes.ts";

const running: MailboxWatcher[] = [];

/** Before their stores are closed. */
async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((watcher) => watcher.stop(1_000)));
}

async function watched(open: Open, options: Partial<MailboxWatcherOptions> = {}) {
  const world = await openMailboxes(open, options);
  const start = (changes: Partial<MailboxWatcherOptions> = {}) => {
    const watcher = world.watcherOf(changes);
    running.push(watcher);
    watcher.start();
    return watcher;
  };
  return { ...world, start };
}

const oauth = { provider: "google", seed_provider: "gmail", secret: "another's" } as const;
const trouble = { news: "trouble", isFinal: false, needsLogin: false } as const;
const refused = { ...trouble, problem: "The server rejected the login.", needsLogin: true };
const connected = { news: "connected", folders: inboxAndSpam } as const;

const sighting: Sighting = {
  folder: "spam",
  folderName: "Junk",
  arrivedAt: began,
  assayIds: [],
  bodyTokens: [],
  messageId: "1@sender.example",
  from: null,
  subject: null,
  evidence: { authenticationResults: [], headers: [] },
};
const marks = [{ path: "Junk", uidValidity: "99999999999999999999", nextUid: 8 }];

eachDialect("the seed mailbox reader", (open) => {
  afterEach(stopAll);

  test("the seed mailbox reader starts no thread and writes nothing without a mailbox", async () => {
    const { thread, start, add } = await watched(open);
    await add("channel", { provider: "slack", server: null, due_at: null });
    const watcher = start();
    await watcher.stop(1_000);
    expect(thread.counts()).toEqual({ opened: 0, closed: 0 });
  });

  test("the seed mailbox reader reads each mailbox with its server and password, and reports when it is connected", async () => {
    const { thread, start, add, rowOf, events, system } = await watched(open);
    await add("ann", { seed_provider: "gmail" });
    await add("bob", { workspace_id: "wsp_b", server: JSON.stringify({ ...server, port: 143, tls: "starttls" }) });
    start();
    await until(() => thread.watches().length === 2);
    const told = Object.fromEntries(thread.watches().map(({ id: _, ...order }) => [order.server.port, order]));
    expect(told).toEqual({
      993: {
        order: "watch",
        server,
        marks: [],
        searchesTabs: true,
        login: { user: "ann@seed.example", password: "ann's" },
      },
      143: {
        order: "watch",
        server: { ...server, port: 143, tls: "starttls" },
        marks: [],
        searchesTabs: false,
        login: { user: "bob@seed.example", password: "bob's" },
      },
    });
    system.advance(2_000);
    thread.tell("bob", connected);
    await until(() => events.length === 1);
    expect(events).toEqual([{ workspaceId: "wsp_b", type: "integration.changed", id: "bob", status: "connected" }]);
    expect(await rowOf("bob")).toMatchObject({
      status: "connected",
      problem: null,
      status_since: began + 2_000,
      claimed_by: "first",
    });
    expect(await rowOf("ann")).toMatchObject({ status: "connecting", status_since: began });
  });

  test("the seed mailbox reader continues at the stored read position", async () => {
    const { thread, start, add, store } = await watched(open);
    await add("ann");
    await store.write((db) =>
      inWorkspace(db, "wsp_a")
        .insertInto("mailbox_folders", {
          integration_id: "ann",
          path: "Junk",
          uid_validity: "99999999999999999999",
          next_uid: 8,
        })
        .execute(),
    );
    start();
    await until(() => thread.watches().length === 1);
    expect(thread.watches()[0]?.marks).toEqual(marks);
  });

  test("the seed mailbox reader forgets the read positions of deleted folders", async () => {
    const { thread, start, add, store } = await watched(open);
    await add("ann");
    await add("bob");
    const folders = ["Junk", "Once", "Twice"].flatMap((path) =>
      ["ann", "bob"].map((integration_id) => ({ integration_id, path, uid_validity: "1", next_uid: 8 })),
    );
    for (const folder of folders)
      await store.write((db) => inWorkspace(db, "wsp_a").insertInto("mailbox_folders", folder).execute());
    start();
    await until(() => thread.watches().length === 2);
    await thread.tell("ann", connected);
    const left = await store.read.selectFrom("mailbox_folders").selectAll().orderBy("path").execute();
    const pathsOf = (id: string) => left.flatMap((row) => (row.integration_id === id ? [row.path] : []));
    expect([pathsOf("ann"), pathsOf("bob")]).toEqual([["Junk"], ["Junk", "Once", "Twice"]]);
  });

  test("the seed mailbox reader stores seen messages one by one, in order", async () => {
    const first = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { thread, start, add, kept } = await watched(open, {
      keepSightings: async (...asked) => {
        begun.push(asked[1][0]?.messageId ?? "");
        if (begun.length === 1) await first.promise;
        kept.push(asked);
      },
    });
    await add("ann");
    start();
    await until(() => thread.watches().length === 1);
    const order: number[] = [];
    const told = [
      thread.tell("ann", { news: "sightings", sightings: [sighting], marks }).then(() => order.push(1)),
      thread
        .tell("ann", { news: "sightings", sightings: [{ ...sighting, messageId: "2" }], marks: [] })
        .then(() => order.push(2)),
    ];
    await until(() => begun.length === 1);
    expect(order).toEqual([]);
    first.resolve();
    await Promise.all(told);
    expect(order).toEqual([1, 2]);
    expect(kept).toEqual([
      ["ann", [sighting], marks],
      ["ann", [{ ...sighting, messageId: "2" }], []],
    ]);
  });

  test("the seed mailbox reader restarts a mailbox at its read position if a message could not be stored", async () => {
    let fails = true;
    const { thread, start, add, system, rowOf, kept } = await watched(open, {
      keepSightings: async (...asked) => {
        if (fails) throw new Error("The database is away.");
        kept.push(asked);
      },
    });
    await add("ann");
    const watcher = start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", { news: "sightings", sightings: [sighting], marks });
    thread.tell("ann", { news: "sightings", sightings: [], marks });
    await until(async () => (await rowOf("ann")).claimed_by === null);
    expect(thread.current()).toEqual([]);
    fails = false;
    system.advance(60_000);
    watcher.kick();
    await until(() => thread.current().length === 1);
    expect(kept).toEqual([]);
    thread.tell("ann", { news: "sightings", sightings: [sighting], marks });
    await until(() => kept.length === 1);
  });

  test("the seed mailbox reader waits longer each time a mailbox connects and its news can't be stored, and logs it once", async () => {
    const { thread, start, add, system, rowOf } = await watched(open, {
      keepSightings: () => Promise.reject(new Error("unreadable")),
    });
    await add("ann");
    const watcher = start();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 3; tries++) {
      await until(() => thread.watches().length === tries);
      thread.tell("ann", connected);
      thread.tell("ann", { news: "sightings", sightings: [], marks });
      await until(async () => (await rowOf("ann")).claimed_by === null);
      const { due_at } = await rowOf("ann");
      pauses.push((due_at ?? 0) - system.now());
      system.setNow(due_at ?? 0);
      watcher.kick();
    }
    expect(pauses).toEqual([60_000, 120_000, 240_000]);
    expect(system.logged).toMatchObject([{ level: "error", fields: { row: "ann" } }]);
  });

  test("the seed mailbox reader reports a problem with a mailbox, and its end", async () => {
    const { thread, start, add, rowOf, events, system } = await watched(open);
    await add("ann");
    start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", connected);
    await until(() => events.length === 1);
    system.advance(1_000);
    thread.tell("ann", { ...trouble, problem: "The server cannot be reached." });
    await until(() => events.length === 2);
    expect(await rowOf("ann")).toMatchObject({
      status: "trouble",
      problem: "The server cannot be reached.",
      status_since: began + 1_000,
    });
    system.advance(1_000);
    thread.tell("ann", { ...trouble, problem: "The server cannot be reached." });
    thread.tell("ann", { ...trouble, problem: `The connection broke off.\0${"x".repeat(10_000)}` });
    await until(() => events.length === 3);
    const { problem, status_since } = await rowOf("ann");
    expect([problem?.slice(0, 26), problem?.length, status_since]).toEqual([
      "The connection broke off.\ufffd",
      500,
      began + 1_000,
    ]);
    thread.tell("ann", connected);
    await until(() => events.length === 4);
    expect(await rowOf("ann")).toMatchObject({ status: "connected", problem: null });
    expect(thread.watches()).toHaveLength(1);
  });

  test("the seed mailbox reader reports a mailbox without a spam folder", async () => {
    const { thread, start, add, rowOf, events } = await watched(open);
    await add("ann");
    start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", { news: "connected", folders: [{ path: "INBOX", role: "inbox" }] });
    await until(() => events.length === 1);
    expect(await rowOf("ann")).toMatchObject({
      status: "connected",
      problem: expect.stringContaining("No spam folder"),
    });
  });

  test("the seed mailbox reader does not try a rejected password again until it is changed", async () => {
    const { thread, start, add, rowOf, events, store, sealer, system } = await watched(open);
    await add("ann");
    const watcher = start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", refused);
    await until(() => events.length === 1);
    expect(await rowOf("ann")).toMatchObject({
      status: "reconnect",
      problem: refused.problem,
      due_at: null,
      claimed_by: null,
    });
    expect(thread.current()).toEqual([]);
    system.advance(86_400_000);
    watcher.kick();
    const secret = sealPassword(sealer, "ann", { user: "ann", password: "another" });
    const renewed = { secret, status: "connecting", problem: null, due_at: system.now() } as const;
    await store.write((db) => restartMailbox(inWorkspace(db, "wsp_a"), "ann", renewed));
    expect(thread.watches()).toHaveLength(1);
    watcher.kick();
    await until(() => thread.current().length === 1);
    expect(thread.current()[0]?.login).toEqual({ user: "ann", password: "another" });
  });

  test("the seed mailbox reader opens a mailbox with an OAuth token, and asks for another if it is rejected", async () => {
    const { thread, start, add, giveTokens, rowOf, system, events } = await watched(open);
    await add("ann", oauth);
    start();
    await until(() => thread.watches().length === 1);
    expect(thread.watches()[0]).toMatchObject({
      login: { user: "ann@seed.example", accessToken: "token 1" },
      searchesTabs: true,
    });
    giveTokens({ ok: true, accessToken: "token 2", expiresAt: null });
    system.advance(3_600_000);
    thread.tell("ann", refused);
    const logins = () => thread.orders.filter(({ order }) => order === "login");
    await until(() => logins().length === 1);
    expect(logins()).toEqual([
      { order: "login", id: thread.watches()[0]?.id, login: { user: "ann@seed.example", accessToken: "token 2" } },
    ]);
    thread.tell("ann", connected);
    await until(() => events.length === 2);
    expect(await rowOf("ann")).toMatchObject({ status: "connected", problem: null });
  });

  test("the seed mailbox reader asks for a token at most once a minute, and gives up after five rejections in a row", async () => {
    let asked = 0;
    const { thread, start, add, rowOf, system } = await watched(open, {
      accessTokenOf: async () => ({ ok: true, accessToken: `token ${++asked}`, expiresAt: null }),
    });
    await add("ann", oauth);
    const watcher = start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", refused);
    await until(async () => (await rowOf("ann")).status === "trouble");
    expect(asked).toBe(1);
    for (const times of [2, 3, 4]) {
      system.advance(60_000);
      await until(() => {
        watcher.kick();
        return thread.orders.filter(({ order }) => order === "login").length === times - 1;
      });
      expect(asked).toBe(times);
      thread.tell("ann", refused);
    }
    thread.tell("ann", refused);
    await until(async () => (await rowOf("ann")).status === "reconnect");
    await until(() => thread.current().length === 0);
  });

  test("the seed mailbox reader gives the mailbox a new token before the old one expires", async () => {
    const { thread, start, add, giveTokens, system } = await watched(open);
    giveTokens({ ok: true, accessToken: "token 1", expiresAt: began + 3_600_000 });
    await add("ann", oauth);
    const watcher = start();
    await until(() => thread.watches().length === 1);
    giveTokens({ ok: true, accessToken: "token 2", expiresAt: began + 7_200_000 });
    system.advance(3_600_000 - 200_000);
    watcher.kick();
    await until(() => thread.orders.some(({ order }) => order === "login"));
    expect(thread.orders.at(-1)).toMatchObject({ order: "login", login: { accessToken: "token 2" } });
  });

  test.each([
    [false, "trouble", began + 60_000],
    [true, "reconnect", null],
  ])(
    "the seed mailbox reader waits without a token, and whether the user must reconnect is %j",
    async (isFinal, status, due_at) => {
      const { thread, start, add, giveTokens, rowOf, events } = await watched(open);
      giveTokens({ ok: false, problem: "The consent was withdrawn.", isFinal });
      await add("ann", oauth);
      start();
      await until(() => events.length === 1);
      const problem = "The consent was withdrawn.";
      expect(await rowOf("ann")).toMatchObject({ status, problem, due_at, claimed_by: null });
      expect(thread.watches()).toEqual([]);
    },
  );

  test("the seed mailbox reader stops reading a disconnected mailbox, and stores nothing more of it", async () => {
    const { thread, start, add, store, kept } = await watched(open);
    await add("ann");
    const watcher = start();
    await until(() => thread.watches().length === 1);
    await store.write((db) => db.deleteFrom("integrations").where("id", "=", "ann").execute());
    watcher.kick();
    await until(() => thread.current().length === 0);
    thread.tell("ann", { news: "sightings", sightings: [sighting], marks });
    await watcher.stop(1_000);
    expect(kept).toEqual([]);
  });

  test("the seed mailbox reader restarts a mailbox after a password change, and ignores late messages of the old connection", async () => {
    const { thread, start, add, store, sealer, rowOf, system } = await watched(open);
    await add("ann");
    const watcher = start();
    await until(() => thread.watches().length === 1);
    const old = thread.watches()[0]?.id ?? "";
    const secret = sealPassword(sealer, "ann", { user: "ann", password: "another" });
    const renewed = { secret, status: "connecting", problem: null, due_at: system.now() } as const;
    await store.write((db) => restartMailbox(inWorkspace(db, "wsp_a"), "ann", renewed));
    watcher.kick();
    await until(() => thread.watches().length === 2);
    expect(thread.dropped()).toEqual([old]);
    thread.tell(old, refused);
    thread.tell("ann", connected);
    await until(async () => (await rowOf("ann")).status !== "connecting");
    expect(await rowOf("ann")).toMatchObject({ status: "connected", claimed_by: "first" });
  });

  test("the seed mailbox reader reads often for ten minutes after a test, only in the test's workspace", async () => {
    const { thread, start, add, store, system } = await watched(open);
    await add("ann");
    await add("bob", { workspace_id: "wsp_b" });
    const watcher = start();
    await until(() => thread.watches().length === 2);
    expect(thread.hurries()).toEqual([]);
    const receivedAt = system.now();
    await createIntake(store).insert([message(newTestId(system), { receivedAt })]);
    system.advance(1_000);
    watcher.kick();
    await until(() => thread.hurries().length > 0);
    const ids = thread.watches().flatMap(({ id }) => (id.startsWith("ann") ? [id] : []));
    expect(thread.hurries()).toEqual([{ order: "hurry", ids, until: receivedAt + 600_000 }]);
    system.advance(1_000);
    await createIntake(store).insert([message(newTestId(system), { receivedAt: system.now() })]);
    await add("cid");
    watcher.kick();
    await until(() => thread.hurries().length > 1);
    const [cid = ""] = thread.watches().flatMap(({ id }) => (id.startsWith("cid") ? [id] : []));
    expect(thread.hurries().at(-1)).toEqual({ order: "hurry", ids: [cid], until: receivedAt + 600_000 });
  });

  test("the seed mailbox reader assigns each mailbox to one of two processes, and takes over those of a stopped one", async () => {
    const { start, add, system, rowOf } = await watched(open);
    await add("ann");
    const [one, two] = [scriptedThread(), scriptedThread()];
    const first = start({ owner: "first", openThread: one.open });
    await until(() => one.watches().length === 1);
    const second = start({ owner: "second", openThread: two.open });
    system.advance(30_000);
    first.kick();
    await until(async () => ((await rowOf("ann")).claimed_until ?? 0) > began + 60_000);
    system.advance(31_000);
    await add("bob");
    second.kick();
    await until(() => two.watches().length === 1);
    expect(two.watches()[0]?.id).toContain("bob");
    // The first hangs: its lease lapses.
    system.advance(60_000);
    second.kick();
    await until(() => two.watches().length === 2);
    first.kick();
    await until(() => one.current().length === 0);
    expect(two.current()).toHaveLength(2);
  });

  test("the seed mailbox reader releases all mailboxes at shutdown after the seen messages are stored", async () => {
    const slow = Promise.withResolvers<void>();
    const { thread, start, add, rowOf, kept } = await watched(open, {
      keepSightings: async (...asked) => {
        await slow.promise;
        kept.push(asked);
      },
    });
    await add("ann");
    const watcher = start();
    await until(() => thread.watches().length === 1);
    thread.tell("ann", { news: "sightings", sightings: [sighting], marks });
    const stopped = watcher.stop(5_000);
    slow.resolve();
    await stopped;
    expect(kept).toHaveLength(1);
    expect(thread.counts()).toEqual({ opened: 1, closed: 1 });
    expect(await rowOf("ann")).toMatchObject({ claimed_by: null, claimed_until: null, due_at: began });
  });
});

eachDialect("a trial login of a mailbox", (open) => {
  afterEach(stopAll);

  const trial = { server, login: { user: "ann", password: "one" }, searchesTabs: false };

  test("a trial login of a mailbox is made by the thread, and then released", async () => {
    const { thread, start, kept } = await watched(open);
    const watcher = start();
    const outcome = watcher.tryOut(trial);
    const [order] = thread.watches();
    expect(order).toMatchObject({ ...trial, id: expect.stringMatching(/^int_/), marks: [] });
    thread.tell(order?.id ?? "", { news: "sightings", sightings: [sighting], marks });
    thread.tell(order?.id ?? "", connected);
    expect(await outcome).toEqual({ ok: true });
    expect(thread.current()).toEqual([]);
    expect(kept).toEqual([]);
  });

  test("a trial login of a mailbox distinguishes a rejected password from a server that does not answer", async () => {
    const { thread, start } = await watched(open);
    const watcher = start();
    const first = watcher.tryOut(trial);
    thread.tell("int_", refused);
    expect(await first).toEqual({ ok: false, at: "password", problem: refused.problem });
    const second = watcher.tryOut(trial);
    thread.tell("int_", { ...trouble, problem: "The server cannot be reached." });
    expect(await second).toEqual({ ok: false, at: "server", problem: "The server cannot be reached." });
  });

  test("a trial login of a mailbox ends at shutdown", async () => {
    const { start } = await watched(open);
    const watcher = start();
    const outcome = watcher.tryOut(trial);
    await watcher.stop(0);
    expect(await outcome).toEqual({ ok: false, at: "server", problem: "This server is shutting down." });
  });
});
