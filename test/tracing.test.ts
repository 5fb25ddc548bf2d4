import { expect, test } from "vitest";
import { createMetrics } from "../src/http/metrics.ts";
import { claimedSession } from "../src/mail/session/session.ts";
import { toSessionText } from "../src/mail/session/session-text.ts";
import type { RenewableThread } from "../src/tasks/analysis/job-thread.ts";
import type { JobTrace } from "../src/tasks/analysis/job-trace.ts";
import { type NotedSpan, noSpans } from "../src/telemetry/spans.ts";
import {
  noteDelivery,
  withChoreSpans,
  withJobSpans,
  withReceiveSpans,
  withRequestSpans,
} from "../src/tracing.ts";
import { testSystem } from "./test-system.ts";

function openTracing() {
  const noted: NotedSpan[] = [];
  const system = testSystem({ now: 10_000 });
  return {
    noted,
    system,
    tracing: { system, spans: { isOn: true, note: (span: NotedSpan) => void noted.push(span) } },
  };
}

const session = { ...claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] }) };
const doors = [
  ["upload", session],
  ["imap", { ...session, door: { kind: "imap", mailbox: "someone@example.com" } }],
  ["webhook", { ...session, door: { kind: "webhook", provider: "postmark" } }],
  ["lmtp", { ...session, source: "smtp", door: { kind: "lmtp" }, dataStartedAt: 9_000, dataEndedAt: 9_500 }],
  ["smtp", { ...session, source: "smtp", dataStartedAt: 9_000, dataEndedAt: 9_500 }],
] as const;

test.each(doors)(
  "a message by %s is a span of each of its tests, without its mailbox",
  async (door, from) => {
    const { noted, tracing } = openTracing();
    const text = toSessionText(from);
    const toTest = (id: string) => ({
      id,
      workspaceId: "wsp_x",
      seedInboxId: null,
      label: null,
      recipients: [],
      session: text,
    });
    const message = {
      bytes: Buffer.from("Hello"),
      receivedAt: 9_600,
      sender: "ann@example.com",
      subject: null,
    };
    const intake = withReceiveSpans({ insert: async () => {} }, tracing);
    await intake.insert([{ ...message, tests: [toTest("tst_a"), toTest("tst_b")] }]);
    expect(noted.map(({ testId }) => testId)).toEqual(["tst_a", "tst_b"]);
    const isLive = door === "smtp" || door === "lmtp";
    for (const span of noted) {
      expect(span).toMatchObject({ name: "receive message", isFirst: true, failed: false, endedAt: 10_000 });
      expect(span.startedAt).toBe(isLive ? 9_000 : 9_600);
      expect(span.attributes).toMatchObject({
        "assay.door": door,
        "assay.message.bytes": 5,
        "assay.message.tests": 2,
      });
      expect(span.parts?.map(({ name }) => name)).toEqual([
        ...(isLive ? ["read data"] : []),
        "store message",
      ]);
    }
    expect(JSON.stringify(noted)).not.toContain("example.com");
  },
);

test("a message that could not be stored is a failed span, and its error is passed on", async () => {
  const { noted, tracing } = openTracing();
  const refusing = { insert: () => Promise.reject(new Error("disk full")) };
  const one = {
    id: "tst_a",
    workspaceId: "w",
    seedInboxId: null,
    label: null,
    recipients: [],
    session: toSessionText(session),
  };
  const message = { bytes: Buffer.from("x"), receivedAt: 1, sender: null, subject: null, tests: [one] };
  await expect(withReceiveSpans(refusing, tracing).insert([message])).rejects.toThrow("disk full");
  expect(noted).toMatchObject([{ failed: true }]);
});

test("a message whose span cannot be made is stored all the same", async () => {
  const { noted, system, tracing } = openTracing();
  const one = {
    id: "tst_a",
    workspaceId: "w",
    seedInboxId: null,
    label: null,
    recipients: [],
    session: "no JSON",
  };
  const message = { bytes: Buffer.from("x"), receivedAt: 1, sender: null, subject: null, tests: [one] };
  await withReceiveSpans({ insert: async () => {} }, tracing).insert([message]);
  expect(noted).toEqual([]);
  expect(system.logged).toMatchObject([{ level: "error", message: "a span could not be noted" }]);
});

