// Sends one signal to the collector (OTLP/HTTP 1.x, binary protobuf). A collector that is away, slow, or answers nonsense
// costs only what it misses: each request has a deadline, is retried once, and is then dropped.

import { setTimeout as pause } from "node:timers/promises";
import type { FetchOutcome } from "../system/fetch.ts";
import type { System } from "../system/system.ts";

type SenderTerms = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly system: Pick<System, "log" | "fetchOperator">;
  /** For the log: traces or metrics. */
  readonly what: string;
  /** Aborted when the server has stopped. */
  readonly ended: AbortSignal;
};

/** `count`: how many spans or metrics are lost if it can't be delivered. Never rejects. */
export type Send = (body: Uint8Array, count: number) => Promise<boolean>;

const timeoutMs = 5_000;
const maxAnswerBytes = 65_536;
const retryAfterMs = 1_000;
/** The OTLP specification asks to retry only after these. */
const passing = new Set([429, 502, 503, 504]);

export function createSender({ url, headers, system, what, ended }: SenderTerms): Send {
  let lost = 0;
  let isOut = false;

  async function post(body: Uint8Array): Promise<Verdict> {
    const outcome = await system.fetchOperator(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-protobuf" },
      ...{ body, timeoutMs, maxBytes: maxAnswerBytes, cutsBody: true, signal: ended },
    });
    return judge(outcome);
  }

  return async (body, count) => {
    let verdict = await post(body);
    if (verdict.mayPass && !ended.aborted) {
      await pause(retryAfterMs, undefined, { ref: false, signal: ended }).catch(() => {});
      if (!ended.aborted) verdict = await post(body);
    }
    const { problem } = verdict;
    if (problem === null) {
      if (isOut) system.log.info("telemetry is sent again", { what, lost });
      isOut = false;
      lost = 0;
      return true;
    }
    lost += count;
    if (!isOut) system.log.warn("telemetry cannot be sent, and is dropped until it can", { what, problem });
    isOut = true;
    return false;
  };
}

type Verdict = { readonly problem: string | null; readonly mayPass: boolean };

function judge(outcome: FetchOutcome): Verdict {
  if (!outcome.ok) return { problem: outcome.problem, mayPass: outcome.failure === "unreachable" };
  const { status, headers, body } = outcome;
  if (status < 200 || status > 299)
    return { problem: `The collector answered with status ${status}.`, mayPass: passing.has(status) };
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  const isOtlp = body.length === 0 || /^application\/(?:x-protobuf|json)$/i.test(mediaType.trim());
  return isOtlp
    ? { problem: null, mayPass: false }
    : { problem: "The server does not answer like an OTLP collector.", mayPass: false };
}
