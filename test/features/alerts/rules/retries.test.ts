import { expect, test } from "vitest";
import type { WebhookKind } from "../../../../src/features/alerts/rules/alert-event.ts";
import { judgeAnswer, nextTry, readRetryAfter } from "../../../../src/features/alerts/rules/retries.ts";

const now = Date.UTC(2026, 10, 21, 6);
const answer = (status: number, headers: Record<string, string> = {}) => ({ ok: true, status, headers }) as const;
const meaningOf = (kind: WebhookKind, status: number) => judgeAnswer(kind, answer(status), now).means;

test("eight retries come after increasing delays, then none", () => {
  const pauses = Array.from({ length: 9 }, (_, index) => nextTry(index + 1, 0, 0));
  expect(pauses.map((ms) => ms && ms / 1_000)).toEqual([5, 30, 120, 600, 3600, 14400, 43200, 86400, null]);
});

test("a random delay adds at most a fifth", () => {
  expect(nextTry(1, 1_000, 0)).toBe(6_000);
  expect(nextTry(1, 1_000, 0.5)).toBe(6_500);
  expect(nextTry(1, 1_000, 1)).toBe(7_000);
});

test.each([200, 201, 202, 204, 299])("status %i means delivered for every kind", (status) => {
  expect([meaningOf("json", status), meaningOf("slack", status)]).toEqual(["delivered", "delivered"]);
});

test.each([301, 302, 307, 308, 400, 401, 403, 408, 429, 500, 502, 503, 504])("status %i is retried", (status) => {
  expect([meaningOf("json", status), meaningOf("discord", status)]).toEqual(["failed", "failed"]);
});

test("status 410 disables every webhook, and 404 only those of chat services", () => {
  const kinds = ["json", "slack", "discord"] as const;
  expect(kinds.map((kind) => meaningOf(kind, 410))).toEqual(["gone", "gone", "gone"]);
  expect(kinds.map((kind) => meaningOf(kind, 404))).toEqual(["failed", "gone", "gone"]);
});

test("a missing response is retried, with its reason", () => {
  const verdict = judgeAnswer("json", { ok: false, problem: "hook.example refused the connection." }, now);
  expect(verdict).toEqual({ means: "failed", problem: "hook.example refused the connection.", holdUntil: null });
});

test.each([
  ["30", 30_000],
  ["0.25", 250],
  [" 7 ", 7_000],
  ["Sat, 21 Nov 2026 06:02:00 GMT", 120_000],
  ["999999999", 86_400_000],
  ["Sat, 21 Nov 2099 06:00:00 GMT", 86_400_000],
])("Retry-After: %s delays the next attempt, for a day at most", (value, afterMs) => {
  expect(readRetryAfter(value, now)).toBe(now + afterMs);
});

test.each([undefined, "", "0", "-5", "soon", "1e9", "Infinity", "Sat, 21 Nov 2020 06:00:00 GMT", "2027-01-01"])(
  "Retry-After: %s is ignored",
  (value) => {
    expect(readRetryAfter(value, now)).toBeNull();
  },
);

test("Retry-After is read only for 429 and 503", () => {
  const holdOf = (status: number) => {
    const verdict = judgeAnswer("json", answer(status, { "retry-after": "60" }), now);
    return verdict.means === "failed" && verdict.holdUntil;
  };
  expect([429, 503, 500, 302].map(holdOf)).toEqual([now + 60_000, now + 60_000, null, null]);
});
