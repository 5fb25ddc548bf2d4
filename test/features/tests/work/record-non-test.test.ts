import { expect, test } from "vitest";
import { listBounces, readBounce } from "../../../../src/features/feedback/rows/bounces.ts";
import { listMailReports } from "../../../../src/features/feedback/rows/mail-reports.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { finishSend, insertSend, readSend, readSendResults } from "../../../../src/features/sending/rows.ts";
import { readRawMessage } from "../../../../src/features/tests/rows/raw-messages.ts";
import { listOldTests, removeOldTests, removeTests } from "../../../../src/features/tests/rows/removal.ts";
import {
  claimTests,
  countBacklog,
  listAutoReplies,
  listTests,
  markAnalyzed,
  readTest,
} from "../../../../src/features/tests/rows/tests.ts";
import { countKept, countReceived } from "../../../../src/features/tests/rows/totals.ts";
import { type NonTest, recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { aBounce, anAutoReply, aReport, notice, report } from "../../../http/arrivals.ts";
import { unjudged } from "../../../platform/database/analysed.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

const found = { subject: "Failed", from: "MAILER-DAEMON", messageId: null, authenticated: false, sendId: null };

const system = testSystem();

async function openWith(open: Open, ...ids: string[]) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await createIntake(store).insert(ids.map((id, index) => message(id, { receivedAt: 1_000 + index })));
  return { store, scope: inWorkspace(store.read, "wsp_a") };
}

async function claim(store: Store, id: string) {
  const lease = { now: 5_000, owner: "one", leaseMs: 1_000, limit: 1, only: [id] };
  const [claimed] = await store.write((db) => claimTests(db, lease));
  if (!claimed) throw new Error("Nothing was due.");
  return claimed;
}

async function keep(store: Store, id: string, noTest: Partial<NonTest> & Pick<NonTest, "recognised">) {
  const claimed = await claim(store, id);
  return await store.write((db) => recordNonTest(db, claimed, { ...found, ...noTest }, { features: [], system }));
}

