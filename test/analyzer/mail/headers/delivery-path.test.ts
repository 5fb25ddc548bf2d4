import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { judgeHopTimes, tracePath } from "../../../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { claimedSession, type SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";

const arrival = Date.UTC(2026, 10, 21, 10, 0, 0);
const uploaded = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });
const heard: SmtpSession = {
  ...uploaded,
  door: { kind: "smtp" },
  clientAddress: "203.0.113.7",
  helo: "out.a.example",
  protocol: "ESMTPS",
  tls: { version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", serverName: null },
  rcptTo: ["secret@seed.example"],
  dataEndedAt: arrival,
};

const line = (by: string, secondsBefore: number, name = "Received") =>
  `${name}: from x ([198.51.100.9]) by ${by} with ESMTP id 1; ${new Date(arrival - secondsBefore * 1_000).toUTCString()}\r\n`;

/** Lines in message order, newest first. */
function trace(lines: readonly string[], session: SmtpSession = heard) {
  const section = readHeaderSection(Buffer.from(`${lines.join("")}\r\nHello`));
  return tracePath({ section, session, receiver: "mx.seed.example", receivedAt: arrival + 50 });
}

const delays = (lines: readonly string[], session?: SmtpSession) =>
  trace(lines, session).hops.map(({ by, delayMs, skewMs }) => [by, delayMs, skewMs]);

test("hops are listed oldest first, with our own trusted session last", () => {
  const { hops, lineCount } = trace([line("two", 5), "Subject: x\r\n", line("one", 20)]);
  expect(hops.map(({ by, trusted }) => [by, trusted])).toEqual([
    ["one", false],
    ["two", false],
    ["mx.seed.example", true],
  ]);
  expect(hops.at(-1)).toMatchObject({
    from: "out.a.example",
    ip: "203.0.113.7",
    reach: "public",
    with: "ESMTPS",
    tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" },
    at: arrival,
    for: null,
  });
  expect(lineCount).toBe(2);
});

test("an upload has only claimed hops, whatever its headers look like", () => {
  const { hops } = trace([line("mx.seed.example", 5)], uploaded);
  expect(hops.map(({ by, trusted }) => [by, trusted])).toEqual([["mx.seed.example", false]]);
});

test("a message that waited shows at which hop", () => {
  expect(delays([line("two", 30), line("one", 7_230)])).toEqual([
    ["one", null, 0],
    ["two", 7_200_000, 0],
    ["mx.seed.example", 30_000, 0],
  ]);
});

test("clocks that differ by seconds are no issue, and no delay is negative", () => {
  expect(delays([line("two", 25), line("one", 5)])).toEqual([
    ["one", null, 0],
    ["two", 0, 0],
    ["mx.seed.example", 5_000, 0],
  ]);
});

test("a fast clock in the middle is reported as a clock error, not a delay", () => {
  expect(delays([line("three", 10), line("two", -600), line("one", 20)])).toEqual([
    ["one", null, 0],
    ["two", null, 610_000],
    ["three", 10_000, 0],
    ["mx.seed.example", 10_000, 0],
  ]);
});

test("a slow clock in the middle is reported as a clock error, not a delay", () => {
  expect(delays([line("three", 10), line("two", 620), line("one", 20)])).toEqual([
    ["one", null, 0],
    ["two", null, -600_000],
    ["three", 10_000, 0],
    ["mx.seed.example", 10_000, 0],
  ]);
});

test("if two clocks contradict each other, the one without a delay is trusted", () => {
  expect(delays([line("two", 1_200), line("one", 600)])).toEqual([
    ["one", null, 0],
    ["two", null, -600_000],
    ["mx.seed.example", 600_000, 0],
  ]);
});

test("a timestamp in the future is reported, for an upload too", () => {
  expect(delays([line("one", -3_600)])).toEqual([
    ["one", null, 3_600_000],
    ["mx.seed.example", null, 0],
  ]);
  expect(delays([line("one", -3_600)], uploaded)).toEqual([["one", null, 3_599_950]]);
});

test("a hop without a time does not break the others", () => {
  expect(delays([line("two", 10), "Received: by nobody\r\n", line("one", 20)])).toEqual([
    ["one", null, 0],
    ["nobody", null, 0],
    ["two", 10_000, 0],
    ["mx.seed.example", 10_000, 0],
  ]);
});

test("Gmail's internal lines are hops, but do not count as Received headers", () => {
  const { hops, lineCount } = trace([line("two", 1, "X-Received"), line("one", 2)]);
  expect(hops.map(({ by, header }) => [by, header])).toEqual([
    ["one", "received"],
    ["two", "x-received"],
    ["mx.seed.example", null],
  ]);
  expect(lineCount).toBe(1);
});

test("in a delivery path of a hundred thousand hops, all are counted and the nearest hundred are parsed", () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `Received: by h${index}\r\n`);
  const { hops, lineCount } = trace(lines);
  expect(lineCount).toBe(100_000);
  expect(hops.map(({ by }) => by)).toEqual([
    ...Array.from({ length: 100 }, (_, index) => `h${99 - index}`),
    "mx.seed.example",
  ]);
});

test("for any clocks, no delay is negative and their sum fits the total time", () => {
  const dice = createDice(5);
  for (let round = 0; round < 2_000; round++) {
    const stamps = Array.from({ length: 1 + dice(12) }, () => (dice(5) === 0 ? null : arrival - dice(4_000_000)));
    const times = judgeHopTimes([...stamps, arrival], arrival);
    const waits = times.map(({ delayMs }) => delayMs ?? 0);
    const sum = waits.reduce((one, other) => one + other, 0);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(sum).toBeLessThanOrEqual(arrival - Math.min(...stamps.map((at) => at ?? arrival)) + 60_000);
  }
});
