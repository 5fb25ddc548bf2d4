import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { findTests } from "../../../../src/features/tests/rows/lists.ts";
import {
  decodeRaw,
  encodeRaw,
  readClaimedMessage,
  readRawMessage,
} from "../../../../src/features/tests/rows/raw-messages.ts";
import { encodeReport, readReport } from "../../../../src/features/tests/rows/reports.ts";
import {
  claimReanalysis,
  claimTests,
  countBacklog,
  forgetReanalysis,
  listTests,
  markAnalyzed,
  markFailed,
  readTest,
} from "../../../../src/features/tests/rows/tests.ts";
import { countKept } from "../../../../src/features/tests/rows/totals.ts";
import type { Page } from "../../../../src/platform/database/engine/page.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { unjudged } from "../../../platform/database/analysed.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";

const lease = { now: 5_000, owner: "one", leaseMs: 1_000, limit: 10 };
const verdict = {
  ...unjudged,
  header_from: "a@b.example",
  from_domain: "b.example",
  subject: "Hello",
  message_id: "<1@b.example>",
  spf: "pass",
  dkim: "none",
  dmarc: "fail",
  composite: 42.5,
  coverage: 0.5,
  inbox_rate: 0.6,
  spam_rate: 0.2,
  promo_rate: 0.2,
  kind: "personal" as const,
  body_key: "abc",
  attachments: 0,
  malware: "none" as const,
  door: "smtp" as const,
  analyzedAt: 5_100,
};

async function claimOne(store: Store, now = lease.now) {
  const [test] = await store.write((db) => claimTests(db, { ...lease, now }));
  if (!test) throw new Error("Nothing was due.");
  return test;
}

