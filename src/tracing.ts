// Wraps parts of the server so that their work appears in traces. If tracing is off, the parts stay as they are.

import type { Metrics } from "./http/metrics.ts";
import { parseSessionText } from "./mail/session/session-text.ts";
import type { Intake, NewMessage, NewTest } from "./store/intake/intake.ts";
import type { System } from "./system/system.ts";
import type { DeliveryTry } from "./tasks/alerts/try-delivery.ts";
import type { JobOutcome, RenewableThread } from "./tasks/analysis/job-thread.ts";
import type { JobTrace } from "./tasks/analysis/job-trace.ts";
import type { Job } from "./tasks/analysis/jobs.ts";
import type { Chore } from "./tasks/chores.ts";
import type { NotedSpan, Spans } from "./telemetry/spans.ts";

type Tracing = { readonly spans: Spans; readonly system: Pick<System, "now" | "log"> };

/** A bug here must not become one of the work that it describes, such as a message that is stored twice. */
function note({ spans, system }: Tracing, toSpan: () => NotedSpan): void {
  try {
    spans.note(toSpan());
  } catch (error) {
    system.log.error("a span could not be noted", {}, error);
  }
}

/** Every door stores its messages here: SMTP, LMTP, IMAP, webhooks, and uploads. */
export function withReceiveSpans(intake: Intake, tracing: Tracing): Intake {
  if (!tracing.spans.isOn) return intake;
  const { now } = tracing.system;
  return {
    insert: async (messages, check) => {
      let failed = true;
      try {
        await intake.insert(messages, check);
        failed = false;
      } finally {
        const endedAt = now();
        for (const message of messages)
          for (const one of message.tests)
            note(tracing, () => toReceiveSpan(message, one, { endedAt, failed }));
      }
    },
  };
}

function toReceiveSpan(
  { bytes, receivedAt, tests }: NewMessage,
  { id, session: text }: NewTest,
  { endedAt, failed }: { readonly endedAt: number; readonly failed: boolean },
): NotedSpan {
  const { source, door, dataStartedAt, dataEndedAt, tls } = parseSessionText(text);
  const isLive = source === "smtp" && dataStartedAt !== null && dataEndedAt !== null;
  const store = { name: "store message", startedAt: receivedAt, endedAt, failed };
  const read = isLive ? [{ name: "read data", startedAt: dataStartedAt, endedAt: dataEndedAt }] : [];
  return {
    ...{ name: "receive message", kind: "consumer", testId: id, isFirst: true, endedAt, failed },
    startedAt: isLive ? Math.min(dataStartedAt, receivedAt) : receivedAt,
    attributes: {
      "assay.test.id": id,
      "assay.door": door?.kind ?? (source === "smtp" ? "smtp" : "upload"),
      "assay.message.bytes": bytes.byteLength,
      "assay.message.tests": tests.length,
      "assay.tls": tls?.version ?? "none",
    },
    parts: [...read, store],
  };
}

export function withJobSpans(thread: RenewableThread, tracing: Tracing): RenewableThread {
  if (!tracing.spans.isOn) return thread;
  const { now } = tracing.system;
  return {
    ...thread,
    run: async (job) => {
      const startedAt = now();
      const outcome = await thread.run(job);
      note(tracing, () => toJobSpan(job, outcome, { startedAt, endedAt: now() }));
      return outcome;
    },
  };
}

function toJobSpan(
  job: Job,
  outcome: JobOutcome,
  times: { readonly startedAt: number; readonly endedAt: number },
): NotedSpan {
  const testId = job.kind === "analyze" ? job.testId : undefined;
  const phase = "phase" in outcome ? outcome.phase : undefined;
  const trace = outcome.outcome === "answer" ? outcome.trace : undefined;
  return {
    ...{ ...times, name: jobNames[job.kind], failed: outcome.outcome !== "answer" },
    ...(testId !== undefined && { testId }),
    attributes: {
      "assay.outcome": outcome.outcome,
      ...(phase !== undefined && { "assay.phase": phase }),
      ...(testId !== undefined && { "assay.test.id": testId }),
    },
    parts: trace === undefined ? [] : toJobParts(trace),
  };
}

const jobNames: Readonly<Record<Job["kind"], string>> = {
  analyze: "analyze message",
  eml: "view message",
  preview: "preview message",
  part: "read part",
  compare: "compare tests",
  history: "summarize reports",
  split: "split score change",
  imagine: "preview DNS change",
  "imagine-domain": "preview domain change",
  domain: "check domain",
  examine: "examine test",
};

/** Queries are below the phase in which they were asked. */
function toJobParts({ phases, queries, endedAt }: JobTrace): NotedSpan[] {
  return phases.map(({ phase, at }, index) => {
    const until = phases[index + 1]?.at ?? endedAt;
    const isLast = index === phases.length - 1;
    const own = queries.filter((query) => query.startedAt >= at && (query.startedAt < until || isLast));
    return {
      ...{ name: phase, startedAt: at, endedAt: until },
      parts: own.map(({ type, status, ...times }) => ({
        ...{ ...times, name: `DNS ${type}`, kind: "client" as const },
        failed: !answered.has(status),
        attributes: { "dns.question.type": type, "assay.dns.status": status },
      })),
    };
  });
}

const answered: ReadonlySet<string> = new Set(["answered", "nodata", "nxdomain"]);

export function withChoreSpans(chore: Chore, tracing: Tracing): Chore {
  if (!tracing.spans.isOn) return chore;
  const { now } = tracing.system;
  return {
    ...chore,
    run: async (stopping) => {
      const startedAt = now();
      let failed = true;
      try {
        await chore.run(stopping);
        failed = false;
      } finally {
        const name = `chore ${chore.id}`;
        note(tracing, () => ({ name, startedAt, endedAt: now(), failed: failed && !stopping.aborted }));
      }
    },
  };
}

/** Probes ask these all the time. */
const quietRoutes = new Set(["/healthz", "/readyz", "/metrics"]);

export function withRequestSpans(metrics: Metrics, tracing: Tracing): Metrics {
  if (!tracing.spans.isOn) return metrics;
  return {
    ...metrics,
    noteRequest: (request) => {
      metrics.noteRequest(request);
      const { method, route, status, durationMs } = request;
      if (quietRoutes.has(route)) return;
      const endedAt = tracing.system.now();
      note(tracing, () => ({
        ...{ name: `${method} ${route}`, kind: "server", startedAt: endedAt - durationMs, endedAt },
        failed: status >= 500,
        attributes: {
          "http.request.method": method === "other" ? "_OTHER" : method,
          "http.route": route,
          "http.response.status_code": status,
        },
      }));
    },
  };
}

/** For the deliverer of alerts, which calls it after each try. */
export function noteDelivery(tried: DeliveryTry, tracing: Tracing): void {
  if (tracing.spans.isOn) note(tracing, () => toDeliverySpan(tried));
}

function toDeliverySpan({ channel, events, httpStatus, result, ...times }: DeliveryTry): NotedSpan {
  return {
    ...{ ...times, name: "deliver alert", kind: "client", failed: result !== "delivered" },
    attributes: {
      ...{ "assay.alert.channel": channel, "assay.alert.events": events, "assay.outcome": result },
      ...(httpStatus !== null && { "http.response.status_code": httpStatus }),
    },
  };
}
