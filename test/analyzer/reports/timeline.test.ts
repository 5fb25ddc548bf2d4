import { expect, test } from "vitest";
import { tracePath } from "../../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import { claimedSession, type SessionStep, type SmtpSession } from "../../../src/analyzer/mail/session/session.ts";
import { type TimelineMark, toTimeline } from "../../../src/analyzer/reports/timeline.ts";

const begin = Date.UTC(2026, 10, 21, 10, 0, 0);
const uploaded = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });

function said(...lines: readonly string[]): SessionStep[] {
  return lines.map((line) => {
    const [, from, after, text = ""] = /^([CS])(\d+) (.*)$/.exec(line) ?? [];
    return { at: begin + Number(after), from: from === "C" ? "client" : "server", line: text };
  });
}

const heard: SmtpSession = {
  ...uploaded,
  door: { kind: "smtp" },
  clientAddress: "203.0.113.7",
  helo: "out.a.example",
  protocol: "ESMTPS",
  connectedAt: begin,
  dataStartedAt: begin + 70,
  dataEndedAt: begin + 170,
  transcript: said(
    "S5 220 mx.seed.example ESMTP",
    "C10 EHLO out.a.example",
    "S11 250-mx.seed.example",
    "S12 250 STARTTLS",
    "C20 STARTTLS",
    "S21 220 2.0.0 Ready",
    "C40 EHLO out.a.example",
    "S41 250 mx.seed.example",
    "C50 MAIL FROM:<bo@a.example>",
    "S53 250 2.1.0 Noted",
    "C54 RCPT TO:<one@seed.example>",
    "C54 RCPT TO:<two@seed.example>",
    "S60 250 2.1.5 Noted",
    "S61 250 2.1.5 Noted",
    "C68 DATA",
    "S70 354 End with a dot",
  ),
};

function timeline(lines: readonly string[], session: SmtpSession = heard, marks: readonly TimelineMark[] = []) {
  const section = readHeaderSection(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`));
  const receivedAt = begin + 171;
  const received = tracePath({ section, session, receiver: "mx.seed.example", receivedAt });
  return toTimeline({ received, session, receivedAt, marks });
}

test("the timeline shows our SMTP session step by step with durations", () => {
  const { smtp } = timeline([]);
  expect(smtp.map(({ step, at, durationMs, count }) => [step, at - begin, durationMs, count])).toEqual([
    ["connect", 0, 5, 1],
    ["helo", 10, 2, 1],
    ["starttls", 20, 1, 1],
    ["helo", 40, 1, 1],
    ["mail", 50, 3, 1],
    ["rcpt", 54, 7, 2],
    ["data", 68, 102, 1],
    ["end", 170, 0, 1],
  ]);
  expect(smtp[5]).toMatchObject({ said: "RCPT TO:<one@seed.example>", reply: "250 2.1.5 Noted" });
});

test("an upload has no steps and no total", () => {
  expect(timeline(["Received: by x; Sat, 21 Nov 2026 09:00:00 +0000"], uploaded)).toMatchObject({
    hops: [{ by: "x", trusted: false }],
    smtp: [],
    totalMs: null,
  });
});

const hop = "Received: by x with SMTP; Sat, 21 Nov 2026 09:59:00 +0000";

test("the total lasts from Date to the end of DATA", () => {
  const date = { what: "date", by: null, at: begin - 90_000 } as const;
  expect(timeline([hop], heard, [date]).totalMs).toBe(90_170);
});

test("the first hop replaces a Date that is missing or later than the arrival", () => {
  const date = { what: "date", by: null, at: begin + 3_600_000 } as const;
  expect(timeline([hop], heard, [date]).totalMs).toBe(60_170);
  expect(timeline([hop]).totalMs).toBe(60_170);
  expect(timeline([]).totalMs).toBeNull();
});

test("a Date after the first hop, as in a resent message, hides no delay", () => {
  const date = { what: "date", by: null, at: begin } as const;
  expect(timeline([hop], heard, [date]).totalMs).toBe(60_170);
});

test("a Date slightly ahead of our clock gives no negative total", () => {
  expect(timeline([], heard, [{ what: "date", by: null, at: begin + 30_000 }]).totalMs).toBe(0);
});

test("the timestamps in a message are listed in order", () => {
  const { marks } = timeline([], heard, [
    { what: "arc", by: "list.example", at: begin - 5 },
    { what: "dkim", by: "a.example", at: begin - 50 },
    { what: "date", by: null, at: begin - 60 },
  ]);
  expect(marks.map(({ what }) => what)).toEqual(["date", "dkim", "arc"]);
});

test("a wrong clock has a warning", () => {
  const { hops } = timeline(["Received: by x; Sat, 21 Nov 2026 10:10:00 +0000", "Received: by y; soon"]);
  expect(hops.map(({ by, warnings }) => [by, warnings])).toEqual([
    ["y", ["The date in the line is unreadable."]],
    ["x", ["The time is later than the arrival at this server.", "The clock is ahead by at least 10 minutes."]],
    ["mx.seed.example", []],
  ]);
});

test("the timeline of a client that sends ten thousand commands is short", () => {
  const transcript = said(
    ...Array.from({ length: 5_000 }, (_, index) => [
      `C${2 * index} MAIL FROM:<>`,
      `C${2 * index + 1} RCPT TO:<x@seed.example>`,
    ]).flat(),
  );
  const { smtp } = timeline([], { ...heard, transcript });
  expect(smtp).toHaveLength(100);
  expect([smtp[0]?.step, smtp.at(-1)?.step]).toEqual(["connect", "end"]);
});
