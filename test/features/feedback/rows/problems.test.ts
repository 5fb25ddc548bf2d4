import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { MailReport } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { countProblems, listProblems } from "../../../../src/features/feedback/rows/problems.ts";
import { evaluateDue } from "../../../../src/features/feedback/work/evaluate-feedback.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { claimTests } from "../../../../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertDomain, insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

import { noFacts } from "../no-facts.ts";

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 21, 6);
const today = nowMs - (nowMs % dayMs);
const system = testSystem({ now: nowMs });

function toReport(type: MailReport["type"], day: number, failed: number): MailReport {
  const isTls = type === "tls";
  return {
    type,
    organization: "Google",
    reportId: `${type}-${day}`,
    domain: "a.example",
    policy: null,
    beginsAt: day,
    endsAt: day + dayMs - 1_000,
    total: null,
    failed: null,
    problem: null,
    sources: [],
    tlsPolicies: isTls
      ? [
          {
            type: "sts",
            domain: "a.example",
            successful: 100 - failed,
            failed,
            failures: [
              {
                resultType: "certificate-expired",
                mxHost: "mx.a.example",
                sessions: failed,
                sendingIp: null,
                receivingIp: null,
                reasonCode: null,
              },
            ],
          },
        ]
      : [],
  };
}

async function receive(
  store: Store,
  workspaceId: string,
  report: MailReport,
  authenticated: boolean,
  domain = "google.com",
) {
  // On the day after the one that it is about.
  const receivedAt = Math.min(nowMs, (report.beginsAt ?? nowMs) + dayMs);
  const id = createId("test", receivedAt, randomBytes(16));
  await createIntake(store).insert([message(id, { workspaceId, receivedAt })]);
  await store.write(async (db) => {
    const [claimed] = await claimTests(db, { now: nowMs, owner: "o", leaseMs: 1_000, limit: 1, only: [id] });
    if (!claimed) throw new Error("The report is not there.");
    const sender = { domain, authenticated };
    const found = { subject: null, from: null, messageId: null, authenticated: false, sendId: null, sender };
    await recordNonTest(db, claimed, { ...found, recognised: { kind: "report", report } }, { features: [], system });
  });
}

eachDialect("feedback problems", (open) => {
  test("feedback problems start once, only from authenticated reports of their own workspace, and end once", async () => {
    const store = await open();
    const domain = (workspaceId: string, id: string) => ({ id, workspaceId, domain: "a.example", createdAt: nowMs });
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b");
      await insertDomain(db, domain("wsp_a", "dom_a"));
      await insertDomain(db, domain("wsp_b", "dom_b"));
    });
    const evaluate = (now: number) =>
      evaluateDue(
        { store, system: { ...system, now: () => now }, config: { seedDomains: [] }, ...noFacts },
        new AbortController().signal,
        serveOrThrow,
      );
    for (let day = 4; day >= 1; day--) {
      await receive(store, "wsp_a", toReport("tls", today - day * dayMs, day === 1 ? 40 : 0), true);
      await receive(store, "wsp_b", toReport("tls", today - day * dayMs, day === 1 ? 40 : 0), false);
    }
    await receive(store, "wsp_a", toReport("dmarc", today - dayMs, 0), true);
    const count = (workspaceId: string, isOpen: boolean) =>
      countProblems(inWorkspace(store.read, workspaceId), { isOpen });
    await evaluate(nowMs + 1);
    await evaluate(nowMs + 2);
    expect([await count("wsp_a", true), await count("wsp_b", true)]).toEqual([1, 0]);
    const [problem] = await listProblems(inWorkspace(store.read, "wsp_a"), { limit: 5 }, { isOpen: true });
    expect(problem).toMatchObject({ kind: "tls-failures", domain_id: "dom_a" });
    expect(JSON.parse(problem?.evidence ?? "")).toMatchObject({
      count: 40,
      total: 300,
      detail: { failures: [{ resultType: "certificate-expired", mxHost: "mx.a.example", sessions: 40 }] },
    });
    expect(JSON.parse(problem?.reports ?? "")).toHaveLength(3);
    for (const day of [0, 1]) await receive(store, "wsp_a", toReport("tls", today + day * dayMs, 0), true);
    await evaluate(nowMs + 2 * dayMs);
    await evaluate(nowMs + 2 * dayMs + 1);
    expect([await count("wsp_a", true), await count("wsp_a", false)]).toEqual([0, 1]);
  });

  test("feedback problems ignore a forged copy that arrives before the authenticated report", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const day = today - dayMs;
    await receive(store, "wsp_a", toReport("tls", day, 0), false);
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    await receive(store, "wsp_a", toReport("tls", day, 0), true);
    await receive(store, "wsp_a", toReport("tls", day, 0), false);
    const reports = await store.read
      .selectFrom("mail_reports")
      .select(["sender_authenticated", "row_count"])
      .where("counted_as", "is not", null)
      .execute();
    expect(reports).toEqual([{ sender_authenticated: 1, row_count: 2 }]);
    const policies = await store.read.selectFrom("tls_policies").select("failed").execute();
    expect(policies).toEqual([{ failed: 40 }]);
    expect(await store.read.selectFrom("tls_failures").select("sessions").execute()).toEqual([{ sessions: 40 }]);
  });

  test("feedback problems ignore an authenticated copy from another sender", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const day = today - dayMs;
    await receive(store, "wsp_a", toReport("tls", day, 0), true, "attacker.example");
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    await receive(store, "wsp_a", toReport("tls", day, 0), false, "other.example");
    expect(await listCounted(store)).toEqual([
      { sender_domain: "attacker.example", sender_authenticated: 1 },
      { sender_domain: "google.com", sender_authenticated: 1 },
      { sender_domain: "other.example", sender_authenticated: 0 },
    ]);
  });

  test("feedback problems still recognize repeated reports that an earlier version counted", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const day = today - dayMs;
    // As earlier versions made it, without the sender.
    const name = ["tls", "Google", `tls-${day}`, "a.example", day, day + dayMs - 1_000];
    const earlier = createHash("sha256").update(JSON.stringify(name)).digest("base64url");
    const makeEarlier = (sender: string | null, authenticated: number) =>
      store.write((db) =>
        db
          .updateTable("mail_reports")
          .set({ counted_as: earlier, sender_domain: sender, sender_authenticated: authenticated })
          .where("counted_as", "is not", null)
          .execute(),
      );
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    for (const known of ["google.com", null]) {
      await makeEarlier(known, known === null ? 0 : 1);
      await receive(store, "wsp_a", toReport("tls", day, 40), known !== null);
      expect(await listCounted(store)).toHaveLength(1);
    }
    // The one without a sender is released, as before.
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    expect(await listCounted(store)).toEqual([{ sender_domain: "google.com", sender_authenticated: 1 }]);
    await makeEarlier("attacker.example", 1);
    await receive(store, "wsp_a", toReport("tls", day, 40), true);
    expect(await listCounted(store)).toHaveLength(2);
  });
});

async function listCounted(store: Store) {
  return await store.read
    .selectFrom("mail_reports")
    .select(["sender_domain", "sender_authenticated"])
    .where("counted_as", "is not", null)
    .orderBy("sender_domain")
    .execute();
}
