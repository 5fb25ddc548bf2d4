// What a receiver's response means, and when a delivery is retried (src/decisions.md, "Alerts"). Only the status counts. The
// body is untrusted, and adds nothing for any of the three kinds of receiver.

import type { WebhookKind } from "./alert-event.ts";

type Answer =
  | { readonly ok: true; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string };

export type Verdict =
  | { readonly means: "delivered" }
  /** `holdUntil`: the receiver wants no request before this time. Null: it did not say. */
  | { readonly means: "failed"; readonly problem: string; readonly holdUntil: number | null }
  /** It will never accept anything again. */
  | { readonly means: "gone"; readonly problem: string };

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const pausesMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  4 * hourMs,
  12 * hourMs,
  24 * hourMs,
];
/** The share of a pause over which retries are spread. It only makes a pause longer. */
const spread = 0.2;
/** A receiver that asks for more has made a mistake, or wants no more requests. */
const longestHoldMs = 24 * hourMs;

/** `tries`: number of failed attempts. `chance`: from 0 to 1. Null: no further attempt. */
export function nextTry(tries: number, now: number, chance: number): number | null {
  const pauseMs = pausesMs[tries - 1];
  return pauseMs === undefined ? null : now + Math.round(pauseMs * (1 + spread * chance));
}

export function judgeAnswer(kind: WebhookKind, answer: Answer, now: number): Verdict {
  if (!answer.ok) return { means: "failed", problem: answer.problem, holdUntil: null };
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { means: "delivered" };
  // Chat services send this for a webhook that was deleted there. Elsewhere, 404 may be a temporary mistake.
  if (status === 410 || (status === 404 && kind !== "json"))
    return { means: "gone", problem: `The receiver responded with ${status}, so this webhook no longer exists there.` };
  if (status >= 300 && status < 400)
    return failed(`The receiver responded with ${status}. Redirects are not followed, so enter the final URL.`);
  const asksForPause = status === 429 || status === 503;
  const holdUntil = asksForPause ? readRetryAfter(headers["retry-after"], now) : null;
  return failed(`The receiver answered ${status}.`, holdUntil);
}

function failed(problem: string, holdUntil: number | null = null): Verdict {
  return { means: "failed", problem, holdUntil };
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** RFC 9110 §10.2.3: seconds or a date. Null for anything else, and for a time in the past. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? "";
  const until = toTime(text, now);
  return Number.isFinite(until) && until > now ? Math.min(until, now + longestHoldMs) : null;
}

function toTime(text: string, now: number): number {
  // Some services also send fractions of a second.
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text)) return now + Math.ceil(Number(text) * secondMs);
  return httpDate.test(text) ? Date.parse(text) : Number.NaN;
}
