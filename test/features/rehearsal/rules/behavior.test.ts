// What is reported about a sender, and that only observed behavior is reported.

import { describe, expect, test } from "vitest";
import type { RehearsalTag } from "../../../../src/analyzer/mail/headers/rehearsal-address.ts";
import type { Attempt, ConnectionAttempt, MessageAttempt } from "../../../../src/features/rehearsal/rules/attempt.ts";
import { nameBehavior } from "../../../../src/features/rehearsal/rules/behavior.ts";
import { toSpan } from "../../../../src/features/rehearsal/rules/span.ts";

const minute = 60_000;

function message(at: number, changes: Partial<MessageAttempt> = {}): MessageAttempt {
  return {
    kind: "message",
    at,
    address: "192.0.2.1",
    helo: "a.example",
    tls: "TLSv1.3",
    special: null,
    testId: "tst_1",
    likeness: at === 0 ? null : "bytes",
    outcome: "deferred",
    reply: { code: 451, lines: ["4.7.1 x"] },
    because: "probe",
    waitedMs: 3,
    hungUp: false,
    finding: null,
    ...changes,
  };
}

const accepted = { outcome: "accepted", reply: { code: 250, lines: ["2.6.0 x"] } } as const;
const refused = { outcome: "refused", reply: { code: 552, lines: ["5.2.2 x"] } } as const;

function connection(
  at: number,
  special: ConnectionAttempt["special"],
  reached: ConnectionAttempt["reached"],
): ConnectionAttempt {
  return { kind: "connection", at, special, reached, address: "192.0.2.1", helo: "a.example", tls: null };
}

function ids(tag: RehearsalTag, attempts: readonly Attempt[], now = 10 * minute): string[] {
  return nameBehavior({ tag, attempts, now }).map(({ id }) => id);
}

describe("a deferred message", () => {
  test("a deferred message that hasn't been sent again yet is not called lost", () => {
    const [only] = nameBehavior({ tag: "as-gmail", attempts: [message(0)], now: 90 * minute });
    expect(only).toMatchObject({ id: "queue.not-yet", tone: "waiting" });
    expect(only?.says).toBe("Not sent again yet: 1 hour 30 minutes since it was deferred.");
  });

  test("a deferred message that was not sent again in five days is called lost", () => {
    expect(ids("as-gmail", [message(0)], 6 * 86_400_000)).toEqual(["queue.never-returned"]);
  });

  test("a deferred message that was sent again is reported with each delay", () => {
    const attempts = [message(0), message(5 * minute), message(15 * minute, accepted)];
    const said = nameBehavior({ tag: "as-gmail", attempts, now: 20 * minute });
    expect(said.map(({ id }) => id)).toEqual(["queue.returned", "address.same", "message.same"]);
    expect(said[0]?.says).toBe("Sent again twice, after 5 minutes, 10 minutes.");
  });

  test("a deferred message that was sent again from other IPs is reported", () => {
    const attempts = [message(0), message(minute, { ...accepted, address: "192.0.2.9" })];
    expect(ids("probe-greylist", attempts)).toEqual([
      "queue.returned",
      "greylist.too-soon",
      "address.changed",
      "message.same",
    ]);
  });

  test("a deferred message from an unknown IP has no findings about IPs", () => {
    const attempts = [message(0, { address: null }), message(6 * minute, { ...accepted, address: null })];
    expect(ids("probe-greylist", attempts)).toEqual(["queue.returned", "message.same"]);
  });
});

describe("a permanent rejection", () => {
  test("a permanent rejection is called respected only after some time", () => {
    const attempts = [message(0, refused)];
    expect(nameBehavior({ tag: "probe-full", attempts, now: minute })[0]).toMatchObject({
      id: "refused.respected",
      tone: "waiting",
    });
    expect(nameBehavior({ tag: "probe-full", attempts, now: 61 * minute })[0]).toMatchObject({ tone: "good" });
  });

  test("a permanent rejection that the sender ignores is an issue", () => {
    expect(ids("probe-full", [message(0, refused), message(minute, refused)])).toContain("refused.repeated");
  });
});

