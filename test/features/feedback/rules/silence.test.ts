// Days without data: what an open problem says then, and when it is closed.

import { describe, expect, test } from "vitest";
import { builtIn, nameSender, toProved } from "../../../../src/analyzer/senders/name-sender.ts";
import {
  evaluateFeedback,
  type FeedbackInput,
  findFirstDay,
} from "../../../../src/features/feedback/rules/evaluate.ts";
import { type CoachPolicy, toAdvice } from "../../../../src/features/feedback/rules/policy-coach.ts";
import {
  dayMs,
  type FeedbackEvidence,
  type KnownProblem,
  noDetail,
} from "../../../../src/features/feedback/rules/problem.ts";
import type { FeedbackRow } from "../../../../src/features/feedback/rules/report-rows.ts";
import { toFeedbackWords } from "../../../../src/features/feedback/words/words.ts";

const today = Date.UTC(2026, 10, 21);
const day = (back: number) => today - back * dayMs;

const nothing: FeedbackInput = {
  domain: "shop.example",
  today,
  rows: [],
  reporterDays: [],
  tls: [],
  tlsFailures: [],
  notices: [],
  delivered: [],
  firstDay: day(90),
  pointsHere: true,
  problems: [],
  marked: new Set<string>(),
};

function toNamed({ dkim = [], spf = [], sourceIp = "192.0.2.1" }: Partial<FeedbackRow>) {
  const proved = toProved({ dkim, spf }, "shop.example");
  return nameSender({ ...proved, address: sourceIp, host: null, network: null }, "shop.example", builtIn);
}

function reportedBy(reporter: string, backs: readonly number[], rows: Partial<FeedbackRow> = {}) {
  const row: FeedbackRow = {
    day: today,
    reporter,
    sourceIp: "192.0.2.1",
    headerFrom: "shop.example",
    dkim: [],
    spf: [],
    reasons: [],
    dkimAligned: true,
    spfAligned: true,
    messages: 100,
    source: toNamed(rows),
    ...rows,
  };
  return {
    rows: backs.map((back) => ({ ...row, day: day(back) })),
    reporterDays: backs.map((back) => ({
      reporter,
      day: day(back),
      arrivedAt: day(back) + dayMs,
      messages: 100,
      passed: 100,
    })),
  };
}

function open(kind: KnownProblem["kind"], subject: string, evidence: Partial<FeedbackEvidence>): KnownProblem {
  const figures = { days: { from: day(2), to: day(2) }, count: 40, total: 400, usual: null, reporters: [] };
  return {
    kind,
    subject,
    level: 0,
    openedAt: day(1),
    resolvedAt: null,
    resolution: null,
    evidence: { ...figures, detail: noDetail, ...evidence },
  };
}

function statusOf(input: FeedbackInput, kind: KnownProblem["kind"], subject: string) {
  return evaluateFeedback(input).flatMap((move) =>
    "status" in move && move.status.kind === kind && move.status.subject === subject ? [move.status] : [],
  )[0];
}

const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("an open problem without new data", () => {
  test("an open problem without new data doesn't claim that a failed source passes", () => {
    const subject = "network:203.0.113.0/24";
    const detail = { ...noDetail, source: "203.0.113.0/24", addresses: ["203.0.113.9"], passed: 0 };
    const problem = open("new-source", subject, { detail });
    const input = { ...nothing, ...reportedBy("google.com", span(0, 30)), problems: [problem] };
    const status = statusOf(input, "new-source", subject);
    const words = status && toFeedbackWords({ ...status, resolution: null });
    expect(words?.title).toBe("New sender fails DMARC: 203.0.113.0/24");
    expect(words?.says[0]).toBe("40 messages from 203.0.113.9, on 2026-11-19. None pass DMARC.");
  });

  test("an open problem without new data keeps the numbers that opened it", () => {
    const selector = "s1 shop.example";
    const problems = [open("tls-failures", "domain", {}), open("broken-selector", selector, {})];
    for (const { kind, subject } of problems)
      expect(statusOf({ ...nothing, problems }, kind, subject)?.evidence).toMatchObject({ count: 40, total: 400 });
  });
});

