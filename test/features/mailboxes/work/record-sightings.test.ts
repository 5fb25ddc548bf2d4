import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { readDashboard } from "../../../../src/features/dashboard/work/dashboard.ts";
import { foldRollups, rebuildRollups } from "../../../../src/features/dashboard/work/rollups.ts";
import { removeTests } from "../../../../src/features/tests/rows/removal.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { aSighting, connectMailbox, createMailboxWorld } from "./mailbox-world.ts";

const hourMs = 3_600_000;
const messageId = "one@sender.example";

eachDialect("a message in a seed mailbox", (open) => {
  const start = async () => createMailboxWorld(await open());

  test("a message in a seed mailbox becomes an observation of the test with its Message-ID", async () => {
    const { store, test: analysed, see, observed, row, told } = await start();
    const mailbox = await connectMailbox(store, { seedProvider: "gmail" });
    const id = await analysed({ messageId });
    const before = await row(id);
    await see(mailbox, { messageId });
    const [kept, ...others] = await observed();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({
      test_id: id,
      integration_id: mailbox,
      provider: "gmail",
      account: "ann@mailbox.example",
      folder: "inbox",
      folder_name: "INBOX",
      delay_ms: 2_000,
      matched_by: "message-id",
      predicted_folder: "rejected",
      weights: expect.any(String),
    });
    expect(JSON.parse(kept?.predicted_odds ?? "")).toHaveProperty("spam");
    const after = await row(id);
    expect(after.composite).toBe(before.composite);
    expect(before).toMatchObject({ inbox_rate: 0, spam_rate: 0.4, promo_rate: 0 });
    expect(after).toMatchObject({ inbox_rate: 0.2, spam_rate: 0.2, promo_rate: 0 });
    expect(told.at(-1)).toEqual({
      workspaceId: "wsp_a",
      type: "test.observed",
      id,
      label: null,
      provider: "gmail",
      folder: "inbox",
    });
  });

  test("a message in a seed mailbox is matched by X-Assay-Id, by a token in its body, and by sender and subject", async () => {
    const { store, test: analysed, see, observed, clock } = await start();
    const mailbox = await connectMailbox(store);
    const byHeader = await analysed({ assayId: "Campaign-7", subject: "One" });
    clock.nowMs += 1_000;
    const byToken = await analysed({ body: "x assay-launch-2026 y", subject: "Two" });
    clock.nowMs += 1_000;
    const byWords = await analysed({ subject: "  Three\r\n words ", from: '"Ann, A." <Ann@Sender.example>' });
    const from = "ann@sender.example";
    await see(mailbox, { assayIds: ["campaign-7"] }, { bodyTokens: ["assay-launch-2026"] });
    await see(mailbox, { from, subject: "Three words" }, { from, subject: "Four" });
    expect((await observed()).map(({ test_id, matched_by }) => [test_id, matched_by]).sort()).toEqual(
      [
        [byHeader, "assay-id"],
        [byToken, "body-token"],
        [byWords, "from-and-subject"],
      ].sort(),
    );
  });

  test("a message in a seed mailbox waits for its test if our own copy is slower", async () => {
    const { store, test: analysed, see, observed, row, told, clock } = await start();
    const gmail = await connectMailbox(store, { seedProvider: "gmail" });
    const other = await connectMailbox(store, { account: "ben@other.example" });
    await see(gmail, { messageId, folder: "promotions", folderName: "category:promotions" });
    await see(other, { messageId }, { messageId: "another@sender.example" });
    expect(await observed()).toEqual([]);
    clock.nowMs += hourMs / 2;
    const id = await analysed({ messageId });
    const byProvider = (await observed()).sort((one, next) => (one.provider < next.provider ? -1 : 1));
    expect(byProvider).toMatchObject([
      { test_id: id, provider: "gmail", folder: "promotions", delay_ms: 2_000 - hourMs / 2 },
      { test_id: id, provider: "imap:ben@other.example", folder: "inbox", predicted_folder: null },
    ]);
    const { inbox_rate, promo_rate } = await row(id);
    expect([inbox_rate, promo_rate]).toEqual([1 / 6, 1 / 6]);
    expect(told.map(({ type }) => type)).toEqual(["test.analyzed", "test.observed", "test.observed"]);
    expect(await store.read.selectFrom("waiting_sightings").select("id").execute()).toHaveLength(1);
  });

  test("a message in a seed mailbox is never matched to a sample", async () => {
    const { store, receive, analyzeAll, see, observed } = await start();
    const mailbox = await connectMailbox(store);
    const receiveSample = async (id: string) => {
      const sample = await receive({ messageId: id });
      await store.write((db) => db.updateTable("tests").set({ sample: 1 }).where("id", "=", sample).execute());
      await analyzeAll();
    };
    await receiveSample(messageId);
    await see(mailbox, { messageId }, { messageId: "another@sender.example" });
    await receiveSample("another@sender.example");
    expect(await observed()).toEqual([]);
  });

  test("a message in a seed mailbox that is moved before its test arrives counts in its new folder", async () => {
    const { store, test: analysed, see, observed } = await start();
    const mailbox = await connectMailbox(store);
    await see(mailbox, { messageId }, { messageId, folder: "promotions" }, { messageId, folder: "spam" });
    await analysed({ messageId });
    const [kept] = await observed();
    expect(kept).toMatchObject({ folder: "spam" });
    expect(JSON.parse(kept?.evidence ?? "").moves).toMatchObject([{ folder: "inbox" }, { folder: "promotions" }]);
  });

  test("a message in a seed mailbox waits for at most an hour", async () => {
    const { store, test: analysed, see, observed, clock } = await start();
    const mailbox = await connectMailbox(store);
    await see(mailbox, { messageId });
    clock.nowMs += hourMs + 1;
    await analysed({ messageId });
    expect(await observed()).toEqual([]);
  });

  test("a message in a seed mailbox waits with at most five hundred of its mailbox, of which the newest stay", async () => {
    const { store, test: analysed, see, observed, clock } = await start();
    const mailbox = await connectMailbox(store);
    const sightings = Array.from({ length: 520 }, (_, at) => ({ messageId: `${at}@sender.example` }));
    for (let at = 0; at < sightings.length; at += 40) {
      clock.nowMs += 1;
      await see(mailbox, ...sightings.slice(at, at + 40));
    }
    expect(await store.read.selectFrom("waiting_sightings").select("id").execute()).toHaveLength(500);
    const id = await analysed({ messageId: "519@sender.example" });
    await analysed({ messageId: "0@sender.example" });
    expect(await observed()).toMatchObject([{ test_id: id }]);
  });

  test("a message in a seed mailbox counts once, however often it is seen", async () => {
    const { store, test: analysed, see, observed, told } = await start();
    const mailbox = await connectMailbox(store);
    await analysed({ messageId });
    await see(mailbox, { messageId }, { messageId });
    await see(mailbox, { messageId });
    expect(await observed()).toHaveLength(1);
    expect(told.filter(({ type }) => type === "test.observed")).toHaveLength(1);
  });

  test("a message in a seed mailbox that its provider moves within an hour counts in its new folder, with both times", async () => {
    const { store, test: analysed, see, observed, row, clock } = await start();
    const mailbox = await connectMailbox(store);
    const id = await analysed({ messageId });
    await see(mailbox, { messageId });
    const firstSeenAt = clock.nowMs;
    clock.nowMs += 60_000;
    await see(mailbox, { messageId, folder: "spam", folderName: "Junk" });
    const [kept] = await observed();
    expect(kept).toMatchObject({ folder: "spam", folder_name: "Junk", seen_at: clock.nowMs, delay_ms: 2_000 });
    expect(JSON.parse(kept?.evidence ?? "").moves).toEqual([
      { folder: "inbox", folderName: "INBOX", seenAt: firstSeenAt },
    ]);
    expect((await row(id)).spam_rate).toBeGreaterThan(0);
  });

  test("a message in a seed mailbox that is moved later stays in its first folder", async () => {
    const { store, test: analysed, see, observed, clock } = await start();
    const mailbox = await connectMailbox(store);
    await analysed({ messageId });
    await see(mailbox, { messageId, folder: "spam" });
    clock.nowMs += hourMs + 1;
    await see(mailbox, { messageId, folder: "inbox" });
    expect(await observed()).toMatchObject([{ folder: "spam" }]);
  });

  test("a message in a seed mailbox never matches a test of another workspace", async () => {
    const { store, test: analysed, see, observed, receive, analyzeAll } = await start();
    const theirs = await connectMailbox(store, { workspaceId: "wsp_b" });
    await analysed({ messageId, assayId: "shared", body: "assay-shared-token" });
    const sighting = { messageId, assayIds: ["shared"], bodyTokens: ["assay-shared-token"] };
    await see(theirs, { ...sighting, from: "ann@sender.example", subject: "News" });
    expect(await observed()).toEqual([]);
    await receive({ messageId, assayId: "shared" });
    await analyzeAll();
    expect(await observed()).toEqual([]);
  });

  test("a message in a seed mailbox with a repeated subject is not confused with an earlier message", async () => {
    const { store, test: analysed, see, observed, clock } = await start();
    const mailbox = await connectMailbox(store);
    const words = { from: "ann@sender.example", subject: "News" };
    const first = await analysed({ messageId: "a@sender.example" });
    await see(mailbox, { ...words, messageId: "x@esp.example" });
    clock.nowMs += 60_000;
    await see(mailbox, { ...words, messageId: "y@esp.example", arrivedAt: clock.nowMs, folder: "spam" });
    const second = await analysed({ messageId: "b@sender.example" });
    expect(await observed()).toMatchObject([
      { test_id: first, folder: "inbox" },
      { test_id: second, folder: "spam" },
    ]);
  });

  test("a message in a seed mailbox that matches a test by Message-ID is not a move of a similar message", async () => {
    const { store, test: analysed, see, observed } = await start();
    const words = { from: "ann@sender.example", subject: "News" };
    const alike = { ...words, messageId: "x@esp.example", folder: "spam", folderName: "Junk" } as const;
    const own = { ...words, messageId } as const;
    const orders = [[[alike, own]], [[own, alike]], [[alike], [own]]];
    for (const [at, calls] of orders.entries()) {
      const account = `${at}@mailbox.example`;
      const mailbox = await connectMailbox(store, { account });
      // Once before the test is analysed, and below once after.
      for (const call of calls) await see(mailbox, ...call);
    }
    await analysed({ messageId });
    for (const [at, calls] of orders.entries()) {
      const mailbox = await connectMailbox(store, { account: `late-${at}@mailbox.example` });
      for (const call of calls) await see(mailbox, ...call);
    }
    const rows = await observed();
    expect(rows).toHaveLength(6);
    for (const { folder, matched_by, evidence } of rows) {
      expect({ folder, matched_by }).toEqual({ folder: "inbox", matched_by: "message-id" });
      expect(JSON.parse(evidence)).toMatchObject({ messageId, moves: [] });
    }
  });

  test("a message in a seed mailbox is observed once, even if the mailbox is reconnected", async () => {
    const { store, test: analysed, see, observed, told } = await start();
    const before = await connectMailbox(store);
    await analysed({ messageId });
    await see(before, { messageId });
    await store.write((db) => db.deleteFrom("integrations").where("id", "=", before).execute());
    const anew = await connectMailbox(store, { connectedAt: 2_000 });
    expect(anew).not.toBe(before);
    await see(anew, { messageId });
    expect(await observed()).toHaveLength(1);
    expect(told.filter(({ type }) => type === "test.observed")).toHaveLength(1);
  });

  test("a message in a seed mailbox is still observed after a re-analysis, with the same rates", async () => {
    const { store, test: analysed, see, row, reanalyze, clock } = await start();
    const mailbox = await connectMailbox(store, { seedProvider: "yahoo" });
    const id = await analysed({ messageId });
    const predicted = await row(id);
    await see(mailbox, { messageId, folder: "promotions" });
    const before = await row(id);
    expect(before.promo_rate).not.toBe(predicted.promo_rate);
    clock.nowMs += 1_000;
    await reanalyze({ workspaceId: "wsp_a", testId: id, dns: "live" });
    const { inbox_rate, spam_rate, promo_rate, analyzed_at } = await row(id);
    expect({ inbox_rate, spam_rate, promo_rate }).toEqual({
      inbox_rate: before.inbox_rate,
      spam_rate: before.spam_rate,
      promo_rate: before.promo_rate,
    });
    expect(analyzed_at).toBe(clock.nowMs);
  });

  test("a message in a seed mailbox is observed in the dashboard after a rebuild too, and is deleted with its test", async () => {
    const { store, test: analysed, see, reanalyze, system, clock } = await start();
    const gmail = await connectMailbox(store, { seedProvider: "gmail" });
    const own = await connectMailbox(store, { account: "ben@other.example" });
    const id = await analysed({ messageId });
    clock.nowMs += 1_000;
    await analysed({ messageId: "two@sender.example" });
    const terms = { store, system };
    await foldRollups(terms);
    await see(gmail, { messageId, folder: "spam" });
    await see(own, { messageId });
    const placement = async () => (await readDashboard(terms, "wsp_a", "UTC")).placement;
    const seen = await placement();
    expect(seen.map(({ provider, tests, observed }) => [provider, tests, observed])).toEqual([
      ["gmail", 2, 1],
      ...["outlook", "yahoo", "icloud", "generic"].map((provider) => [provider, 2, 0]),
      ["imap:ben@other.example", 1, 1],
    ]);
    expect(seen.at(-1)).toMatchObject({ inboxRate: 1, spamRate: 0 });
    clock.nowMs += 1_000;
    await reanalyze({ workspaceId: "wsp_a", testId: id, dns: "recorded" });
    expect(await placement()).toEqual(seen);
    await foldRollups(terms);
    expect(await rebuildRollups(terms)).toMatchObject({ tests: 2, correctedTests: 0, correctedSums: 0 });
    expect(await placement()).toEqual(seen);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [id]));
    expect((await placement()).map(({ tests, observed }) => [tests, observed])).toEqual(
      Array.from({ length: 5 }, () => [1, 0]),
    );
    expect(await store.read.selectFrom("observations").select("id").execute()).toEqual([]);
  });

  test("a message in a seed mailbox is stored with its mailbox's read position, but not for a deleted mailbox", async () => {
    const { store, recorder, test: analysed, observed } = await start();
    const mailbox = await connectMailbox(store);
    await analysed({ messageId });
    const marks = [
      { path: "INBOX", uidValidity: "18446744073709551615", nextUid: 7 },
      { path: "a\0b", uidValidity: "1", nextUid: 1 },
    ];
    await recorder.keepSightings(mailbox, [aSighting({ messageId })], marks);
    await recorder.keepSightings(mailbox, [], [{ path: "INBOX", uidValidity: "2", nextUid: 9 }]);
    const folders = await store.read.selectFrom("mailbox_folders").selectAll().execute();
    expect(folders).toMatchObject([{ path: "INBOX", uid_validity: "2", next_uid: 9, workspace_id: "wsp_a" }]);
    await store.write((db) => db.deleteFrom("integrations").where("id", "=", mailbox).execute());
    await recorder.keepSightings(mailbox, [aSighting({ messageId: "x@y.example" })], marks);
    expect(await observed()).toHaveLength(1);
    expect(await store.read.selectFrom("waiting_sightings").select("id").execute()).toEqual([]);
  });

  test("a message in a seed mailbox may contain any text", async () => {
    const { store, test: analysed, see, observed } = await start();
    const mailbox = await connectMailbox(store);
    const long = `\0\ud800${"x".repeat(100_000)}`;
    await analysed({ messageId });
    const headers = Array.from({ length: 500 }, () => ({ name: long, value: long }));
    const hostile = {
      folderName: long,
      from: long,
      subject: long,
      arrivedAt: Number.NaN,
      assayIds: Array(500).fill(long),
      bodyTokens: Array(500).fill(long),
      evidence: { authenticationResults: Array(500).fill(long), headers },
    };
    await see(mailbox, { ...hostile, messageId }, { ...hostile, messageId: long });
    const [kept] = await observed();
    expect(kept?.evidence.length).toBeLessThan(100_000);
    expect(kept?.folder_name.length).toBe(200);
    const waiting = await store.read.selectFrom("waiting_sightings").select("sighting").execute();
    for (const { sighting } of waiting) expect(sighting.length).toBeLessThan(100_000);
  });

  test("a message in several seed mailboxes at once is stored for each, in any order", async () => {
    const { store, test: analysed, see, observed } = await start();
    const accounts = ["a@x.example", "b@x.example", "c@x.example"];
    const mailboxes = [];
    for (const account of accounts) mailboxes.push(await connectMailbox(store, { account }));
    const ids = ["1@x.example", "2@x.example", "3@x.example", "4@x.example"];
    for (const messageId of ids) await analysed({ messageId });
    const sightings = ids.map((messageId) => ({ messageId }));
    await Promise.all(
      mailboxes.flatMap((mailbox) => [see(mailbox, ...sightings), see(mailbox, ...sightings.toReversed())]),
    );
    expect(await observed()).toHaveLength(accounts.length * ids.length);
  });

  test("a message in a seed mailbox is matched even if it arrives at the same moment as its test", async () => {
    const { store, receive, analyzeAll, see, observed } = await start();
    const mailbox = await connectMailbox(store);
    for (let at = 0; at < 10; at++) {
      const messageId = `${at}@sender.example`;
      await receive({ messageId });
      await Promise.all([analyzeAll(), see(mailbox, { messageId })]);
    }
    for (let tries = 0; tries < 100 && (await observed()).length < 10; tries++) await pause(20);
    expect(await observed()).toHaveLength(10);
  });
});
