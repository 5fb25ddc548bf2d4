// Events as they are kept, for what is made of them.

import type {
  AlertEvent,
  AlertNotice,
  BounceData,
  DriftData,
  FeedbackProblemData,
  KeptEvent,
  LowScoreData,
  MonitorData,
  StreamData,
} from "../../../../src/features/alerts/rules/alert-event.ts";
import { type FeedbackEvidence, noDetail } from "../../../../src/features/feedback/rules/problem.ts";
import { toFeedbackWords } from "../../../../src/features/feedback/words/words.ts";

export const at = Date.parse("2026-11-21T06:19:00.000Z");
export const baseUrl = "https://assay.example";

export const looserPolicy: DriftData["changes"][number] = {
  mechanism: "dmarc",
  kind: "policy_loosened",
  direction: "worse",
  says: "The policy went from reject to none.",
  before: { verdict: "pass", record: "v=DMARC1; p=reject; rua=mailto:d@shop.example" },
  after: { verdict: "warn", record: "v=DMARC1; p=none; rua=mailto:d@shop.example" },
};

export function aDrift(data: Partial<DriftData> = {}): AlertEvent {
  return {
    type: "domain.drift",
    data: {
      domain: { id: "dom_01kakzq3v1c8w2e5m7r9t0xyza", domain: "shop.example" },
      kind: "drift",
      checkedAt: "2026-11-21T06:18:00.000Z",
      changes: [looserPolicy],
      ...data,
    },
  };
}

export function aLowScore(test: Partial<LowScoreData["test"]> = {}): AlertEvent {
  return {
    type: "test.low_score",
    data: {
      test: {
        id: "tst_01kakzq3v1c8w2e5m7r9t0xyza",
        receivedAt: "2026-11-21T06:18:00.000Z",
        from: "Ann <ann@shop.example>",
        subject: "Hello",
        label: null,
        composite: 43.5,
        coverage: 0.8,
        spf: "pass",
        dkim: "fail",
        dmarc: "fail",
        ...test,
      },
    },
  };
}

export const aRecipient: BounceData["bounce"]["recipients"][number] = {
  address: "bob@receiver.example",
  status: "5.1.1",
  action: "failed",
  class: "user_unknown",
  hard: true,
  diagnostic: "550 5.1.1 No such user",
};

export function aBounce(bounce: Partial<BounceData["bounce"]> = {}): AlertEvent {
  return {
    type: "email.bounce_complaint",
    data: {
      bounce: {
        id: "bnc_01kakzq3v1c8w2e5m7r9t0xyza",
        kind: "bounce",
        receivedAt: "2026-11-21T06:18:00.000Z",
        authenticated: true,
        reportingMta: "mx.receiver.example",
        recipients: [aRecipient],
        feedbackType: null,
        sourceIp: null,
        originalMessageId: "1@shop.example",
        sendId: null,
        testId: null,
        ...bounce,
      },
    },
  };
}

let count = 0;

export function aMonitorChange(data: Partial<MonitorData> = {}): AlertEvent {
  return {
    type: "monitor.changed",
    data: {
      monitor: { id: "mon_01kakzq3v1c8w2e5m7r9t0xyza", name: "Nightly backup", kind: "expected" },
      state: "down",
      since: "2026-11-21T06:18:00.000Z",
      reason: { code: "missing", says: "No matching message arrived by Sat, Nov 21, 07:30 (Europe/Berlin)." },
      lastOkAt: "2026-11-20T05:59:00.000Z",
      runId: "run_01kakzq3v1c8w2e5m7r9t0xyza",
      testId: null,
      ...data,
    },
  };
}

type AboutProblem = Pick<FeedbackProblemData["problem"], "kind" | "resolution"> & {
  readonly domain?: string;
  readonly evidence: FeedbackEvidence;
};

/** With the sentences that the product writes about this evidence. */
export function aFeedbackProblem({ kind, resolution, evidence, domain = "shop.example" }: AboutProblem): AlertEvent {
  const { days, usual, detail, ...counts } = evidence;
  const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
  const { lastDay } = detail;
  return {
    type: "feedback.problem",
    data: {
      domain: { id: "dom_01kakzq3v1c8w2e5m7r9t0xyza", domain },
      problem: {
        ...toFeedbackWords({ kind, resolution, evidence }),
        id: "fbp_01kakzq3v1c8w2e5m7r9t0xyza",
        kind,
        resolution,
        state: resolution === null ? "open" : "resolved",
        openedAt: "2026-11-21T06:18:00.000Z",
        resolvedAt: resolution === null ? null : "2026-11-22T06:18:00.000Z",
        evidence: {
          ...counts,
          from: toDay(days.from),
          to: toDay(days.to),
          reports: [],
          usual: usual && { ...usual, from: toDay(usual.days.from), to: toDay(usual.days.to) },
          detail: { ...detail, lastDay: lastDay === null ? null : toDay(lastDay) },
        },
      },
    },
  };
}

export const aFeedbackEvidence: FeedbackEvidence = {
  days: { from: at - 259_200_000, to: at },
  count: 40,
  total: 400,
  usual: null,
  reporters: [{ reporter: "google.com", count: 40, total: 400 }],
  detail: { ...noDetail, reporter: "google.com" },
};

export function aStreamMove(data: Partial<StreamData> = {}): AlertEvent {
  return {
    type: "stream.moved",
    data: {
      stream: { id: "str_01kakzq3v1c8w2e5m7r9t0xyza", name: "shop.example · news" },
      test: {
        id: "tst_01kakzq3v1c8w2e5m7r9t0xyza",
        receivedAt: "2026-11-21T06:18:00.000Z",
        from: "Ann <ann@shop.example>",
        subject: "Hello",
        label: "news",
        score: 61,
      },
      usualScore: 88,
      points: -27,
      comparedWith: "tst_01kakzq3v1c8w2e5m7r9t0xyzb",
      causes: [{ cause: "dns", points: -27 }],
      changes: [{ what: "dkim", says: "Selector changed." }],
      ...data,
    },
  };
}

export function kept(event: AlertEvent, thresholdScore: number | null = 70): KeptEvent {
  count += 1;
  const id = `evt_${String(count).padStart(26, "0")}`;
  return { id, createdAt: at, workspaceId: "wsp_01kakzq3v1c8w2e5m7r9t0xyza", event, thresholdScore };
}

export function told(events: readonly AlertEvent[], more = 0): AlertNotice {
  return { events: events.map((event) => kept(event)), more, secret: null, baseUrl, now: at };
}

/** The columns of a webhook that works, is not about email, and takes our own JSON. */
export const ownWebhook = {
  kind: "json",
  threshold_score: null,
  enabled: 1,
  disabled_because: null,
  secret: null,
  created_at: 1,
  not_before: null,
  hour_began_at: null,
  hour_count: 0,
  failing_since: null,
  preset: null,
  credentials: null,
  address_id: null,
} as const;

export const alertMailKeys = { mark: Buffer.alloc(32, 1), unsubscribe: Buffer.alloc(32, 2) };