describe('the problem "reports stopped"', () => {
  const covered = { days: { from: day(60), to: day(33) }, count: 28, total: 2_800 };
  const detail = (reporter: string | null) => ({
    ...noDetail,
    reporter,
    lastDay: day(33),
    silentDays: 5,
    longestGap: 0,
  });

  test('the problem "reports stopped" counts the days without reports, and keeps the period they covered', () => {
    const problem = { ...open("reports-stopped", "all", { ...covered, detail: detail(null) }), openedAt: day(26) };
    // Of the days that are read, only few are from before the silence.
    const input = { ...nothing, ...reportedBy("google.com", [33, 34, 35]), problems: [problem] };
    for (const each of [input, { ...nothing, problems: [problem] }]) {
      const status = statusOf(each, "reports-stopped", "all");
      expect(status && toFeedbackWords({ ...status, resolution: null }).says[0]).toBe(
        "No report for 31 days. The last one is about 2026-10-19. Before that, reports covered 28 days, from 2026-09-22 to 2026-10-19.",
      );
    }
  });

  test('the problem "reports stopped" of one reporter is closed in the end, even without new data', () => {
    const problem = open("reports-stopped", "yahoo.com", { ...covered, detail: detail("yahoo.com") });
    const input = (openedAt: number) => ({
      ...nothing,
      ...reportedBy("google.com", span(1, 35)),
      problems: [{ ...problem, openedAt }],
    });
    const status = statusOf(input(day(40)), "reports-stopped", "yahoo.com");
    expect(status?.evidence.detail).toMatchObject({ lastDay: day(33), silentDays: 31 });
    expect(evaluateFeedback(input(day(57)))).toContainEqual(
      expect.objectContaining({ what: "resolve", resolution: "no-data" }),
    );
  });
});

test("an unknown reporter's old report doesn't start the learning period", () => {
  const stranger = { reporter: "stranger.example", day: day(34), arrivedAt: day(1) };
  const { reporterDays } = reportedBy("google.com", [3, 2]);
  expect(findFirstDay([stranger, ...reporterDays])).toBeNull();
  expect(findFirstDay([stranger, ...reportedBy("google.com", [4, 3, 2]).reporterDays])).toBe(day(4));
});

test("a problem that was closed for lack of data isn't called solved", () => {
  const { evidence } = open("tls-failures", "domain", {});
  const titles = (["broken-selector", "pass-rate-fell", "tls-failures", "reports-stopped"] as const).map(
    (kind) => toFeedbackWords({ kind, evidence, resolution: "no-data" }).title,
  );
  expect(titles.filter((title) => /again|back/.test(title))).toEqual([]);
});

test("a complaint rate over the limit is shown as a rate", () => {
  const complaint = { kind: "complaint", class: "unknown", day: day(1), reporter: "yahoo.com" } as const;
  const detail = { ...noDetail, threshold: 0.001 };
  const input = {
    ...nothing,
    ...reportedBy("google.com", span(1, 8)),
    reporterDays: reportedBy("google.com", span(1, 8)).reporterDays.map((one) => ({ ...one, passed: 1_000 })),
    notices: [{ ...complaint, count: 9 }],
    problems: [open("complaint-rate", "domain", { count: 20, total: 7_000, detail })],
  };
  const status = statusOf(input, "complaint-rate", "domain");
  expect(status && toFeedbackWords({ ...status, resolution: null }).title).toBe("Complaint rate over 0.1%");
});

test("the advice considers a passing subdomain even if larger ones are spoofed", () => {
  const policy: CoachPolicy = {
    record: "v=DMARC1; p=none",
    p: "none",
    sp: "none",
    np: "none",
    hasOwnSp: false,
    testing: false,
  };
  const failing = { dkimAligned: false, spfAligned: false, messages: 50 };
  const spoofed = span(1, 25).flatMap(
    (number) => reportedBy("google.com", [1], { ...failing, headerFrom: `x${number}.shop.example` }).rows,
  );
  const partly = [{ messages: 10 }, { ...failing, messages: 10 }].flatMap(
    (some) => reportedBy("google.com", [1], { ...some, headerFrom: "news.shop.example" }).rows,
  );
  const advice = toAdvice({
    domain: "shop.example",
    today,
    rows: [...spoofed, ...partly],
    days: [],
    policy,
    isProven: () => false,
    marks: new Map(),
    reports: { all: 0, authenticated: 0 },
    openProblems: [],
  });
  expect(advice.npReject).toBe(false);
  expect(advice.next?.sp).toBe("none");
  expect(advice.subdomains).toHaveLength(20);
});