test("a repeated message with another Message-ID is reported, because it may have been sent by hand", () => {
  const attempts = [
    message(0, { outcome: "dropped", reply: null }),
    message(minute, { ...accepted, likeness: "body" }),
  ];
  const said = nameBehavior({ tag: "probe-drop", attempts, now: 2 * minute });
  expect(said.at(-1)).toMatchObject({ id: "message.new-id", says: expect.stringContaining("If you sent it yourself") });
});

describe("a prepared connection", () => {
  test.each<[string, RehearsalTag, Attempt, string]>([
    ["plain text", "probe-no-tls", message(minute, { ...accepted, tls: null, special: "no-tls" }), "no-tls.delivered"],
    ["a sender that requires TLS", "probe-no-tls", connection(minute, "no-tls", "ehlo"), "no-tls.refused"],
    [
      "a certificate for another name",
      "probe-bad-cert",
      message(minute, { ...accepted, special: "bad-cert" }),
      "bad-cert.delivered",
    ],
    ["a failed handshake", "probe-bad-cert", connection(minute, "bad-cert", "handshake-failed"), "bad-cert.refused"],
    [
      "a connection closed after the handshake",
      "probe-bad-cert",
      connection(minute, "bad-cert", "handshake"),
      "bad-cert.refused",
    ],
    ["a connection closed before STARTTLS", "probe-bad-cert", connection(minute, "bad-cert", "ehlo"), "bad-cert.left"],
    ["the announced size limit", "probe-size", connection(minute, "size", "ehlo"), "size.respected"],
    ["SIZE= in MAIL", "probe-size", connection(minute, "size", "mail"), "size.declared"],
    ["the whole message", "probe-size", connection(minute, "size", "data"), "size.ignored"],
  ])("a prepared connection is reported correctly for %s", (_, tag, attempt, wanted) => {
    expect(ids(tag, [message(0), attempt])[0]).toBe(wanted);
  });

  test("a prepared connection reports a sender that rejects a certificate and then sends in plain text", () => {
    const attempts = [
      message(0),
      connection(minute, "bad-cert", "handshake-failed"),
      message(2 * minute, { ...accepted, tls: null }),
    ];
    expect(ids("probe-bad-cert", attempts)).toContain("bad-cert.fell-back");
  });

  test("a prepared connection shows little about a sender that never uses TLS", () => {
    const attempts = [message(0, { tls: null }), message(minute, { ...accepted, tls: null, special: "no-tls" })];
    expect(ids("probe-no-tls", attempts)).toContain("tls.unused");
  });

  test("a prepared connection expects no retry of a message over the size limit", () => {
    expect(ids("probe-size", [message(0), connection(minute, "size", "ehlo")])).not.toContain("queue.not-yet");
  });
});

test("a sender that hangs up must send again", () => {
  const attempt = message(0, { ...accepted, hungUp: true, waitedMs: 30_000 });
  expect(ids("probe-slow", [attempt])).toEqual(["slow.hung-up", "queue.not-yet"]);
  expect(ids("probe-slow", [message(0, { ...accepted, waitedMs: 60_000 })])).toEqual(["slow.waited"]);
});

test("a message that was accepted without a rehearsal is reported", () => {
  expect(ids("as-gmail", [message(0, { ...accepted, because: "too-slow" })])).toEqual(["accepted.without"]);
  expect(ids("as-gmail", [message(0, { ...accepted, because: "predicted" })])).toEqual([]);
});

test.each([
  [0, "less than a second"],
  [1_000, "1 second"],
  [61_000, "1 minute 1 second"],
  [7_200_000, "2 hours"],
  [90_061_000, "1 day 1 hour"],
])("a duration of %d ms is written as %s", (ms, words) => {
  expect(toSpan(ms)).toBe(words);
});
