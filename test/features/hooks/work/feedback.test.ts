// What a provider reports by webhook becomes evidence about monitored domains, on both databases.

import { expect, test } from "vitest";
import type { Notice, NoticeRecipient } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { evaluateDue, toProblemData } from "../../../../src/features/feedback/work/evaluate-feedback.ts";
import { insertHook } from "../../../../src/features/hooks/rows/hooks.ts";
import type { FeedbackEvent } from "../../../../src/features/hooks/rules/hook.ts";
import { takeFeedback } from "../../../../src/features/hooks/work/feedback.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertDomain, insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

import { noFacts } from "../../feedback/no-facts.ts";

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 21, 6);
const today = nowMs - (nowMs % dayMs);
const system = testSystem({ now: nowMs });

const hook = {
  id: "hok_a",
  workspace_id: "wsp_a",
  label: "Mine",
  key_hash: "hash",
  provider: "sendgrid",
  purpose: "feedback",
  signing_key: null,
  password: null,
  topic_arn: null,
  domain: "news.a.example",
  created_at: 1,
  last_received_at: null,
  received: 0,
  repeated: 0,
  refused: 0,
  last_problem: null,
  last_problem_at: null,
} as const;

let made = 0;

function event(kind: FeedbackEvent["kind"], fields: Partial<FeedbackEvent> = {}): FeedbackEvent {
  made += 1;
  const recipient = {
    address: "b@b.example",
    status: "5.1.1",
    action: "failed",
    hard: true,
    class: "user_unknown",
    diagnostic: null,
  } as const satisfies NoticeRecipient;
  const about = { reportingMta: null, sourceIp: null, originalMessageId: null, originalAssayId: null };
  const feedbackType = kind === "complaint" ? "abuse" : null;
  const notice: Notice | null = kind === "delivered" ? null : { ...about, feedbackType, recipients: [recipient] };
  return { id: `event ${made}`, kind, count: 1, at: nowMs - 60_000, domain: null, notice, ...fields };
}

const many = (count: number, kind: FeedbackEvent["kind"], fields: Partial<FeedbackEvent> = {}) =>
  Array.from({ length: count }, () => event(kind, fields));

async function prepare(store: Store) {
  await store.write(async (db) => {
    await insertWorkspaces(db, "wsp_a", "wsp_b");
    for (const [id, workspaceId, domain] of [
      ["dom_a", "wsp_a", "a.example"],
      ["dom_c", "wsp_a", "c.example"],
      ["dom_b", "wsp_b", "a.example"],
    ] as const)
      await insertDomain(db, { id, workspaceId, domain, createdAt: nowMs });
    await insertHook(inWorkspace(db, "wsp_a"), hook);
  });
  const evaluate = async (at = nowMs + 1) => {
    const later = { ...system, now: () => at };
    await evaluateDue(
      { store, system: later, config: { seedDomains: [] }, ...noFacts },
      new AbortController().signal,
      serveOrThrow,
    );
    const rows = await store.read.selectFrom("feedback_problems").selectAll().orderBy("id").execute();
    return rows.map((row) => ({
      domainId: row.domain_id,
      subject: row.subject,
      level: row.level,
      ...toProblemData({ id: row.domain_id, domain: "a.example" }, row).problem,
    }));
  };
  /** `daysAgo`: also the day of the events. */
  const take = (events: readonly FeedbackEvent[], { isSigned = true, requestId = "", daysAgo = 0 } = {}) => {
    const now = nowMs - daysAgo * dayMs;
    const dated = events.map((one) => ({ ...one, at: now - 60_000 }));
    const then = { ...system, now: () => now };
    return takeFeedback(hook, { events: dated, isSigned, requestId }, { store, features: [], system: then });
  };
  return { evaluate, take };
}