test("an analysis has its phases as parts, and queries are below the phase that asked", async () => {
  const { noted, tracing } = openTracing();
  const trace: JobTrace = {
    ...{ startedAt: 10, endedAt: 50 },
    phases: [
      { phase: "reading", at: 10 },
      { phase: "verifying", at: 20 },
      { phase: "judging", at: 40 },
    ],
    queries: [
      { type: "TXT", status: "answered", startedAt: 21, endedAt: 25 },
      { type: "MX", status: "timeout", startedAt: 22, endedAt: 39 },
      { type: "A", status: "nxdomain", startedAt: 45, endedAt: 46 },
    ],
  };
  const thread = {
    run: async () => ({ outcome: "answer", answer: {}, trace }),
  } as unknown as RenewableThread;
  await withJobSpans(thread, tracing).run({ kind: "analyze", testId: "tst_a", message: {} as never });
  const [span] = noted;
  expect(span).toMatchObject({ name: "analyze message", testId: "tst_a", failed: false });
  expect(span?.parts?.map(({ name, startedAt, endedAt }) => [name, startedAt, endedAt])).toEqual([
    ["reading", 10, 20],
    ["verifying", 20, 40],
    ["judging", 40, 50],
  ]);
  const queries = span?.parts?.map(({ parts = [] }) => parts.map(({ name, failed }) => [name, failed]));
  expect(queries).toEqual([
    [],
    [
      ["DNS TXT", false],
      ["DNS MX", true],
    ],
    [["DNS A", false]],
  ]);
});

test.each(["failed", "stalled", "interrupted", "closed"])(
  "a job that ends as %s is a failed span with its phase",
  async (outcome) => {
    const { noted, tracing } = openTracing();
    const ended = { outcome, why: "private words", during: "while reading", phase: "reading" };
    const thread = { run: async () => ended } as unknown as RenewableThread;
    expect(await withJobSpans(thread, tracing).run({ kind: "preview" } as never)).toBe(ended);
    expect(noted).toMatchObject([
      { name: "preview message", failed: true, attributes: { "assay.outcome": outcome } },
    ]);
    expect(JSON.stringify(noted)).not.toContain("private words");
  },
);

test("a request is a span by its route, and failed only if the server is to blame", () => {
  const { noted, tracing } = openTracing();
  const { noteRequest, registry } = withRequestSpans(createMetrics(), tracing);
  for (const [route, status] of [
    ["/api/tests/:id", 404],
    ["/api/tests", 500],
    ["/healthz", 200],
    ["/readyz", 503],
    ["/metrics", 200],
  ] as const)
    noteRequest({ method: "GET", route, status, durationMs: 25 });
  expect(noted.map(({ name, failed, startedAt }) => [name, failed, startedAt])).toEqual([
    ["GET /api/tests/:id", false, 9_975],
    ["GET /api/tests", true, 9_975],
  ]);
  expect(registry.getSingleMetric("assay_http_requests_total")).toBeDefined();
});

test("a chore is a span, failed if it throws, and its error is passed on", async () => {
  const { noted, tracing } = openTracing();
  const never = new AbortController().signal;
  const chore = (run: () => Promise<void>) => withChoreSpans({ id: "prune", everyMs: 1, run }, tracing);
  await chore(async () => {}).run(never);
  await expect(chore(() => Promise.reject(new Error("no"))).run(never)).rejects.toThrow("no");
  expect(noted.map(({ name, failed }) => [name, failed])).toEqual([
    ["chore prune", false],
    ["chore prune", true],
  ]);
});

test("a delivery is a span with its channel and result", () => {
  const tried = {
    channel: "slack",
    events: 2,
    startedAt: 1,
    endedAt: 5,
    httpStatus: 500,
    result: "failed",
  } as const;
  const { noted, tracing } = openTracing();
  noteDelivery(tried, tracing);
  expect(noted[0]).toMatchObject({
    ...{ name: "deliver alert", startedAt: 1, endedAt: 5, failed: true },
    attributes: {
      "assay.alert.channel": "slack",
      "assay.outcome": "failed",
      "http.response.status_code": 500,
    },
  });
});

test("nothing is wrapped while tracing is off", () => {
  const off = { spans: noSpans, system: testSystem() };
  const [intake, metrics] = [{ insert: async () => {} }, createMetrics()];
  expect(withReceiveSpans(intake, off)).toBe(intake);
  expect(withRequestSpans(metrics, off)).toBe(metrics);
});