eachDialect("a message that is not a test", (open) => {
  test("a message that is not a test leaves the list of tests and is stored as a bounce with its contents", async () => {
    const { store, scope } = await openWith(open, "t1");
    expect(await keep(store, "t1", { recognised: aBounce, authenticated: true })).toBe(true);
    const [bounce, ...others] = await listBounces(scope, { limit: 9 });
    expect(others).toEqual([]);
    expect(bounce).toMatchObject({ kind: "bounce", test_id: "t1", received_at: 1_000, authenticated: 1 });
    expect(JSON.parse(bounce?.recipients ?? "")).toEqual(notice.recipients);
    expect(bounce?.id).toMatch(/^bnc_/);
    expect(await readBounce(scope, bounce?.id ?? "")).toEqual(bounce);
    expect(await listTests(scope, { limit: 9 })).toEqual([]);
    expect([await readTest(scope, "t1"), await readRawMessage(scope, store.messages, "t1")]).toEqual([
      undefined,
      undefined,
    ]);
    expect((await readRawMessage(scope, store.messages, "t1", "bounce"))?.bytes.length).toBeGreaterThan(0);
    expect([await countKept(scope), await countBacklog(store.read)]).toEqual([0, 0]);
    expect(await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t1"]))).toEqual([]);
    expect(await listBounces(inWorkspace(store.read, "wsp_b"), { limit: 9 })).toEqual([]);
  });

  test("a message that is not a test is matched to the test with its Message-ID in the same workspace", async () => {
    const { store, scope } = await openWith(open, "t1", "t2", "t3");
    await createIntake(store).insert([message("other", { workspaceId: "wsp_b" })]);
    const long = `${"ü".repeat(2_000)}@sender.example`;
    for (const [id, message_id] of [
      ["t1", " <1@sender.example> "],
      ["t2", `<${long}>`],
      ["other", "<2@sender.example>"],
    ] as const) {
      const claimed = await claim(store, id);
      await store.write((db) => markAnalyzed(db, claimed, { ...unjudged, message_id }));
    }
    await createIntake(store).insert([message("b1"), message("b2"), message("b3")]);
    const about = (originalMessageId: string) => ({
      recognised: { kind: "complaint", notice: { ...notice, originalMessageId } } as const,
    });
    await keep(store, "b1", about("1@sender.example"));
    await keep(store, "b2", about(long));
    await keep(store, "b3", about("2@sender.example"));
    const related = async () =>
      Object.fromEntries((await listBounces(scope, { limit: 9 })).map((row) => [row.test_id, row.related_test_id]));
    expect(await related()).toEqual({ b1: "t1", b2: "t2", b3: null });
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t1"]));
    expect(await related()).toEqual({ b1: null, b2: "t2", b3: null });
  });

  test("a message that is not a test is stored as a report or an automatic reply", async () => {
    const { store, scope } = await openWith(open, "t1", "t2");
    await keep(store, "t1", { recognised: aReport });
    await keep(store, "t2", { recognised: anAutoReply });
    expect(await listMailReports(scope, { limit: 9 })).toMatchObject([
      { test_id: "t1", type: "dmarc", report_id: "1", begins_at: 1_000, total: 10, failed: 1 },
    ]);
    expect(await listAutoReplies(scope, { limit: 9 })).toMatchObject([{ id: "t2", subject: "Failed" }]);
  });

  test("each report of a message is listed and counted, and removed after its time", async () => {
    const { store, scope } = await openWith(open, "t1");
    const more = ["2", "3"].map((reportId) => ({ ...report, reportId }));
    await keep(store, "t1", { recognised: { ...aReport, more } });
    const listed = await listMailReports(scope, { limit: 9 });
    expect(listed.map(({ report_id }) => report_id).sort()).toEqual(["1", "2", "3"]);
    expect(listed.map(({ counted_as }) => counted_as)).not.toContain(null);
    expect(await countKept(scope, ["report"])).toBe(3);
    expect([await countReceived(scope, "1970-01"), await listTests(scope, { limit: 9 })]).toEqual([0, []]);
    const old = await listOldTests(store.read, { after: "", before: null, limit: 9 });
    await store.write((db) =>
      removeOldTests(
        db,
        old.map(({ id }) => id),
      ),
    );
    expect([await listMailReports(scope, { limit: 9 }), await countKept(scope, ["report"])]).toEqual([[], 0]);
  });

  test("a report about days to come counts nothing, and says so", async () => {
    const { store, scope } = await openWith(open, "t1");
    await keep(store, "t1", { recognised: { kind: "report", report: { ...report, beginsAt: 7 * 86_400_000 } } });
    expect(await listMailReports(scope, { limit: 9 })).toMatchObject([
      { counted_as: null, row_count: 0, problem: "Its period is in the future." },
    ]);
  });

  test("a message that is not a test is stored only with text that lists and databases accept", async () => {
    const { store, scope } = await openWith(open, "t1", "t2");
    const wild = `\0\ud800${"x".repeat(5_000)}`;
    const [one] = notice.recipients;
    const recipients = Array.from({ length: 500 }, () => ({ ...one, diagnostic: wild }) as NonNullable<typeof one>);
    await keep(store, "t1", {
      recognised: { kind: "bounce", notice: { ...notice, reportingMta: wild, originalMessageId: wild, recipients } },
      subject: wild,
    });
    const sums = { total: 2 ** 60, failed: 0.5, beginsAt: 9e15, endsAt: -1, organization: wild };
    await keep(store, "t2", { recognised: { kind: "report", report: { ...report, ...sums } } });
    const [bounce] = await listBounces(scope, { limit: 9 });
    expect(bounce?.reporting_mta).toHaveLength(1_000);
    expect(JSON.parse(bounce?.recipients ?? "")).toHaveLength(100);
    expect(await listMailReports(scope, { limit: 9 })).toMatchObject([
      { total: null, failed: null, begins_at: null, ends_at: null },
    ]);
  });

  test("a message that is not a test changes nothing if another process has taken it over", async () => {
    const { store, scope } = await openWith(open, "t1");
    const claimed = await claim(store, "t1");
    const late = { ...claimed, claimed_by: "another" };
    const keepLate = store.write((db) =>
      recordNonTest(db, late, { ...found, recognised: aBounce }, { features: [], system }),
    );
    expect(await keepLate).toBe(false);
    expect(await listBounces(scope, { limit: 9 })).toEqual([]);
    expect(await countKept(scope)).toBe(1);
  });

  const delayed = { ...notice, recipients: notice.recipients.map((one) => ({ ...one, action: "delayed" })) };
  const home = { authenticated: true, sendId: "snd_1" };

  test.each([
    ["was returned to its own return path", "bounced", { recognised: aBounce, ...home }],
    ["is only quoted in it, which anyone can do", "sent", { recognised: aBounce, ...home, authenticated: false }],
    ["is delayed", "sent", { recognised: { kind: "bounce", notice: delayed }, ...home }],
    ["got a complaint", "sent", { recognised: { kind: "complaint", notice }, ...home }],
  ] as const)("a bounce or complaint leaves its send correct if the message %s: %s", async (_, status, noTest) => {
    const { store, scope } = await openWith(open, "t1");
    const own = { id: "snd_1", created_at: 1, label: null, subject: "Hello", sender: "a@b.example" };
    const rest = { recipient: "w7@seed.example", message_id: "1@b.example", transport: "relay" } as const;
    await store.write(async (db) => {
      await insertSend(inWorkspace(db, "wsp_a"), { ...own, ...rest });
      await finishSend(inWorkspace(db, "wsp_a"), "snd_1", { status: "sent", problem: null, finished_at: 2 });
    });
    await keep(store, "t1", noTest);
    const problem = status === "bounced" ? "550 5.1.1 No such user" : null;
    expect(await readSend(scope, "snd_1")).toMatchObject({ status, problem });
    const { bounceId } = (await readSendResults(scope, ["snd_1"])).get("snd_1") ?? {};
    expect(bounceId === null).toBe(!noTest.authenticated);
  });
});