eachDialect("feedback from webhooks", (open) => {
  test("feedback from webhooks opens one problem for a wave of complaints, with the rate of the provider's own volume", async () => {
    const store = await open();
    const { evaluate, take } = await prepare(store);
    expect(await evaluate(nowMs - 7 * dayMs)).toEqual([]);
    for (const daysAgo of [6, 5, 4, 3, 2, 1]) await take([event("delivered", { count: 1_000 })], { daysAgo });
    await take([event("delivered", { count: 4_000 }), ...many(25, "complaint")]);
    await take(many(15, "complaint", { domain: "other.a.example" }));
    // Of another domain.
    await take(many(15, "complaint", { domain: "b.example" }));
    const [problem, ...others] = await evaluate();
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      domainId: "dom_a",
      kind: "complaint-rate",
      state: "open",
      title: "Complaint rate at SendGrid over 0.1%",
      says: [
        "SendGrid reported 40 complaints, from 2026-11-15 to 2026-11-21, and 10,000 messages delivered from 2026-11-15 to 2026-11-21: 0.40%. Not every receiver passes complaints on, so the true rate may be higher.",
        "Reported by SendGrid (40 of 10,000).",
      ],
      evidence: {
        count: 40,
        total: 10_000,
        reporters: [{ reporter: "SendGrid", count: 40, total: 10_000 }],
        detail: { threshold: 0.001, reporter: "SendGrid" },
      },
    });
    expect(await evaluate(nowMs + 2)).toEqual([problem]);
    const [ended] = await evaluate(nowMs + 8 * dayMs);
    expect(ended).toMatchObject({
      id: problem?.id,
      state: "resolved",
      title: "Complaints are back to normal: SendGrid",
    });
  });

  test("feedback from webhooks has no complaint rate without a volume, and unsigned events open no problem", async () => {
    const store = await open();
    const { evaluate, take } = await prepare(store);
    await evaluate();
    await take([...many(40, "complaint"), event("delivered", { count: 1_000 })], { isSigned: false });
    expect(await evaluate(nowMs + 1)).toEqual([]);
    await take(many(12, "complaint", { domain: "c.example" }));
    expect(await evaluate(nowMs + 2)).toMatchObject([
      {
        domainId: "dom_c",
        subject: "domain",
        title: "12 complaints in a week",
        evidence: { count: 12, total: null, reporters: [{ reporter: "SendGrid", count: 12, total: null }] },
      },
    ]);
  });

  test("feedback from webhooks counts bounces by class on the day that the provider reports", async () => {
    const store = await open();
    const { take } = await prepare(store);
    await take(many(3, "bounce"), { daysAgo: 1 });
    await take([event("bounce"), event("complaint")]);
    const rows = await store.read
      .selectFrom("feedback_notices")
      .select(["workspace_id", "registrable_domain", "domain", "day", "kind", "class", "reporter", "count"])
      .orderBy("day")
      .orderBy("kind")
      .execute();
    const about = {
      workspace_id: "wsp_a",
      registrable_domain: "a.example",
      domain: "news.a.example",
      kind: "bounce",
      class: "user_unknown",
      reporter: "SendGrid",
      count: 1,
    };
    const yesterday = { ...about, day: today - dayMs };
    expect(rows).toEqual([
      yesterday,
      yesterday,
      yesterday,
      { ...about, day: today },
      { ...about, day: today, kind: "complaint", class: "unknown" },
    ]);
  });

  test("feedback from webhooks completes a failed request when it is repeated, and then ignores repetitions", async () => {
    const store = await open();
    const { take } = await prepare(store);
    const request = { events: many(150, "bounce"), isSigned: true, requestId: "one" };
    let writes = 0;
    const failing: Pick<Store, "read" | "write"> = {
      read: store.read,
      write: async (work) => {
        writes += 1;
        if (writes === 2) throw new Error("The process died.");
        return await store.write(work);
      },
    };
    await expect(takeFeedback(hook, request, { store: failing, features: [], system })).rejects.toThrow("died");
    expect(await take(request.events, request)).toEqual({ received: 50, repeated: 100 });
    expect(await take(many(150, "bounce"), request)).toEqual({ received: 0, repeated: 150 });
    const rows = await store.read.selectFrom("bounces").select("id").execute();
    expect(rows).toHaveLength(150);
  });
});