eachDialect("stored tests", (open) => {
  test("stored tests are stored with their unchanged message, one per workspace", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const bytes = Buffer.from([...randomBytes(300), 0, 13, 10, 46].concat(Array(40_000).fill(65)));
    const own = (id: string, workspaceId: string) => ({
      id,
      workspaceId,
      seedInboxId: null,
      label: "welcome",
      recipients: ["a@seed.example", "ä@seed.example"],
      session: `{"helo":"${id}"}`,
    });
    const tests = [own("t1", "wsp_a"), own("t2", "wsp_b")];
    await createIntake(store).insert([message("t", { bytes, tests })]);
    const scope = inWorkspace(store.read, "wsp_b");
    expect(await readTest(scope, "t2")).toMatchObject({
      status: "received",
      label: "welcome",
      recipients: '["a@seed.example","ä@seed.example"]',
      size_bytes: bytes.length,
      due_at: 1_000,
      attempts: 0,
    });
    const raw = await readRawMessage(scope, store.messages, "t2");
    expect(raw?.session).toBe('{"helo":"t2"}');
    expect(Buffer.compare(raw?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    expect(await readRawMessage(scope, store.messages, "t1")).toBeUndefined();
  });

  test("stored tests are stored all together or not at all", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const { insert } = createIntake(store);
    await expect(insert([message("t1"), message("t2", { workspaceId: "wsp_unknown" })])).rejects.toThrow();
    await insert([message("t3")]);
    await insert([]);
    expect((await listTests(inWorkspace(store.read, "wsp_a"), { limit: 9 })).map(({ id }) => id)).toEqual(["t3"]);
  });

  test("stored tests are listed newest first, each once, page by page, even within one millisecond", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const times = [10, 20, 20, 20, 30];
    await createIntake(store).insert([
      ...times.map((receivedAt, index) => message(`t${index}`, { receivedAt })),
      message("other", { workspaceId: "wsp_b", receivedAt: 20 }),
    ]);
    const scope = inWorkspace(store.readInWorker, "wsp_a");
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await listTests(scope, { limit: 2, after });
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1)?.id;
      if (!after) break;
    }
    expect(seen).toEqual(["t4", "t3", "t2", "t1", "t0"]);
    expect(await countKept(scope)).toBe(5);
  });

  test("stored tests are listed by label and from an offset", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const labelled = (id: string, label: string | null, receivedAt: number) => {
      const { tests, ...rest } = message(id, { receivedAt });
      return { ...rest, tests: tests.map((test) => ({ ...test, label })) };
    };
    const labels = ["welcome", null, "welcome", "other", "welcome"];
    await createIntake(store).insert(labels.map((label, index) => labelled(`t${index}`, label, index)));
    const ids = async (page: Page, label?: string) =>
      (await findTests(store.read, "wsp_a", page, { label })).tests.map(({ id }) => id);
    expect(await ids({ limit: 9 }, "welcome")).toEqual(["t4", "t2", "t0"]);
    expect(await ids({ limit: 1, offset: 1 }, "welcome")).toEqual(["t2"]);
    expect(await ids({ limit: 9, offset: 2 })).toEqual(["t2", "t1", "t0"]);
    expect(await ids({ limit: 9, offset: 1, after: "t4" })).toEqual(["t2", "t1", "t0"]);
    expect(await ids({ limit: 9, offset: 9 })).toEqual([]);
  });

  test("stored tests change from received to analyzing to analyzed, with their report", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await createIntake(store).insert([message("t1")]);
    const scope = inWorkspace(store.read, "wsp_a");
    expect(await countBacklog(store.read)).toBe(1);
    const claimed = await claimOne(store);
    expect(await readTest(scope, "t1")).toMatchObject({ status: "analyzing", attempts: 1 });
    expect((await readClaimedMessage(store.read, claimed))?.bytes.length).toBeGreaterThan(0);
    const done = () =>
      store.write((db) => markAnalyzed(db, claimed, { ...verdict, report: encodeReport('{"score":1}') }));
    expect([await done(), await done()]).toEqual([true, false]);
    expect(await readTest(scope, "t1")).toMatchObject({ status: "analyzed", spf: "pass", analyzed_at: 5_100 });
    expect(await readReport(scope, "t1")).toBe('{"score":1}');
    expect(await readReport(inWorkspace(store.read, "wsp_b"), "t1")).toBeUndefined();
    expect(await countBacklog(store.read)).toBe(0);
  });

  test("stored tests that fail keep the message, the reason, and the last good report", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await createIntake(store).insert([message("t1")]);
    const scope = inWorkspace(store.read, "wsp_a");
    const first = await claimOne(store);
    await store.write((db) => markAnalyzed(db, first, { ...verdict, report: encodeReport('"good"') }));
    await store.write((db) => db.updateTable("tests").set({ due_at: 6_000 }).execute());
    const second = await claimOne(store, 6_000);
    expect(await store.write((db) => markFailed(db, second, "It froze the analyser."))).toBe(true);
    expect(await readTest(scope, "t1")).toMatchObject({ status: "failed", failure: "It froze the analyser." });
    expect(await readReport(scope, "t1")).toBe('"good"');
    expect(await readRawMessage(scope, store.messages, "t1")).toBeDefined();
  });

  test("stored tests are restored with their kind if a re-analysis failed", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await createIntake(store).insert([message("t1")]);
    const first = await claimOne(store);
    await store.write((db) => markAnalyzed(db, first, { ...verdict, report: encodeReport('"good"') }));
    const said = { kind_override: "bulk" } as const;
    const claim = await store.write((db) =>
      claimReanalysis(inWorkspace(db, "wsp_a"), "t1", { ...lease, now: 7_000 }, said),
    );
    if (!claim || claim === "busy") throw new Error("It could not be claimed.");
    expect(claim.test).toMatchObject({ status: "analyzing", ...said });
    await store.write((db) => forgetReanalysis(db, claim.test, claim.before));
    expect(await readTest(inWorkspace(store.read, "wsp_a"), "t1")).toMatchObject({
      status: "analyzed",
      kind_override: null,
    });
  });
});

test("large messages are compressed unless that makes them larger, and small ones are not", () => {
  expect(encodeRaw(Buffer.alloc(16_383, 65)).encoding).toBe(0);
  expect(encodeRaw(Buffer.alloc(16_384, 65))).toMatchObject({ encoding: 1 });
  expect(encodeRaw(randomBytes(100_000)).encoding).toBe(0);
  const { bytes } = encodeRaw(Buffer.alloc(1_000_000, 65));
  expect(bytes.buffer.byteLength).toBeLessThan(10_000); // of memory held while it waits to be written
});

test.each([16_384, 60_000, 100_003, 1_000_000])(
  "%i bytes of an attachment are stored and restored unchanged",
  (size) => {
    const message = Buffer.from(randomBytes(size).toString("base64").slice(0, size)); // a quarter shorter when compressed, in several chunks
    const kept = encodeRaw(message);
    expect(kept.encoding).toBe(1);
    expect(Buffer.compare(decodeRaw(kept), message)).toBe(0);
  },
);
